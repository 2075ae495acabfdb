"""Types of 16 bits whose header came by way of another header of CUDA's, whose equivalent does not bring it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"bfloat16", b"half")

_BOTH = r"(?:cublas_v2|cublas|cublas_api|cublasLt|cublasXt|mma|cuda_fp8)\.h|cub/.+"
_BRINGS = {
    "hip/hip_bf16.h": re.compile(_BOTH),
    "hip/hip_fp16.h": re.compile(_BOTH + r"|cuda_bf16\.hp?p?"),
}
"""Headers of CUDA's that include `cuda_bf16.h` or `cuda_fp16.h`: the whole path, as a longer one is another header."""
_TYPES = {
    "hip/hip_bf16.h": re.compile(
        rb"(?<![\w.:])(?:__nv_bfloat16[2]?|nv_bfloat16[2]?|__float2bfloat16\w*|__bfloat162float)(?!\w)"
    ),
    "hip/hip_fp16.h": re.compile(
        rb"(?<![\w.:])(?:__half2?|half2|__float2half\w*|__half2float|__half22float2)(?!\w)"
        rb"|(?<![\w.:])half(?=\s+[A-Za-z_]\w*\s*[;,=)(\[{])|(?<=<)half(?=\s*[>,])"
    ),
}
"""Their names; `half`, an English word, where it is before a name that it declares, or a template's argument."""
_WORDS = {"hip/hip_bf16.h": (b"bfloat16",), "hip/hip_fp16.h": (b"half",)}
_HAS = {
    "hip/hip_bf16.h": re.compile(r"(?:cuda_bf16\.hp?p?|hip/hip_bf16\.h|hip/hip_bfloat16\.h|cuda_bf16\.h)$"),
    "hip/hip_fp16.h": re.compile(r"(?:cuda_fp16\.hp?p?|hip/hip_fp16\.h)$"),
}


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first use of each type in a file that includes a header which brings it, and not the type's own."""
    for header, pattern in _TYPES.items():
        brings = _BRINGS[header]
        provider = next((i.path for i in parsed.includes if brings.fullmatch(i.path) and not i.conditional), "")
        if not provider or any(_HAS[header].search(include.path) for include in parsed.includes):
            continue
        for match in parsed.lexed.matches(pattern, *_WORDS[header]):
            directive = parsed.lexed.directive_at(match.start())
            if (directive is not None and directive.name != "define") or parsed.hip(match.start()) is not None:
                continue
            span = Span(*match.span())
            use = parsed.named_use(header, span, "token")
            yield Hit(
                "build/number-type-header", use, {"name": match[0].decode(), "header": header, "brought": provider}
            )
            break
