"""Libraries of NVIDIA that ROCm answers with another library: once for each file, at the first thing that shows it.

Where only the bodies of macros show it, it is found once for each macro: which of them is expanded, other files say.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

_LIBRARIES = {
    "tensorrt": (
        r"Nv(?:Infer|OnnxParser|UffParser|CaffeParser|Utils)\w*\.h",
        rb"nvinfer1?|nvonnxparser|nvuffparser",
        rb"",
    ),
    "optix": (
        r"optix(?:_\w+)?\.h|optixu/.*",
        rb"optix",
        rb"(?:optix(?:Init|Trace|Launch|DeviceContext\w*|Module\w*|Pipeline\w*|Accel\w*|Program\w*|Sbt\w*|Get\w+|Set\w+"
        rb"|Report\w+|Util\w*)|Optix[A-Z]\w+|OPTIX_[A-Z]\w+)",
    ),
    "cudnn-frontend": (r"cudnn_frontend(?:\w*\.h|/.*)", rb"cudnn_frontend", rb""),
    "nvshmem": (r"nvshmemx?(?:_\w+)?\.h|nvshmem/.*|device/nvshmem.*", rb"nvshmemi?", rb"nvshmemx?_[a-z]\w*[^\W_]"),
    "device-math-library": (r"(?:cufftdx|cublasdx|cusolverdx|curanddx|nvcompdx|commondx)(?:\.hpp|/.*)",
                            rb"cufftdx|cublasdx|cusolverdx|curanddx|nvcompdx", rb""),
    "nvcomp": (r"nvcomp(?:/.*|\.h|\.hpp)", rb"nvcomp", rb"nvcomp(?:Batched\w+|Status_t|Type_t)"),
    "rapids": (r"(?:cuml|cugraph|cuspatial)/.*\.(?:h|hpp|cuh)", rb"", rb""),
    "rapids-ports": (r"(?:rmm|raft|cudf|cuvs)/.*\.(?:h|hpp|cuh)", rb"", rb""),
    "dali": (r"dali/.*", rb"dali", rb""),
    "cucollections": (r"cuco/.*", rb"cuco", rb""),
    "moderngpu": (r"moderngpu(?:\.cuh|/.*)", rb"mgpu", rb""),
    "nvbench": (r"nvbench(?:_helper)?/.*", rb"nvbench", rb"NVBENCH_BENCH\w*"),
    "cuda-api-wrappers": (r"cuda/(?:api(?:_wrappers)?\.h(?:pp)?|api/\w+\.hpp|(?:nvrtc|rtc|fatbin)\.hpp)", rb"", rb""),
    "opencv-cuda": (
        r"opencv2/(?:core/cuda\w*\.hpp|cuda\w+\.hpp|cudev(?:\.hpp|/.*)|gpu/.*)",
        rb"cv::(?:cuda|cudev|gpu)",
        rb"",
    ),
    "quantum": (
        r"(?:custatevec|cutensornet|cudensitymat|cupauliprop)\.h",
        rb"",
        rb"(?:custatevec|cutensornet)[A-Z]\w+",
    ),
    "sparse-solver": (r"(?:cudss|amgx_c|amgx_\w+)\.h", rb"", rb"(?:cudss[A-Z]\w+|AMGX_[a-z]\w+)"),
    "cusp": (r"cusp/.*", rb"cusp", rb""),
    "sputnik": (r"sputnik/.*", rb"sputnik", rb""),
    "cudpp": (
        r"cudpp(?:_\w+)?\.h",
        rb"",
        rb"(?:cudpp[A-Z]\w+|CUDPP_[A-Z]\w+|CUDPP(?:Config|Handle|Result|Option|Algorithm|Operator|Datatype)\w*)",
    ),
    "starpu": (
        r"starpu_(?:cuda|cublas\w*|cusparse|cusolver)\.h",
        rb"",
        rb"(?:starpu_(?:cuda|cublas|cusparse|cusolver)\w*|STARPU_(?:USE_)?(?:CUDA|CUBLAS|CUSPARSE|CUSOLVER)\w*)",
    ),
    "image-codec": (r"(?:nvimgcodec|nvjpeg2k|nvtiff)\.h", rb"", rb"(?:nvimgcodec|nvjpeg2k|nvtiff)[A-Z]\w+"),
    "gpujpeg": (
        r"libgpujpeg/gpujpeg(?:_\w+)?\.h",
        rb"",
        rb"(?:gpujpeg_(?:encoder|decoder)_(?:create|destroy|encode|decode|input_\w+|output_\w+)|GPUJPEG_(?:EN|DE)CODER_\w+)",
    ),
    "faiss-gpu": (r"faiss/gpu/.*", rb"faiss::gpu", rb""),
    "cuda-samples": (r"helper_(?:cuda|cuda_drvapi|math|cusolver)\.h|nvrtc_helper\.h", rb"", rb""),
    "samples-helper": (r"helper_(?:functions|timer|string|image|gl|multiprocess)\.h|rendercheck_gle?s?\.h", rb"", rb""),
    "pycuda-header": (r"pycuda-(?:complex(?:-impl)?|helpers)\.hpp", rb"pycuda", rb""),
    "cuda-sdk": (r"cutil(?:_(?:inline|math|gl_inline|gl_error))?\.h|shr(?:Utils|QATest)\.h|sdkHelper\.h", rb"", rb""),
}  # fmt: skip
"""By rule: the include paths, the namespaces, and the names that show the library."""
_WORDS = {
    "tensorrt": (b"nvinfer", b"nvonnx", b"nvuff", b"nvcaffe", b"nvutils"),
    "optix": (b"optix",),
    "cudnn-frontend": (b"cudnn_frontend",),
    "nvshmem": (b"nvshmem",),
    "device-math-library": (b"cufftdx", b"cublasdx", b"cusolverdx", b"curanddx", b"nvcompdx", b"commondx"),
    "nvcomp": (b"nvcomp",),
    "rapids": (b"cuml/", b"cugraph/", b"cuspatial/"),
    "rapids-ports": (b"rmm/", b"raft/", b"cudf/", b"cuvs/"),
    "dali": (b"dali/", b"dali::", b"dali ::"),
    "cucollections": (b"cuco",),
    "moderngpu": (b"moderngpu", b"mgpu"),
    "nvbench": (b"nvbench",),
    "cuda-api-wrappers": (b"cuda/api", b"cuda/nvrtc", b"cuda/rtc", b"cuda/fatbin"),
    "opencv-cuda": (b"opencv2/", b"cv::"),
    "quantum": (b"custatevec", b"cutensornet", b"cudensitymat", b"cupauliprop"),
    "sparse-solver": (b"cudss", b"amgx_"),
    "sputnik": (b"sputnik",),
    "cusp": (b"cusp/", b"cusp::", b"cusp ::"),
    "cudpp": (b"cudpp",),
    "starpu": (b"starpu_",),
    "image-codec": (b"nvimgcodec", b"nvjpeg2k", b"nvtiff"),
    "gpujpeg": (b"gpujpeg",),
    "faiss-gpu": (b"faiss",),
    "cuda-samples": (b"helper_cu", b"helper_math", b"nvrtc_helper"),
    "samples-helper": (b"helper_", b"rendercheck"),
    "pycuda-header": (b"pycuda",),
    "cuda-sdk": (b"cutil", b"shr", b"sdkhelper"),
}
"""By rule: what is, in any case, in every file that shows the library."""
_INCLUDES = {rule: re.compile(f"(?:.*/)?(?:{paths})") for rule, (paths, _, _) in _LIBRARIES.items()}
_NAMES = {
    rule: re.compile(
        rb"(?<![\w.>])(?:"
        + rb"|".join(
            part
            for part in (rb"(?:" + spaces + rb")\s*::" if spaces else b"", names + rb"(?!\w)" if names else b"")
            if part
        )
        + rb")"
    )
    for rule, (_, spaces, names) in _LIBRARIES.items()
    if spaces or names
}


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first include of each library; without one, the first use of its namespace or names; else all such macros."""
    for rule, words in _WORDS.items():
        shown = _shown(parsed, rule) if any(parsed.lexed.holds(word, any_case=True) for word in words) else ()
        for span in shown:
            name = parsed.source.text(span).strip('<>"')
            use = parsed.named_use(name, span, "token")
            yield Hit(f"library/{rule}", use)


def _shown(parsed: ParsedFile, rule: str) -> list[Span]:
    """Where a file shows that it uses a library: in one place, or in the bodies of macros alone, one place in each.

    A rule of several libraries in folders of their own, as `raft/` and `rmm/` are, has one place for each.

    An include in quotes may be of the project's own header, which only all files together show: it comes before these.
    """
    includes = [
        one.span
        for one in parsed.includes
        if _INCLUDES[rule].fullmatch(one.path) and parsed.hip(one.span.start) is None
    ]
    sure = [span for span in includes if not parsed.source.text(span).startswith('"')]
    if sure:
        first: dict[str, Span] = {}
        for span in sure:
            first.setdefault(parsed.source.text(span).strip("<>").rpartition("/")[0].partition("/")[0], span)
        return list(first.values())
    used, macros = _used(parsed, rule)
    return [used] if used is not None else [*includes[:1], *macros]


def _used(parsed: ParsedFile, rule: str) -> tuple[Span | None, list[Span]]:
    """The first use of a library's namespace or names outside of macros, and one in the body of each macro."""
    if rule not in _NAMES:
        return None, []
    macros: dict[int, Span] = {}
    for match in parsed.lexed.on_lines(_NAMES[rule], *_WORDS[rule]):
        directive = parsed.lexed.directive_at(match.start())
        if parsed.hip(match.start()) is not None:
            continue
        if directive is None:
            return Span(*match.span()), []
        if directive.name == "define":
            macros.setdefault(directive.start, Span(*match.span()))
    return None, list(macros.values())
