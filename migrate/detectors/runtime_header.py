"""Files that rely on nvcc including the CUDA runtime by itself; hipcc includes no header unasked."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_RUNTIME = re.compile(r"(?:/.*/include/)?(?:cuda_runtime|cuda|hip/hip_runtime)\.h$")
"""A header that gives the runtime to hipcc, once converted: `cuda_runtime.h`, `cuda.h`, `hip/hip_runtime.h`."""
_NEEDS = re.compile(
    rb"\b(?:__(?:global|device|host|constant|shared|managed|launch_bounds|forceinline|noinline)__|threadIdx|blockIdx"
    rb"|blockDim|gridDim|cuda[A-Z]\w+)\b"
)
"""What the runtime's header declares: `__global__`, `threadIdx`, `cudaMalloc`; `cuda` needs a capital after it."""
_KERNEL = re.compile(rb"\b__global__\b|<<<")
_FOR_CUDA = re.compile(rb"\b(?:__CUDACC__|__NVCC__)\b")
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first word that needs the runtime header, in a `.cu` file or a header that does not include it.

    C and C++ sources get the runtime through a header they already include, unless they have kernels. A word that only
    is behind `#ifdef __CUDACC__` needs the header there; behind another conditional it needs nothing: a build
    without CUDA may read that file too. Files that end in `.hip` are HIP's already, or compiled at run time.
    """
    path = parsed.source.path.lower()
    if path.endswith(".hip") or any(_RUNTIME.match(i.path) and not i.conditional for i in parsed.includes):
        return
    if path.endswith(_SOURCES) and not _has_kernels(parsed):
        return
    own = {definition.name.encode() for definition in parsed.definitions}
    behind: Use | None = None
    for match in parsed.lexed.starting(_NEEDS, b"__", b"threadIdx", b"block", b"gridDim", b"cuda"):
        span = Span(match.start(), match.end())
        if match[0] in own or parsed.lexed.directive_at(span.start) is not None:
            continue
        use = parsed.named_use(match[0].decode(), span, "token")
        if parsed.conditional(span.start) is None:
            yield Hit("build/implicit-runtime-header", use, {"name": use.name})
            return
        if behind is None and _is_for_cuda(parsed, span.start):
            behind = use
    if behind is not None and not any(_RUNTIME.match(include.path) for include in parsed.includes):
        yield Hit("build/conditional-runtime-header", behind, {"name": behind.name})


def _has_kernels(parsed: ParsedFile) -> bool:
    return any(parsed.conditional(m.start()) is None for m in parsed.lexed.matches(_KERNEL, b"__global__", b"<<<"))


def _directives(parsed: ParsedFile) -> dict[int, Directive]:
    """The directives by where they end, which is where a branch starts."""
    return {directive.end: directive for directive in parsed.lexed.directives}


def _is_for_cuda(parsed: ParsedFile, offset: int) -> bool:
    """Whether the branch around `offset` is for a compiler of CUDA."""
    branch = parsed.conditional(offset)
    opening = parsed.once(_directives).get(branch.start) if branch is not None else None
    if opening is None or opening.name not in ("if", "ifdef", "elif"):
        return False
    condition = opening.argument(parsed.data)
    return _FOR_CUDA.search(condition) is not None and b"!" not in condition
