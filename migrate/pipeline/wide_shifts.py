"""Shifts by 32 bits or more whose amount is made of a constant of another file: `votes << (WARP_SIZE - lane)`.

What a file shifts by, it shows alone where the constant is its own. Here a file is read again as if it defined the
constants of the tree that it names: those which all files that define them give the same number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Step
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _DETECTOR = "warp/wide-shift", "wide_shift"
_SHIFT = re.compile(rb"(?:<<|>>)=?\s*([^;{}<>]{1,80})")
"""A shift, with what may be its amount."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_CONSTANT = re.compile(rb"[A-Z][A-Z0-9_]{2,}|k[A-Z]\w+|\w*[Ww]arp_?[Ss]ize\w*")
_NUMBER = re.compile(rb"\(?\s*(\d+)[uUlL]*\s*\)?")
_GIVEN = re.compile(rb"\b(?:const|constexpr)\b[\w\s]*?\b(\w+)\s*(?:=\s*|\{\s*)(\d+)[uUlL]*\s*\}?\s*;")
"""A constant that is given a number: `constexpr unsigned kWarp = 32;`."""


def with_wide_shifts(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each shift that is too wide by the value of another file's constant."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    asked = {one.path: named for one in results if (named := _amounts(one, read))}
    given = _given(results, frozenset[bytes]().union(*asked.values()), read) if asked else {}
    changed, marks = [], port.marks
    for result in results:
        found = list[Finding]()
        for hit in _hits(result.path, asked[result.path], given, marks, read) if result.path in asked else ():
            source = read(result.path)
            if source is not None and not any(one.span == hit.use.span and one.rule == RULE for one in result.findings):
                found.append(engine.finding(source, hit, rule))
        changed.append(engine.with_more(result, found))
    return changed


def _amounts(result: FileResult, read: Read) -> frozenset[bytes]:
    """The constants that the amounts of a file's shifts name, as far as they are spelled as constants are."""
    source = read(result.path) if result.cuda and result.skip is None else None
    if source is None or (b"<<" not in source.data and b">>" not in source.data):
        return frozenset()
    amounts = (match[1] for match in _SHIFT.finditer(source.data))
    return frozenset(name for one in amounts for name in _NAME.findall(one) if _CONSTANT.fullmatch(name))


def _given(results: Sequence[FileResult], names: frozenset[bytes], read: Read) -> dict[bytes, tuple[int, Step]]:
    """The numbers of constants, with the places; none for one that has two values, or one that is no number."""
    found: dict[bytes, tuple[int, Step] | None] = {}
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is None or not any(word in source.data for word in (b"define", b"const")):
            continue
        if not any(name in source.data for name in names):
            continue
        present = names & lexed(source).spellings
        for name, number, start in _definitions(lexed(source), present) if present else ():
            step = Step(result.path, source.position(start).line, f"`{name.decode()}` is {number} here")
            before = found.setdefault(name, None if number is None else (number, step))
            if before is None or before[0] != number:
                found[name] = None
    return {name: value for name, value in found.items() if value is not None}


def _definitions(tokens: Lexed, names: frozenset[bytes]) -> Iterator[tuple[bytes, int | None, int]]:
    """The definitions of some names in a file: macros, and constants that are given a number."""
    for directive in tokens.directives:
        words = directive.argument(tokens.data).split(None, 1) if directive.name in ("define", "undef") else []
        if words and words[0] in names:
            value = _NUMBER.fullmatch(words[1]) if len(words) > 1 else None
            yield words[0], None if value is None else int(value[1]), directive.start
    for match in tokens.matches(_GIVEN, b"const", b"constexpr"):
        if match[1] in names:
            yield match[1], int(match[2]), match.start()


def _hits(
    path: str, names: frozenset[bytes], given: dict[bytes, tuple[int, Step]], marks: Sequence[str], read: Read
) -> Iterator[Hit]:
    """The wide shifts of a file that names constants of others, at their places there."""
    source = read(path) if names else None
    if source is None:
        return
    own = {name for name, _, _ in _definitions(lexed(source), names)}
    used = sorted(name for name in names - own if name in given)
    if not used:
        return
    ahead = b"".join(b"#define %s %d\n" % (name, given[name][0]) for name in used)
    parsed = cuda.parse(SourceFile(path, ahead + source.data, source.language), frozenset(), marks)
    for hit in engine.hits(_DETECTOR, parsed):
        if hit.rule != RULE or hit.use.span.start < len(ahead):
            continue
        span = Span(hit.use.span.start - len(ahead), hit.use.span.end - len(ahead))
        said = _NAME.findall(source.data[span.start : span.end])
        trace = tuple(given[name][1] for name in used if name in said)
        yield replace(hit, use=replace(hit.use, span=span, extent=span), trace=trace)
