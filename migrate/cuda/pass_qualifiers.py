"""Conditionals that do nothing but choose, by the pass of the compiler, how functions are qualified.

`#ifdef __CUDA_ARCH__`, `#define BOTH __device__`, `#else`, `#define BOTH`: what nvcc compiles so in each of its passes,
a compiler that reads both sides in every pass takes as `__host__ __device__`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.conditions import without_pass_tests
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.lazy_re import re

_CONDITION = re.compile(rb"[\s()]*!?[\s()]*defined[\s(]*__(?:CUDA_ARCH|CUDACC|NVCC)__[\s()]*")
"""A part of a condition that asks for nvcc or for its device pass."""
_QUALIFIERS = frozenset(b"__device__ __host__ __forceinline__ __noinline__ __inline__ inline static".split())
_DEFINED = re.compile(rb"\s*[A-Za-z_]\w*(?!\()(?P<body>.*)", re.DOTALL)


_TWINS = {
    "__CUDA_ARCH__": "__HIP_DEVICE_COMPILE__",
    "__CUDACC_RTC__": "__HIPCC_RTC__",
}
"""What HIP defines in the place of nvcc's macros, where it is not the compiler's own: the device pass, and HIPRTC."""


def twin_of(parsed: ParsedFile, name: str, start: int) -> str:
    """The macro that HIP defines where nvcc defines `name`, for a test in the directive at `start`.

    Where the test chooses qualifiers it is that of the compiler, in both passes, with qualifiers for both sides.
    """
    directive = parsed.lexed.directive_at(start)
    if name == "__CUDA_ARCH__" and directive is not None and directive.end in choosing(parsed):
        return "__HIPCC__"
    return _TWINS.get(name, "__HIPCC__")


def choosing(parsed: ParsedFile) -> frozenset[int]:
    """Where such conditionals begin."""
    return parsed.once(_choosing)


def _choosing(parsed: ParsedFile) -> frozenset[int]:
    chains: dict[int, list[Branch]] = {}
    for branch in parsed.branches:
        chains.setdefault(branch.chain, []).append(branch)
    return frozenset(chain for chain, parts in chains.items() if chain >= 0 and _is_choice(parsed, parts))


def _is_choice(parsed: ParsedFile, parts: list[Branch]) -> bool:
    """Whether all branches of a conditional define qualifiers alone, one for the device's pass, one for the other."""
    if len(parts) != 2 or not all(part.conditions for part in parts):
        return False
    condition = without_pass_tests(parts[0].conditions[-1], b"defined(__CUDA_ARCH__)")
    if parts[1].conditions[-1] != b"1" or b"__CUDA_ARCH__" not in condition:
        return False
    if not all(map(_CONDITION.fullmatch, condition.split(b"&&"))):
        return False
    bodies = [list(_bodies(parsed, part)) for part in parts]
    if any(body is None for found in bodies for body in found):
        return False
    device = [any(b"__device__" in (body or b"") for body in found) for found in bodies]
    return all(bodies) and sorted(device) == [False, True]


def _bodies(parsed: ParsedFile, branch: Branch) -> Iterator[bytes | None]:
    """What a branch defines; None for what is no qualifier, or no definition."""
    inner = [one for one in parsed.lexed.directives if branch.start <= one.start < branch.end]
    at = branch.start
    for directive in inner:
        found = _DEFINED.fullmatch(directive.argument(parsed.data)) if directive.name == "define" else None
        words = found["body"].split() if found is not None else [b"?"]
        yield b" ".join(words) if _QUALIFIERS.issuperset(words) and _is_blank(parsed, at, directive.start) else None
        at = directive.end
    if not _is_blank(parsed, at, branch.end):
        yield None


def _is_blank(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether there is no code between two offsets."""
    token = parsed.lexed.token(start)
    return token is None or token.start >= end
