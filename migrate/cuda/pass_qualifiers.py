"""Conditionals that choose, by the pass of the compiler, how functions are qualified, alone or beside other things.

`#ifdef __CUDA_ARCH__`, `#define BOTH __device__`, `#else`, `#define BOTH`: what nvcc compiles so in each of its passes,
a compiler that reads both sides in every pass takes as `__host__ __device__`. That holds for functions alone: a
variable for the device is another one than the host's, and what qualifies variables has to follow the pass.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator

from cudamigrate.cuda.conditions import without_pass_tests
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.cuda.qualified_declarations import Kind, kinds
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

_CONDITION = re.compile(rb"[\s()]*!?[\s()]*defined[\s(]*__(?:CUDA_ARCH|CUDACC|NVCC)__[\s()]*")
"""A part of a condition that asks for nvcc or for its device pass."""
_QUALIFIERS = frozenset(b"__device__ __host__ __forceinline__ __noinline__ __inline__ inline static".split())
_DEFINED = re.compile(rb"\s*(?P<name>[A-Za-z_]\w*)(?!\()(?P<body>.*)", re.DOTALL)
_SIDES = (b"__host__", b"__device__")


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


def qualifies(parsed: ParsedFile, macro: bytes) -> frozenset[Kind]:
    """What a macro qualifies in its file, worked out once."""
    known = parsed.once(_qualified)
    if macro not in known:
        known[macro] = kinds(parsed.lexed, macro)
    return known[macro]


def _qualified(parsed: ParsedFile) -> dict[bytes, frozenset[Kind]]:
    """Where what the macros of a file qualify is kept."""
    return {}


def choosing(parsed: ParsedFile) -> frozenset[int]:
    """Where such conditionals begin."""
    return parsed.once(_choosing)


def _choosing(parsed: ParsedFile) -> frozenset[int]:
    return frozenset(chain for chain, parts in _chains(parsed).items() if _is_choice(parsed, parts))


def _chains(parsed: ParsedFile) -> dict[int, list[Branch]]:
    chains: dict[int, list[Branch]] = {}
    for branch in parsed.branches:
        if branch.chain >= 0:
            chains.setdefault(branch.chain, []).append(branch)
    return chains


@dataclass(frozen=True, slots=True)
class OneSided:
    """A macro that qualifies for the device in its pass, in a conditional that holds more than qualifiers.

    `device` defines it there, `host` in the other pass, None where nothing does; `start` is where the host's branch
    begins, `end` where the conditional ends that has no such branch, else -1. `value` is what it has to be for clang.
    """

    name: bytes
    device: Directive
    host: Directive | None
    start: int
    end: int
    value: bytes


def one_sided(parsed: ParsedFile) -> tuple[OneSided, ...]:
    """Such macros of a file, worked out once.

    One that the other pass does not define has to be expected from elsewhere: by `#ifndef` around its definition, or
    by another definition in the file. Else its uses are in the device's pass alone.
    """
    return parsed.once(_one_sided)


def _one_sided(parsed: ParsedFile) -> tuple[OneSided, ...]:
    return tuple(one for chain, parts in _chains(parsed).items() for one in _of_chain(parsed, chain, parts))


def _of_chain(parsed: ParsedFile, chain: int, parts: list[Branch]) -> Iterator[OneSided]:
    sides = _sides(parts)
    if sides is None or chain in choosing(parsed):
        return
    device, host = sides
    others = _qualifying(parsed, host) if host is not None else {}
    for name, (directive, words) in _qualifying(parsed, device).items():
        beside, own = others.get(name, (None, None))
        if b"__device__" not in words or (own is not None and b"__device__" in own):
            continue
        if "variable" in qualifies(parsed, name):
            continue
        if host is not None and beside is None and name in _defines(parsed, _inside(parsed, host)):
            continue
        guarded = parsed.conditional(directive.start) != device
        if beside is None and not guarded and parsed.once(_defined)[name] < 2:
            continue
        rest = [word for word in (words if own is None else own) if word not in _SIDES]
        start, end = (host.start, -1) if host is not None else (-1, device.end)
        yield OneSided(name, directive, beside, start, end, b" ".join([*_SIDES, *rest]))


def _sides(parts: list[Branch]) -> tuple[Branch, Branch | None] | None:
    """The branches of a conditional for the device's pass and for the other, where it asks for nothing but the pass."""
    if len(parts) > 2 or not all(part.conditions for part in parts) or (parts[1:] and parts[1].conditions[-1] != b"1"):
        return None
    condition = without_pass_tests(parts[0].conditions[-1], b"defined(__CUDA_ARCH__)")
    asked = condition.split(b"&&")
    if b"__CUDA_ARCH__" not in condition or not all(map(_CONDITION.fullmatch, asked)):
        return None
    negated = b"!" in condition
    if negated and (len(asked) > 1 or len(parts) == 1):
        return None
    return (parts[1], parts[0]) if negated else (parts[0], parts[1] if parts[1:] else None)


def _definition(parsed: ParsedFile, directive: Directive) -> tuple[bytes, list[bytes]] | None:
    """The name of a macro without parameters, and the words of its body."""
    found = _DEFINED.fullmatch(directive.argument(parsed.data)) if directive.name == "define" else None
    return (found["name"], found["body"].split()) if found is not None else None


def _qualifying(parsed: ParsedFile, branch: Branch) -> dict[bytes, tuple[Directive, list[bytes]]]:
    """The macros that a branch defines as qualifiers, maybe only where they are not defined yet."""
    found = {}
    for directive in _inside(parsed, branch):
        made = _definition(parsed, directive)
        if made is None or not _QUALIFIERS.issuperset(made[1]):
            continue
        inner = [one for one in parsed.branches_around(directive.start) if one.start > branch.start]
        guard = b"!defined(" + made[0] + b")"
        if all(b"".join(one.conditions[-1].split()) == guard for one in inner):
            found[made[0]] = directive, made[1]
    return found


def _defines(parsed: ParsedFile, directives: Iterable[Directive]) -> Iterator[bytes]:
    """The names of the macros that directives define, with parameters or without."""
    for directive in directives:
        words = directive.argument(parsed.data).split() if directive.name == "define" else []
        yield from (word.partition(b"(")[0] for word in words[:1])


def _defined(parsed: ParsedFile) -> Counter[bytes]:
    """How often a file defines each macro."""
    return Counter(_defines(parsed, parsed.lexed.directives))


def _inside(parsed: ParsedFile, branch: Branch) -> list[Directive]:
    """The directives in a branch."""
    first, last = (bisect_left(parsed.lexed.directives, at, key=_start) for at in (branch.start, branch.end))
    return parsed.lexed.directives[first:last]


def _start(directive: Directive) -> int:
    return directive.start


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
    names = {name for part in parts for name in _defines(parsed, _inside(parsed, part))}
    of_variables = any("variable" in qualifies(parsed, name) for name in names)
    return all(bodies) and sorted(device) == [False, True] and not of_variables


def _bodies(parsed: ParsedFile, branch: Branch) -> Iterator[bytes | None]:
    """What a branch defines; None for what is no qualifier, or no definition."""
    at = branch.start
    for directive in _inside(parsed, branch):
        _, words = _definition(parsed, directive) or (b"", [b"?"])
        yield b" ".join(words) if _QUALIFIERS.issuperset(words) and _is_blank(parsed, at, directive.start) else None
        at = directive.end
    if not _is_blank(parsed, at, branch.end):
        yield None


def _is_blank(parsed: ParsedFile, start: int, end: int) -> bool:
    """Whether there is no code between two offsets."""
    token = parsed.lexed.token(start)
    return token is None or token.start >= end
