"""Loops that wait in files that are the part of a kernel's body: read in the place of the include, as compilers do.

Such a file has no function of its own: what a loop in it looks at are parameters of the kernel around the include, and
the kernel says that it runs on the GPU. What it asks may be a macro that the kernel's file defines before the include.
So the text of the file takes the place of the include, with these macros in place, and what is found there is of the
file that was included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.analysis import loop_texts
from cudamigrate.cuda.enclosed_includes import EnclosedInclude, enclosed_includes
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Change, FileResult, Finding, Hit, SourceFile, Span, Step
from cudamigrate.pipeline.enclosed_macros import Headers, bodies_at
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph, include_paths, lexed
from cudamigrate.pipeline.waits_once import RULES
from cudamigrate.rulebase.code_rules import Rulebook

_DETECTORS = ("block_spin", "divergent_barrier", "lane_spin")
"""Those that the rules on waits name."""
_NAME = re.compile(rb"\w+")
_LOOP = re.compile(rb"\b(?:while|for|goto)\b")
_LARGEST = 400_000
"""Bytes of a file with what it includes in place: further files are left out."""


class _Piece(NamedTuple):
    """A part of the joined text, and which bytes of a file it is from; as long there, or a macro put in place."""

    here: Span
    there: Span


class _Inserted(NamedTuple):
    """A file that takes the place of an include: the line of that, and the pieces of its text in their order."""

    path: str
    line: int
    pieces: tuple[_Piece, ...]

    def mapped(self, span: Span) -> Span | None:
        """The bytes of the file that a range of the joined text is from; None where it is not of the file alone."""
        first = next((one for one in self.pieces if one.here.start <= span.start < one.here.end), None)
        last = next((one for one in self.pieces if one.here.start < span.end <= one.here.end), None)
        if first is None or last is None:
            return None
        is_text = _size(first.here) == _size(first.there)
        start = first.there.start + (span.start - first.here.start if is_text else 0)
        is_text = _size(last.here) == _size(last.there)
        return Span(start, last.there.end - (last.here.end - span.end if is_text else 0))


def with_enclosed_waits(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each wait of a file that is included inside of a function for the GPU."""
    code = {one.path: one for one in results if one.cuda and one.skip is None}
    including = [one for one in code.values() if one.enclosed]
    paths = frozenset(one.path for one in results) if including else frozenset[str]()
    more: dict[str, dict[tuple[str, Span], Finding]] = {}
    for one in including:
        for found in _found(one, code, paths, book, read):
            more.setdefault(found.path, {}).setdefault((found.rule, found.span), found)
    return [engine.with_new(one, [*more.get(one.path, {}).values()]) for one in results]


def _found(
    result: FileResult, code: Mapping[str, FileResult], paths: frozenset[str], book: Rulebook, read: Read
) -> Iterator[Finding]:
    """The findings of one file that includes others in its functions, each at its place in the other file."""
    source, tree = read(result.path), include_paths(read, paths)
    meant = {name: tree.nearest(result.path, name) for name in result.enclosed}
    parts = {name: each[0] for name, each in meant.items() if len(each) == 1 and each[0] in code}
    texts = {name: text for name, path in parts.items() if (text := read(path)) is not None}
    texts = {name: text for name, text in texts.items() if _LOOP.search(text.data) is not None}
    if source is None or not texts:
        return
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    places = [
        one
        for one in enclosed_includes(source.data)
        if one.name in texts and parsed.scope(one.start) == "device" and parsed.hip(one.start) is not False
    ]
    if parsed.problems or not places:
        return
    headers = Headers(include_graph(read, paths).below([result.path]) - {result.path}, read)
    joined, inserted = _joined(parsed, places, texts, headers)
    whole = cuda.parse(SourceFile(source.path, joined, "cuda"), frozenset())
    if not whole.problems:
        whole.target = book.goal
        yield from _mapped(_hits(whole, book), source.path, inserted, book, read)


def _joined(
    parsed: ParsedFile, places: Iterable[EnclosedInclude], texts: Mapping[str, SourceFile], headers: Headers
) -> tuple[bytes, list[_Inserted]]:
    """The text of a file with others in the place of their includes, and where they are."""
    ends = {one.start: one.end for one in parsed.lexed.directives if one.name == "include"}
    made, size, at, inserted = list[bytes](), 0, 0, list[_Inserted]()
    for place in places:
        part = texts[place.name]
        if len(parsed.data) + size + len(part.data) > _LARGEST or place.start not in ends:
            continue
        before = parsed.data[at : place.start] + b"\n"
        bodies = bodies_at(parsed, place.start, headers, lexed(part).spellings)
        text, pieces = _put(part, size + len(before), bodies)
        inserted.append(_Inserted(part.path, parsed.source.position(place.start).line, pieces))
        made += [before, text, b"\n"]
        size, at = size + len(before) + len(text) + 1, ends[place.start]
    return b"".join([*made, parsed.data[at:]]), inserted


def _put(source: SourceFile, offset: int, bodies: Mapping[bytes, bytes]) -> tuple[bytes, tuple[_Piece, ...]]:
    """The text of a file with macros in place, but for those in its own directives, and its pieces from `offset` on."""
    tokens, parts, pieces = lexed(source), list[bytes](), list[_Piece]()

    def add(text: bytes, start: int, end: int) -> None:
        here = pieces[-1].here.end if pieces else offset
        parts.append(text)
        pieces.append(_Piece(Span(here, here + len(text)), Span(start, end)))

    at = 0
    for start in tokens.words(frozenset(bodies)):
        match = _NAME.match(source.data, start)
        if match is not None and tokens.directive_at(start) is None:
            add(source.data[at:start], at, start)
            add(bodies[match[0]], start, at := match.end())
    add(source.data[at:], at, len(source.data))
    return b"".join(parts), tuple(pieces)


def _hits(parsed: ParsedFile, book: Rulebook) -> Iterator[Hit]:
    """The waits of a file, those of the rules that say so."""
    for name in _DETECTORS:
        for hit in engine.hits(name, parsed) if name in book.detectors else ():
            rule = book.rules.get(hit.rule)
            if hit.rule in RULES and rule is not None and not rule.silent:
                yield hit


def _mapped(
    hits: Iterable[Hit], path: str, inserted: Sequence[_Inserted], book: Rulebook, read: Read
) -> Iterator[Finding]:
    """The findings of the hits that are in files inserted, at their places in these."""
    for hit in hits:
        for part in inserted:
            span = part.mapped(hit.use.span)
            source = read(part.path) if span is not None else None
            if span is not None and source is not None:
                use = replace(hit.use, span=span, extent=span, args=())
                step = Step(path, part.line, "included here, in a function for the GPU")
                shown = loop_texts.quoted(source.data[span.start : span.end])
                hit = replace(hit, words={**hit.words, "text": shown})
                rule = replace(book.rules[hit.rule], change=Change("none"))
                yield engine.finding(source, replace(hit, use=use, trace=(*hit.trace, step)), rule)


def _size(span: Span) -> int:
    return span.end - span.start
