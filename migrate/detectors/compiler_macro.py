"""Tests for nvcc's own macros that are never defined when HIP compiles the same file."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.branch_refusals import refuses
from cudamigrate.cuda.conditions import PassTest, pass_tests, question, value_with, without_pass_tests
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.macro_expansion import number_aliases
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.cuda.pass_qualifiers import twin_of
from cudamigrate.cuda.preprocessor import CONDITIONS, conditionals
from cudamigrate.cuda.same_branches import comes_to_the_same
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp import shift_corrections

WORDS = (b"__CUDACC_", b"__NVCC__", b"__CUDA_ARCH__")

_MACRO = re.compile(
    rb"\b(?:__CUDACC__|__NVCC__|__CUDA_ARCH__|__CUDACC_(?:RTC|EXTENDED_LAMBDA|RELAXED_CONSTEXPR)__)(?![\w])"
)
"""nvcc's macros that HIP never defines, by their full names: `__CUDACC__`, `__CUDA_ARCH__`, `__CUDACC_RTC__`."""
_PRESENCE = re.compile(rb"(?:defined[ \t]*\(?[ \t]*|#[ \t]*ifn?def[ \t]+|#[ \t]*elifn?def[ \t]+)\Z")
"""What precedes a macro that is asked for, up to its place: `defined(`, `#ifndef `, `#elifdef `."""
_BEFORE_TRUTH = re.compile(rb"(?:#[ \t]*(?:el)?if[ \t]*\(?|&&|\|\||!|[^\w\s][ \t]*\()[ \t]*\Z")
_BEHIND_TRUTH = re.compile(rb"[ \t]*(?:\Z|&&|\|\||\)|/[/*])")
"""What is around a macro that is a condition, or a part of one, by itself: `#if __CUDACC__ && !(__NVCC__)`."""
_VERSION = re.compile(rb"(?:__CUDA_ARCH__|__CUDACC_VER_\w+|CUDA_VERSION|CUDART_VERSION)(?!\w)")
"""A version, whose value a condition may ask for however it computes with it: `(__CUDA_ARCH__ / 10) >= 70`."""
_WORD = re.compile(rb"\w+")
_PARAMETER = re.compile(rb"(\w+)\s*(?:\[[^\]]*\]\s*)?[,)=]")
"""The name of a parameter, behind its type."""
_CLANG = b"__clang__"
_OF_HIP = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/|\bhip[A-Z]\w+")
"""What only HIP's side of a file has: its headers and the names of its runtime."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Presence tests in preprocessor conditions; `use.extent` covers the whole test, `defined(...)` or the name.

    A condition that already names a HIP macro was written for both. One that also asks for the value of an architecture
    or a version is about those: widening it would change which branch AMD compiles. One that gives a macro the value
    which the compiler did not give it is right as it is. A branch beside one for HIP in its chain is CUDA's alone, and
    so is one whose other side, for compilers that are not nvcc, is HIP's, or for GPUs alone.

    A test that has the same code on both sides decides nothing. One that refuses releases of CUDA, where a condition
    before it lets newer ones through, would refuse HIP, which has none of these numbers.
    """
    beside_hip = _beside_hip(parsed) | _against_hip(parsed) | _alike(parsed) | _refusing_releases(parsed)
    aliases = _with_aliases(parsed)
    yield from (_aliased(parsed, start, alias) for start, alias in aliases.items())
    for directive in parsed.lexed.directives:
        if directive.name not in CONDITIONS or directive.end in beside_hip or directive.start in aliases:
            continue
        text = parsed.data[directive.start : directive.end]
        if names_hip(text, parsed.unset) or _is_false_for_clang(parsed, directive):
            continue
        if b"__CUDA_ARCH__" in text and (shift := shift_corrections.corrected(parsed, directive)):
            yield _kept(parsed, directive, shift)
            continue
        if directive.name in ("if", "elif"):
            asked = parsed.data[directive.rest : directive.end]
            text = parsed.data[directive.start : directive.rest] + without_pass_tests(asked)
            if not _asks_for_version(text) and not _gives(parsed, directive, b"__CUDA_ARCH__"):
                yield from (_hit(parsed, directive.rest, one) for one in pass_tests(asked) if one.bare)
        for match in _MACRO.finditer(text):
            before = _PRESENCE.search(text[: match.start()])
            at = directive.start + match.start()
            truth = before is None and _is_truth(text, match.start(), match.end())
            if (before is None and not truth) or not parsed.lexed.is_code(at):
                continue
            if _asks_for_version(text) or _gives(parsed, directive, match[0]):
                continue
            span, name = Span(at, directive.start + match.end()), match[0].decode()
            extent = span if before is None else _test(parsed, directive.start + before.start(), span)
            use = Use("name", name, span, extent, (), "macro", "token")
            yield Hit("build/cuda-compiler-macro", use, {"name": name, "twin": twin_of(parsed, name, at)})


def _is_false_for_clang(parsed: ParsedFile, directive: Directive) -> bool:
    """Whether a condition is false for clang, which hipcc is, whatever nvcc's macros are: `!defined(__clang__)`."""
    asked = directive.argument(parsed.data)
    if directive.name not in ("if", "elif") or b"__clang__" not in asked:
        return False
    macros = sorted(set(_MACRO.findall(asked)))
    sides = (frozenset((_CLANG, *macros)), frozenset((_CLANG, *(b"!" + one for one in macros))))
    return all(value_with(asked, side, True) is False for side in sides)


def _kept(parsed: ParsedFile, directive: Directive, shift: str) -> Hit:
    """The hit for a test that AMD needs as it is: the branch for the host corrects a shift for it, too."""
    at = parsed.data.index(b"__CUDA_ARCH__", directive.start)
    span = Span(at, at + len(b"__CUDA_ARCH__"))
    use = Use("name", "__CUDA_ARCH__", span, span, (), "macro", "token")
    return Hit("build/shift-correction", use, {"name": use.name, "shift": shift})


def _with_aliases(parsed: ParsedFile) -> Mapping[int, str]:
    """The tests in whose branches a macro gets the number of a GPU, by where they begin, with its name."""
    known = number_aliases(parsed) if b"__CUDA_ARCH__" in parsed.data else {}
    found, before = dict[int, str](), None
    for one in parsed.lexed.directives if known else ():
        name = one.argument(parsed.data).split()[:1] if one.name == "define" else []
        if before is not None and name and known.get(name[0]) == b"__CUDA_ARCH__" and before.name in CONDITIONS:
            found.setdefault(before.start, name[0].decode("utf-8", "replace"))
        before = one
    return found


def _aliased(parsed: ParsedFile, start: int, alias: str) -> Hit:
    """The hit for a test that gives a macro the number of a GPU: widened, it would give it a name without a value."""
    at = parsed.data.index(b"__CUDA_ARCH__", start)
    span = Span(at, at + len(b"__CUDA_ARCH__"))
    use = Use("name", "__CUDA_ARCH__", span, span, (), "macro", "token")
    return Hit("build/arch-alias", use, {"name": use.name, "alias": alias})


def _beside_hip(parsed: ParsedFile) -> frozenset[int]:
    """Where the branches begin that HIP never compiles, of chains that ask for HIP in another branch."""
    chains = {one.chain for one in parsed.branches if one.conditions and names_hip(one.conditions[-1], parsed.unset)}
    return frozenset(one.start for one in parsed.branches if one.hip is False and one.chain in chains)


def _against_hip(parsed: ParsedFile) -> frozenset[int]:
    """Where tests end whose other branch, which is compiled where nvcc's macros are not defined, speaks to HIP."""
    if not parsed.lexed.holds(b"hip") and not parsed.lexed.holds(b"__CUDA_ARCH__"):
        return frozenset()
    found = set[int]()
    for first, *rest in conditionals(parsed.lexed.directives):
        asked, middle = first.argument(parsed.data), rest[0]
        if _MACRO.search(asked) is None or len(rest) > 2 or (len(rest) == 2 and middle.name != "else"):
            continue
        holds = question(asked).undefined if first.name == "if" else first.name == "ifndef"
        if holds is None:
            continue
        begin, end = (first.end, middle.start) if holds else (middle.end, rest[-1].start)
        of_hip = _OF_HIP.search(parsed.data, begin, max(begin, end)) is not None
        if of_hip or (len(rest) == 2 and _is_for_devices(parsed, Span(first.end, middle.start), middle, rest[-1])):
            found.add(first.end)
    return frozenset(found)


def _refusing_releases(parsed: ParsedFile) -> frozenset[int]:
    """Where tests end whose branch only stops, and that are reached where a condition on a release does not hold.

    `#if CUDART_VERSION >= 11000`, `#elif defined(__CUDACC__)`, `#error`; so is such a test inside of the `#else`.
    """
    if not parsed.lexed.holds(b"error"):
        return frozenset()
    found, others = set[int](), list[Span]()
    for chain in reversed([*conditionals(parsed.lexed.directives)]):  # the outer ones first
        behind = any(one.start < chain[0].start < one.end for one in others)
        for one, following in itertools.pairwise(chain):
            asked = parsed.data[one.start : one.end]
            if behind and _MACRO.search(asked) is not None and refuses(parsed.lexed, Span(one.end, following.start)):
                found.add(one.end)
            if behind and one.name == "else" and one.start > chain[0].start:
                others.append(Span(one.end, following.start))
            behind = behind or _asks_for_version(asked)
    return frozenset(found)


def _alike(parsed: ParsedFile) -> frozenset[int]:
    """Where tests end of which both branches come to the same code."""
    found = set[int]()
    for first, *rest in conditionals(parsed.lexed.directives):
        if len(rest) == 2 and rest[0].name == "else" and _MACRO.search(first.argument(parsed.data)) is not None:
            body, other = Span(first.end, rest[0].start), Span(rest[0].end, rest[1].start)
            if comes_to_the_same(parsed.lexed, body, other):
                found.add(first.end)
    return frozenset(found)


def _is_for_devices(parsed: ParsedFile, body: Span, middle: Directive, last: Directive) -> bool:
    """Whether both branches of a conditional define a function for GPUs alone, by one name.

    nvcc compiles one of them for the host, where such a function does nothing: what works with its parameters there is
    another compiler's.
    """
    devices = parsed.once(_for_devices)
    names = {one.name for one in _within(devices, body.start, body.end)}
    return any(one.name in names and _works(parsed, one) for one in _within(devices, middle.end, last.start))


def _for_devices(parsed: ParsedFile) -> list[Function]:
    """The functions that are for GPUs alone."""
    heads = ((one, parsed.data[one.span.start : one.body.start]) for one in parsed.functions if one.name)
    return [one for one, head in heads if b"__device__" in head and b"__host__" not in head]


def _within(functions: Sequence[Function], start: int, end: int) -> Sequence[Function]:
    """Those that begin within a range; they are in order."""
    first, behind = (bisect_left(functions, at, key=lambda one: one.span.start) for at in (start, end))
    return functions[first:behind]


def _works(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function names one of its parameters."""
    head = parsed.data[function.span.start : function.body.start].partition(b"(")[2]
    named = set(_PARAMETER.findall(head))
    return not named.isdisjoint(_WORD.findall(parsed.data, function.body.start, function.body.end))


def _gives(parsed: ParsedFile, directive: Directive, name: bytes) -> bool:
    """Whether the branch of a directive defines the macro that it asks for: `#ifndef X`, `#define X 0`."""
    at = bisect_right(parsed.lexed.directives, directive.start, key=lambda one: one.start)
    for inner in itertools.islice(parsed.lexed.directives, at, None):
        if inner.name != "define":
            return False
        if _WORD.findall(inner.argument(parsed.data))[:1] == [name]:
            return True
    return False


def _hit(parsed: ParsedFile, start: int, test: PassTest) -> Hit:
    """The hit for a test of the macro's value in the condition that begins at `start`."""
    span, name = Span(start + test.start, start + test.end), "__CUDA_ARCH__"
    use = Use("name", name, span, span, (), "macro", "token")
    return Hit("build/cuda-compiler-macro", use, {"name": name, "twin": twin_of(parsed, name, span.start)})


def _is_truth(text: bytes, start: int, end: int) -> bool:
    """Whether a macro is asked for its truth: nvcc gives `__CUDACC__` the value 1, and what nobody defines is 0."""
    return _BEFORE_TRUTH.search(text, 0, start) is not None and _BEHIND_TRUTH.match(text, end) is not None


def _asks_for_version(text: bytes) -> bool:
    """Whether a condition names a version elsewhere than in a test for its presence."""
    return any(_PRESENCE.search(text[: match.start()]) is None for match in _VERSION.finditer(text))


def _test(parsed: ParsedFile, start: int, name: Span) -> Span:
    """The range of `defined(NAME)`, or of the whole directive for `#ifdef NAME`."""
    closing = re.compile(rb"[ \t]*\)").match(parsed.data, name.end)
    opened = b"(" in parsed.data[start : name.start]
    return Span(start, closing.end() if opened and closing is not None else name.end)
