"""Makefiles as GNU make reads them: logical lines, assignments, recipes, calls, and words of options.

Nothing is expanded or run. Places are byte offsets of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import utf8
from cudamigrate.syntax.compiler_options import Word
from cudamigrate.syntax.compiler_options import words as option_words

Kind = Literal["assignment", "recipe", "include", "conditional", "rule", "other"]

_LINE = re.compile(rb"(?:[^\n\\]|\\.|\\\r?\n|\\\Z)*", re.DOTALL)
"""One logical line: an escaped line break belongs to it, also with a carriage return, or where the file ends."""
_COMMENT = re.compile(rb"(?<![\\$])#")
_DIRECTIVE = re.compile(rb"[ \t]*(?:else\b[ \t]*)?(ifeq|ifneq|ifdef|ifndef|else|endif)\b")
"""A condition: `ifeq`, `endif`, or one on the line of the other, `else ifdef`."""
_INCLUDE = re.compile(rb"[ \t]*(?:-|s)?include[ \t]+")
_DEFINE = re.compile(rb"[ \t]*(?:(?:export|override)[ \t]+)*define[ \t]+([\w.-]+)")
"""The beginning of a variable of several lines: `override define NAME`."""
_ENDEF = re.compile(rb"[ \t]*endef\b")
_ASSIGNED = re.compile(
    rb"[ \t]*(?:[^\t:=#$\s][^:=#\n]*::?[ \t]*)?(?:(?:export|override|private)[ \t]+)*"
    rb"([\w.-]+)[ \t]*((?:::?:?|[?+!])?=)[ \t]*"
)
"""`NAME := `, also `export NAME ?= ` and with a target first, `all: NAME += `; no tab before a target (a recipe)."""
_EXPANDED = rb"\$\((?:[^()\n]|\([^()\n]*\))*\)|\$\{[^{}\n]*\}"
"""What make puts something in the place of: a colon in it, as in `$(info found: $(CC))`, makes no rule."""
_RULE = re.compile(rb"[ ]*(?![\s:=#])(?:" + _EXPANDED + rb"|[^=#\n:$]|\$(?![({]))+:(?![=:]*=)")
TARGETS = re.compile(rb"(?:\$[({][^)}]*[)}]|\$[^({]|[^:$])+?:(?P<double>:?)")
"""The targets of a rule with the colon behind them; the name of a variable may be one letter, `$V/libx.so:`."""
_FUNCTION = re.compile(rb"([a-z][a-z-]*)[ \t]+")
_ONE = "strip sort words firstword lastword dir notdir suffix basename wildcard realpath abspath eval shell info"
_TWO = "findstring filter filter-out word addsuffix addprefix join file"
_THREE = "subst patsubst foreach if wordlist let"
_ANY = "or and call intcmp"
FUNCTIONS = (
    dict.fromkeys(f"{_ONE} error warning origin flavor value".split(), 1)
    | dict.fromkeys(_TWO.split(), 2)
    | dict.fromkeys(_THREE.split(), 3)
    | dict.fromkeys(_ANY.split(), 99)
)
"""The functions of GNU make and how many arguments each takes at most; the last one keeps its commas.

Any other name in `$(...)` is that of a variable. Source: GNU make's manual, "Functions for Transforming Text".
"""
_UNREAD = ("shell", "error", "warning", "info", "wildcard", "dir", "notdir", "origin", "flavor")
"""Functions whose arguments are no options of a compiler."""
PREFIX = ""
"""The name bound to the list whose words `addprefix` puts a segment before."""
QUOTED = re.compile(rb"`(?:(?!nvcc)[^`])*`", re.IGNORECASE)
"""A command that the shell runs for its answer, and that does not compile: its words are no options of a compiler."""
_BRACKETS = {b"(": re.compile(rb"[()]"), b"{": re.compile(rb"[{}]")}
_PARTS = re.compile(rb"[(){},]")


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line without its comment: `value` is what is assigned, run, tested or included."""

    kind: Kind
    span: Span
    value: Span
    name: str = ""
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """`$(NAME)`, `$(NAME:a=b)` or `$(function argument,...)`: a variable has no `args`, but may have a `pattern`."""

    span: Span
    name: str
    args: tuple[Span, ...] = ()
    pattern: Span | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Words that are beside each other: of a line, or of one argument of a call.

    `bound` maps the variables of loops around the segment, `%` in patterns, and `PREFIX` to the lists they run over.
    """

    words: tuple[Word, ...]
    bound: Mapping[str, Span] = field(default_factory=dict)


def read(data: bytes) -> list[Line]:
    """The logical lines of a Makefile, without empty ones and comments."""
    found, in_rule, defined = [], False, ""
    for start, end in lines(data):
        if not data[start:end].strip():
            continue
        if defined:
            ends = _ENDEF.match(data, start, end) is not None
            line = Line("other" if ends else "recipe", Span(start, end), Span(start, end), "" if ends else defined)
            defined = "" if ends else defined
        else:
            line = _line(data, start, end, in_rule)
            definition = _DEFINE.match(data, start, end)
            defined = definition[1].decode() if definition and line.kind != "recipe" else ""
        found.append(line)
        if line.kind != "conditional":
            in_rule = line.kind == "rule" or (in_rule and line.kind == "recipe")
    return found


def lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Where lines begin and end, joined lines as one, without comments; those that begin with a tab whole."""
    at = 0
    while at < len(data):
        match = _LINE.match(data, at)
        end = match.end() if match else len(data)
        comment = _COMMENT.search(data, at, end)
        whole = data.startswith(b"\t", at) and (comment is None or data[at : comment.start()].strip())
        yield at, comment.start() if comment and not whole else end
        at = end + 1


def _line(data: bytes, start: int, end: int, in_rule: bool) -> Line:
    whole = Span(start, end)
    if (directive := _DIRECTIVE.match(data, start, end)) is not None:
        return Line("conditional", whole, Span(directive.end(), end), directive[1].decode())
    if in_rule and data.startswith(b"\t", start):
        return Line("recipe", whole, whole)
    if (included := _INCLUDE.match(data, start, end)) is not None:
        return Line("include", whole, Span(included.end(), end))
    if (assigned := _ASSIGNED.match(data, start, end)) is not None:
        return Line("assignment", whole, Span(assigned.end(), end), assigned[1].decode(), assigned[2].decode())
    return Line("rule" if _RULE.match(data, start, end) else "other", whole, whole)


def expansions(data: bytes, start: int, end: int) -> Iterator[Expansion]:
    """What make expands between two offsets, outermost only."""
    at = data.find(b"$", start, end)
    while 0 <= at < end - 1:
        opening = data[at + 1 : at + 2]
        if opening in _BRACKETS:
            close = _close(data, at + 1, end)
            yield _expansion(data, at, close)
            at = data.find(b"$", close + 1, end)
            continue
        if opening.isalpha():
            yield Expansion(Span(at, at + 2), opening.decode())
        at = data.find(b"$", at + 2, end)


def all_expansions(data: bytes, start: int, end: int) -> Iterator[Expansion]:
    """What make expands between two offsets, inner ones after those that hold them."""
    for expansion in expansions(data, start, end):
        yield expansion
        yield from all_expansions(data, expansion.span.start + 2, expansion.span.end - 1)


def _close(data: bytes, at: int, end: int) -> int:
    """Where the bracket at `at` is closed; the end where it is not."""
    opening, depth = data[at : at + 1], 0
    for found in _BRACKETS[opening].finditer(data, at, end):
        depth += 1 if found[0] == opening else -1
        if not depth:
            return found.start()
    return end


def _expansion(data: bytes, start: int, close: int) -> Expansion:
    span, inner = Span(start, close + 1), start + 2
    function = _FUNCTION.match(data, inner, close)
    if function is not None and (most := FUNCTIONS.get(function[1].decode())) is not None:
        return Expansion(span, function[1].decode(), tuple(_arguments(data, function.end(), close, most)))
    colon = data.find(b":", inner, close)
    name = data[inner : colon if colon > 0 else close].decode("utf-8", "replace").strip()
    return Expansion(span, name, (), Span(colon + 1, close) if colon > 0 else None)


def _arguments(data: bytes, start: int, end: int, most: int) -> Iterator[Span]:
    """The arguments of a call, `most` of them: commas outside of brackets part them."""
    depth, begin, found = 0, start, 1
    for mark in _PARTS.finditer(data, start, end):
        if mark[0] != b",":
            depth += 1 if mark[0] in b"({" else -1
        elif not depth and found < most:
            yield Span(begin, mark.start())
            begin, found = mark.end(), found + 1
    yield Span(begin, end)


def segments(data: bytes, start: int, end: int, bound: Mapping[str, Span] | None = None) -> Iterator[Segment]:
    """The words between two offsets: those of the line, and those of each argument of a call on their own."""
    bound = bound or {}
    masked = bytearray(data[start:end])
    inner: list[tuple[Span, Mapping[str, Span]]] = []
    for expansion in expansions(data, start, end):
        if expansion.args or expansion.pattern is not None:
            first, last = expansion.span.start - start, expansion.span.end - start
            masked[first:last] = b"\x01" * (last - first)
            inner += _inner(data, expansion, bound)
    for quoted in QUOTED.finditer(bytes(masked)):
        masked[quoted.start() : quoted.end()] = b"\x01" * (quoted.end() - quoted.start())
    found = option_words(bytes(masked), 0, len(masked))
    spans = (Span(word.span.start + start, word.span.end + start) for word in found)
    yield Segment(tuple(Word(utf8.text(data[s.start : s.end]), s) for s in spans), bound)
    for span, names in inner:
        yield from segments(data, span.start, span.end, names)


def beside(data: bytes, start: int, end: int, at: int) -> Iterator[Word]:
    """The words that a line has wherever it has the one at an offset: none of another argument, an alternative."""
    yield from next(segments(data, start, end)).words
    for expansion in expansions(data, start, end):
        for span in expansion.args:
            if span.start <= at < span.end:
                yield from beside(data, span.start, span.end, at)


def _inner(data: bytes, expansion: Expansion, bound: Mapping[str, Span]) -> list[tuple[Span, Mapping[str, Span]]]:
    """The parts of a call that are words of their own, each with the names bound there."""
    if expansion.pattern is not None:
        text = data[expansion.pattern.start : expansion.pattern.end]
        after = expansion.pattern.start + text.find(b"=") + 1
        return [(Span(after, expansion.pattern.end), {**bound, "%": expansion.span})]
    if expansion.name in _UNREAD:
        return []
    args = expansion.args
    if expansion.name == "foreach" and len(args) == 3:
        name = data[args[0].start : args[0].end].decode("utf-8", "replace").strip()
        return [(args[1], bound), (args[2], {**bound, name: args[1]})]
    if expansion.name == "patsubst" and len(args) == 3:
        return [(args[1], {**bound, "%": args[2]}), (args[2], bound)]
    if expansion.name == "addprefix" and len(args) == 2:
        return [(args[0], {**bound, PREFIX: args[1]}), (args[1], bound)]
    return [(span, bound) for span in args]
