"""Conditions that choose between warp functions by the CUDA version or the architecture, neither of which HIP defines.

Finds the `#if` directives that do nothing else and whose warp-level code is all converted. HIP must take the branch for
CUDA 9, or for the newer architectures.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.conditions import at_version, question
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import condition_of
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.warp import logical_warp_edits
from cudamigrate.warp.lane_code import LEGACY, NAMES, facts, has_lane_words

_MACROS = (b"CUDA_VERSION", b"CUDART_VERSION", b"__CUDACC_VER_MAJOR__", b"__CUDA_ARCH__")
_NEWEST = {b"__CUDACC_VER_MAJOR__": 9, b"__CUDA_ARCH__": 900}
"""The last version that a test may ask for, 9009 elsewhere; a later one asks for something else besides."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_OTHER = re.compile(
    rb"\basm\b|\bnvcuda\b|\bwmma\b|__pipeline|(?<!\w::)\bcuda::|cp_async|\bcute?\b|\bcutlass\b|__CUDA_ARCH__|\bcg::"
    rb"|[cC]luster|mbarrier|griddep|GridDep|ldmatrix|\bmma|_mma\b|\btma_|\bcudaLaunch"
)
"""What else a guard may be for, so that it is not only about masks: `asm`, `nvcuda`, `cp_async`, `cluster`.

libcu++ is `cuda::` by itself: what Thrust and others have in a `cuda` of their own is older.
"""
_WARPS = re.compile(
    rb"__(?:shfl|ballot|any|all|activemask|syncwarp|match|reduce)|mma\.h|[wW]arp|WARP|cooperative_groups"
)
"""What a text has to do with warps, in a name of any kind."""
_OLD, _OLD_WITHOUT_LANES = 8, 9
"""The last releases that a test may ask for: of any code, and of code that has nothing to do with warps."""
_MEANING = re.compile(rb"#[ \t]*define[ \t]+(\w+)\([^)]*\)[^\n]*_sync\b")
"""A macro with parameters that calls a warp function with a mask: `#define __any(p) __any_sync(~0u, p)`."""
_ASKS = ("if", "ifdef", "ifndef")


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition: where it is, whether it asks for an architecture, and whether it holds for what is old."""

    condition: Span
    arch: bool
    old: bool


def gates(parsed: ParsedFile) -> dict[int, Gate]:
    """The conditions of a file by the start of their directive, worked out once."""
    return parsed.once(_all_gates)


def _all_gates(parsed: ParsedFile) -> dict[int, Gate]:
    return dict(_gates(parsed))


def is_left_out(parsed: ParsedFile, offset: int) -> bool:
    """Whether code is in the branch of such a condition that HIP does not compile once the condition is converted."""
    return any(one.start <= offset < one.end for one in parsed.once(_left_out))


def _left_out(parsed: ParsedFile) -> tuple[Span, ...]:
    return tuple(_unused(parsed)) if gates(parsed) else ()


def _unused(parsed: ParsedFile) -> Iterator[Span]:
    """What is for old releases or architectures alone: the first branch where the condition asks for old ones."""
    for number, directive in enumerate(parsed.lexed.directives):
        gate = gates(parsed).get(directive.start)
        inside = list(_between(parsed.lexed.directives, number)) if gate is not None else []
        depth, middle = 0, None
        for one in inside:
            depth += (one.name in _ASKS) - (one.name == "endif")
            middle = one if one.name == "else" and depth == 0 else middle
        if gate is not None and gate.old and inside:
            yield Span(directive.end, (middle or inside[-1]).start)
        elif gate is not None and middle is not None:
            yield Span(middle.end, inside[-1].start)


def _gates(parsed: ParsedFile) -> Iterator[tuple[int, Gate]]:
    if not any(word in parsed.data for word in _MACROS) or not has_lane_words(parsed) or facts(parsed).native:
        return
    for number, directive in enumerate(parsed.lexed.directives):
        macro, old = _asked(parsed, directive)
        if macro is None or not _is_past(parsed, directive, _NEWEST.get(macro, 9009)):
            continue
        arch = macro == b"__CUDA_ARCH__"
        if _guards_lane_code(parsed, number, arch, old):
            yield directive.start, Gate(condition_of(parsed.data, directive), arch, old)


def _asked(parsed: ParsedFile, directive: Directive) -> tuple[bytes | None, bool]:
    """The macro whose number is all that an `#if` asks for, and whether the condition holds where it is not defined.

    No macro where that does not matter, because the newest takes the same branch, or where any number at all answers.
    """
    condition = directive.argument(parsed.data) if directive.name == "if" else b""
    if not any(word in condition for word in _MACROS):
        return None, False
    whole = expanded(condition, macros(parsed))
    asked = question(whole)
    if asked.undefined is None or asked.newest is not (not asked.undefined) or len(asked.macros) != 1:
        return None, False
    alone = {*_WORD.findall(whole)} <= {b"defined", *asked.macros}
    if not alone or asked.macros[0] not in _MACROS or at_version(whole, 1) is not asked.undefined:
        return None, False
    return asked.macros[0], asked.undefined


def _is_past(parsed: ParsedFile, directive: Directive, number: int) -> bool:
    """Whether a version takes the branch of an `#if` that the newest takes."""
    whole = expanded(directive.argument(parsed.data), macros(parsed))
    return at_version(whole, number) is question(whole).newest


def _guards_lane_code(parsed: ParsedFile, number: int, arch: bool, old: bool) -> bool:
    """Whether the branches of a conditional hold warp-level code with a mask, all of it converted, and no includes.

    The branch of an architecture is for that alone which HIP compiles too: no PTX, and no library of CUDA's.
    """
    inside = list(_between(parsed.lexed.directives, number))
    if not inside or any(directive.name in ("include", "elif", "elifdef", "elifndef") for directive in inside):
        return False
    lanes, first, last = facts(parsed), parsed.lexed.directives[number].end, inside[-1].start
    masked = False
    for use in parsed.uses:
        if use.name not in NAMES or not first <= use.span.start < last:
            continue
        unit = lanes.unit(use.span.start)
        if unit is None or logical_warp_edits.reason(lanes, unit):
            return False
        masked |= use.name not in LEGACY
    return masked and (not arch or _is_for_hip(parsed, inside, first, old))


def _is_for_hip(parsed: ParsedFile, inside: list[Directive], first: int, old: bool) -> bool:
    """Whether the branch for newer architectures is there and calls warp functions with masks, nothing else of CUDA."""
    if any(directive.name in _ASKS for directive in inside):
        return False
    middle = next((directive for directive in inside if directive.name == "else"), None)
    if old and middle is None:
        return False
    start = middle.end if old and middle is not None else first
    end = inside[-1].start if old or middle is None else middle.start
    masked = any(start <= use.span.start < end and use.name in NAMES and use.name not in LEGACY for use in parsed.uses)
    return masked and not any(
        start <= match.start() < end for match in parsed.lexed.matches(_OTHER) if match.start() < end
    )


def macros_for_hip(parsed: ParsedFile) -> frozenset[str]:
    """The short names of warp functions that a file gives a meaning of its own where a gate lets HIP in.

    `#if CUDART_VERSION >= 9000` with `#define __shfl(v, l) __shfl_sync(~0u, v, l)`: what is called is the macro.
    """
    found, directives = set[str](), parsed.lexed.directives
    for number, one in enumerate(directives):
        gate = gates(parsed).get(one.start)
        inside = list(_between(directives, number)) if gate is not None and not gate.old else []
        first = next((at for at, inner in enumerate(inside) if inner.name in ("else", "endif")), len(inside))
        for define in (inner for inner in inside[:first] if inner.name == "define"):
            match = _MEANING.match(parsed.data, define.start, define.end)
            if match is not None and match[1].decode() in LEGACY:
                found.add(match[1].decode())
    return frozenset(found)


def old_tests(parsed: ParsedFile) -> dict[int, bytes]:
    """The conditions that test for an old release of CUDA, and decide nothing of warps: their macros by the directive.

    HIP, which defines no release, must take the branch that today's CUDA takes. A file that defines the macro itself
    has an answer, and so has a conditional with a branch for AMD. A release counts as old up to 8, of 2016, when HIP
    began: it has what those brought; up to 9 where no branch holds anything that came with 9 and that HIP may lack.
    """
    return parsed.once(_all_old_tests)


def _all_old_tests(parsed: ParsedFile) -> dict[int, bytes]:
    return dict(_old_tests(parsed))


def _old_tests(parsed: ParsedFile) -> Iterator[tuple[int, bytes]]:
    if not any(word in parsed.data for word in _MACROS[:3]):
        return
    own, beside_hip = {definition.name for definition in parsed.definitions}, _beside_hip(parsed)
    for number, directive in enumerate(parsed.lexed.directives):
        macro, _ = _asked(parsed, directive)
        if macro is None or macro == b"__CUDA_ARCH__" or _is_empty(parsed, number):
            continue
        unit = 1 if macro == b"__CUDACC_VER_MAJOR__" else 1000
        if not _is_past(parsed, directive, _OLD * unit) and (
            not _is_past(parsed, directive, _OLD_WITHOUT_LANES * unit) or _is_of_nine(parsed, number)
        ):
            continue
        answered = macro.decode() in own or directive.end in beside_hip
        if not answered and directive.start not in gates(parsed) and parsed.hip(directive.start) is None:
            yield directive.start, macro


def _is_empty(parsed: ParsedFile, number: int) -> bool:
    """Whether a conditional has nothing in any branch, so that it does not matter which is taken."""
    inside = list(_between(parsed.lexed.directives, number))
    first, last = parsed.lexed.directives[number].end, inside[-1].start if inside else len(parsed.data)
    return not any(one.name not in ("else", "endif") for one in inside) and not any(parsed.lexed.tokens(first, last))


def _is_of_nine(parsed: ParsedFile, number: int) -> bool:
    """Whether a branch of a conditional has to do with warps, or with what CUDA has since 9 and HIP may not have."""
    first = parsed.lexed.directives[number].end
    last = max((one.start for one in _between(parsed.lexed.directives, number)), default=len(parsed.data))
    if any(use.name in NAMES and first <= use.span.start < last for use in parsed.uses):
        return True
    return _OTHER.search(parsed.data, first, last) is not None or _WARPS.search(parsed.data, first, last) is not None


def _beside_hip(parsed: ParsedFile) -> frozenset[int]:
    """Where the branches begin of conditionals that ask for HIP or ROCm in another branch."""
    asked = [one for one in parsed.branches if one.conditions]
    chains = {one.chain for one in asked if names_hip(one.conditions[-1], parsed.unset)}
    return frozenset(one.start for one in asked if one.chain in chains)


def _between(directives: list[Directive], number: int) -> Iterator[Directive]:
    """The directives after a conditional's first one, up to its `#endif` and that included."""
    depth = 1
    for directive in directives[number + 1 :]:
        depth += directive.name in _ASKS
        depth -= directive.name == "endif"
        yield directive
        if depth == 0:
            return
