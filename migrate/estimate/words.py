"""The patterns that clues of files are found by; each is named by the word that it counts as."""

from __future__ import annotations

from cudamigrate.lazy_re import re

IMPORT = re.compile(
    rb"(?m)^[ \t]*(?:from[ \t]+(\.*[A-Za-z_][\w.]*)[ \t]+import[ \t(]*([\w, \t]*)|import[ \t]+([A-Za-z_][\w., \t]*))"
)
"""A Python import: the module and its members, or the modules."""

PYTHON_WORDS = {
    "triton-kernel": (rb"@triton\.jit\b", (b"@triton.jit",)),
    "numba-kernel": (rb"@cuda\.jit\b", (b"@cuda.jit",)),
    "raw-kernel": (
        rb"\b(?:RawKernel|RawModule|ElementwiseKernel|ReductionKernel|SourceModule)\s*\(",
        (b"RawKernel", b"RawModule", b"ElementwiseKernel", b"ReductionKernel", b"SourceModule"),
    ),
    "hip-code": (
        rb"\btorch\.version\.hip\b|\bis_rocm\w*\s*\(|\bis_hip\s*\(|\bIS_HIP_EXTENSION\b",
        (b"torch.version.hip", b"is_rocm", b"is_hip", b"IS_HIP_EXTENSION"),
    ),
    "hip-text": (
        rb"<hip/hip_\w+\.h>|\bhip(?:Stream_t|Error_t|LaunchKernelGGL|Malloc|Memcpy(?:Async)?|ModuleLoad)\b",
        (
            b"<hip/hip_",
            b"hipStream_t",
            b"hipError_t",
            b"hipLaunchKernelGGL",
            b"hipMalloc",
            b"hipMemcpy",
            b"hipModuleLoad",
        ),
    ),
    "training": (
        # A tensor's own call takes nothing or keywords. With other arguments it is the gradient of one operator, but a
        # library that scales a loss or sends it on takes that. A class called Trainer is no call.
        rb"\.backward\(\s*(?:\)|(?:gradient|retain_graph|create_graph|inputs)\s*=|[\w.]*loss\w*\s*[,)])"
        rb"|\boptimizer\.step\(|(?<!class )\bTrainer\(|\boptax\.",
        (b".backward(", b"optimizer.step(", b"Trainer(", b"optax."),
    ),
    "generation": (rb"\.generate\(|\bpast_key_values\b", (b".generate(", b"past_key_values")),
    "serving": (
        rb"\bkv_?cache\b|\bKVCache\b|\bSamplingParams\b",
        (b"kv_cache", b"kvcache", b"KVCache", b"SamplingParams"),
    ),
    "image": (
        rb"(?:from|import)[ \t]+diffusers\b|\bUNet2D\w*|\bStableDiffusion\w*|\bDDIM\w*Scheduler\b",
        (b"from diffusers", b"import diffusers", b"UNet2D", b"StableDiffusion", b"DDIM"),
    ),
    "embedded-extension": (
        rb"\bload_inline\s*\("
        rb"|\bcpp_extension(?:\.load\s*\(|[ \t]+as[ \t]|[ \t]+import[ \t(]+(?:\w+,[ \t]*){0,9}load\b)",
        (b"load_inline", b"cpp_extension"),
    ),
}
"""What Python code shows of itself: a pattern, and the literals of which one begins each match.

A decorator is at the beginning of its line, and a comment shows nothing. A call that generates text shows that somebody
reads it; a cache of keys and values, or parameters of sampling, show that many are served.
"""
OF_WORKLOADS = frozenset({"training", "generation", "serving", "image"})
"""Words that show what is computed: an example in a docstring shows what others may write."""
IN_STRINGS = re.compile(
    rb"(?m)^[ \t]*@[\w.]*\bcuda_global_function\b"
    rb"|\b__global__\s+(?:void|__launch_bounds__|static|inline)\b(?!\s*[\"']{1,3}\s*[,.)\]])"
)
"""A CUDA kernel that Python holds as text: one written out, or a method whose text a generator makes a kernel of.

A text that ends before the kernel's name and is an argument, as of `split` or `replace`, is only looked for in another.
"""
IN_STRINGS_GATES = (b"cuda_global_function", b"__global__")
"""One of them is in every such file."""
PYTHON_PATTERNS = {word: (re.compile(pattern), literals) for word, (pattern, literals) in PYTHON_WORDS.items()}

_TURNED_OFF = rb"(?i:\s+(?:OFF|FALSE|NO|0)\s*\)|=(?:OFF|FALSE|NO)\b)"
"""What turns off the word before it for good: `set(USE_ROCM OFF)`, `-DUSE_HIP=OFF`; a cached one is an option."""
_HIP_BUILD = (
    rb"torch\.version\.hip\b|\bROCM_HOME\b|\bIS_HIP_EXTENSION\b"
    rb"|\b(?:USE_ROCM|USE_HIP|BUILD_HIP|GGML_HIP)\b(?!" + _TURNED_OFF + rb")"
    rb"|\bis_rocm\w*|\bhipcc\b|\bROCM_PATH\b|\bhipify\b|\b__HIP_PLATFORM_AMD__\b|\bCUPY_INSTALL_USE_HIP\b|\buse_hip\b"
    rb"|(?i:\bfind_package\s*\(\s*hip\b|\benable_language\s*\(\s*HIP\b)"
)
BUILD_WORDS = (
    (
        "torch-extension",
        ("setup", "cmake"),
        re.compile(rb"\bCUDAExtension\b|\bcpp_extension\b|(?i:\bfind_package\s*\(\s*Torch\b)"),
    ),
    (
        "cuda-build",
        ("setup", "cmake", "make", "other"),
        re.compile(
            rb"(?i:\bnvcc\b|\bproject\s*\([^)]*\bCUDA\b|\benable_language\s*\(\s*CUDA\b|\bfind_package\s*\(\s*CUDA)"
            rb"|\bcuda_add_\w+\s*\(|\bcuda_library\s*\(|\bcu_library\b"
        ),
    ),
    ("hip-build", ("setup", "cmake", "make", "other"), re.compile(_HIP_BUILD)),
    ("tensorrt", ("cmake", "make"), re.compile(rb"\bnvinfer\b|\bnvonnxparser\b|\bTENSORRT_ROOT\b|\bTensorRT_ROOT\b")),
)
"""Words of build files: the kinds of file that they are looked for in, and what shows them."""

INSTALL = re.compile(rb"\b(?:pip3?|uv|conda|mamba|micromamba|poetry)\b[^\n]*[ \t](?:install|add)\b")
"""A command that installs packages, in an image or a script."""
INSTALL_GATES = (b"install", b"add")
"""One of them is in every such command."""
REQUIREMENT = {
    "requirements": re.compile(rb"^[ \t]*([A-Za-z][\w.-]*)"),
    "packages": re.compile(rb"(?:^[ \t]*-[ \t]+|[\"']|^[ \t]*)([A-Za-z][\w.-]*)(?=[\[<>=!~;@ \t\"',\r\n]|$)"),
    "python": re.compile(rb"[\"']([A-Za-z][\w.-]*)(?=[\[<>=!~;@ \"'])"),
    "image": re.compile(rb"(?:(?<=[ \t\"'])|^)([A-Za-z][\w.-]*)(?=[\[<>=!~; \t\"'\r\n\\]|$)"),
}
"""Where the names of packages are in a line, by the kind of file."""
