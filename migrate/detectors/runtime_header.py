"""Files that rely on nvcc including the CUDA runtime by itself; hipcc includes no header unasked."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_RUNTIME = re.compile(r"(?:/.*/include/)?(?:cuda_runtime|cuda|hip/hip_runtime)\.h$")
"""A header that gives the runtime to hipcc, once converted: `cuda_runtime.h`, `cuda.h`, `hip/hip_runtime.h`."""
_API = re.compile(r"(?:/.*/include/)?(?:cuda_runtime_api|hip/hip_runtime_api)\.h$")
"""A header that gives the types and functions of the runtime alone, and nothing of the language: as converted,
`hip/hip_runtime_api.h`."""
_OF_API = re.compile(rb"cuda[A-Z]")
_NEEDS = re.compile(
    rb"\b(?:__(?:global|device|host|constant|shared|managed|launch_bounds|forceinline|noinline)__|threadIdx|blockIdx"
    rb"|blockDim|gridDim|cuda[A-Z]\w+)\b"
)
"""What the runtime's header declares: `__global__`, `threadIdx`, `cudaMalloc`; `cuda` needs a capital after it."""
_DEVICE = re.compile(
    rb"\b__(?:popc(?:ll)?|clz(?:ll)?|ffs(?:ll)?|brev(?:ll)?|byte_perm|ldg|u?mulhi|u?mul64hi|u?mul24|u?sad"
    rb"|(?:int|uint|float|double|longlong)_as_\w+|(?:float|double)2u?(?:int|ll)_r[nduz]|saturatef|fdividef|frsqrt_rn"
    rb"|[fd](?:add|sub|mul|div|rcp|sqrt|maf?)_r[nduz]|fmaf?_r[nduz]|(?:sin|cos|tan|exp|log|pow|log2|log10|exp10)f"
    rb"|syncthreads|threadfence(?:_block|_system)?)(?=\s*\()"
)
"""Calls of CUDA's functions for the device, which no compiler of the host has: `__popc(x)`, `__float_as_int(f)`."""
_KERNEL = re.compile(rb"\b__global__\b|<<<")
_FOR_CUDA = re.compile(rb"\b(?:__CUDACC__|__NVCC__)\b")
_FOR_EITHER = re.compile(rb"\b(?:__CUDACC__|__NVCC__|__CUDA_ARCH__)\b(?!\s*<)")
"""For device code too: `#ifdef __CUDA_ARCH__`; what is less than a number may not be there at all."""
_NEGATED = re.compile(rb"!\s*\(")
"""A negation of more than one name."""
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first word that needs the runtime header, in a `.cu` file or a header that does not include it.

    C and C++ sources get the runtime through a header they already include, unless they have kernels; one whose kernels
    are all behind `#ifdef __CUDACC__` is read by the host's compiler too, and gets it there. A word that only is behind
    `#ifdef __CUDACC__` needs the header there; behind another conditional it needs nothing: a build without CUDA may
    read that file too. Files that end in `.hip` are HIP's already, or compiled at run time.
    """
    path = parsed.source.path.lower()
    if path.endswith(".hip") or any(_RUNTIME.match(i.path) and not i.conditional for i in parsed.includes):
        return
    kernels = _kernels(parsed) if path.endswith(_SOURCES) else []
    for_both = path.endswith(_SOURCES) and all(parsed.conditional(start) is not None for start in kernels)
    if for_both and not any(_is_behind(parsed, start, _FOR_CUDA) for start in kernels):
        return
    own = {definition.name.encode() for definition in parsed.definitions}
    has_api = any(_API.match(i.path) and not i.conditional for i in parsed.includes)
    behind: Use | None = None
    for match in parsed.lexed.starting(_NEEDS, b"__", b"threadIdx", b"block", b"gridDim", b"cuda"):
        span = Span(match.start(), match.end())
        if match[0] in own or parsed.lexed.directive_at(span.start) is not None:
            continue
        if has_api and _OF_API.match(match[0]):
            continue
        use = parsed.named_use(match[0].decode(), span, "token")
        if parsed.conditional(span.start) is None and not for_both:
            yield Hit("build/implicit-runtime-header", use, {"name": use.name})
            return
        if behind is None and _is_behind(parsed, span.start, _FOR_CUDA):
            behind = use
    behind = behind or _called(parsed)
    if behind is not None and not any(_RUNTIME.match(include.path) for include in parsed.includes):
        yield Hit("build/conditional-runtime-header", behind, {"name": behind.name})


def _called(parsed: ParsedFile) -> Use | None:
    """The first call of a device function behind a condition for device code, or for a compiler of CUDA."""
    own = {definition.name.encode() for definition in parsed.definitions}
    for match in parsed.lexed.matches(_DEVICE, b"__"):
        span = Span(match.start(), match.end())
        if (
            match[0] not in own
            and parsed.lexed.directive_at(span.start) is None
            and _is_behind(parsed, span.start, _FOR_EITHER)
        ):
            return parsed.named_use(match[0].decode(), span, "token")
    return None


def _kernels(parsed: ParsedFile) -> list[int]:
    """Where kernels are declared and launched; behind `#ifdef __CUDACC__`, a compiler of CUDA alone reads them."""
    return [match.start() for match in parsed.lexed.matches(_KERNEL, b"__global__", b"<<<")]


def _directives(parsed: ParsedFile) -> dict[int, Directive]:
    """The directives by where they end, which is where a branch starts."""
    return {directive.end: directive for directive in parsed.lexed.directives}


def _is_behind(parsed: ParsedFile, offset: int, asked: re.Pattern[bytes]) -> bool:
    """Whether the branch around `offset` is for a compiler of CUDA, or what else the condition is `asked` for."""
    branch = parsed.conditional(offset)
    opening = parsed.once(_directives).get(branch.start) if branch is not None else None
    if opening is None or opening.name not in ("if", "ifdef", "elif"):
        return False
    return any(b"!" not in part and asked.search(part) for part in _needed(opening.argument(parsed.data)))


def _needed(condition: bytes) -> list[bytes]:
    """The parts of a condition that all have to hold: `!defined(OFF) && defined(__CUDACC__)`; else it as a whole."""
    plain = b"||" not in condition and _NEGATED.search(condition) is None
    return condition.split(b"&&") if plain else [condition]
