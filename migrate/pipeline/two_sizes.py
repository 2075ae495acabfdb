"""Constants that are 64 for HIP and 32 for CUDA in a repository without a port: what counts by them is not converted.

Converted warps keep 32 lanes. Code that strides, sizes blocks or shuffles by such a constant takes 64 for HIP, whatever
helpers exchange its lanes; which of the two is meant, no file says. In a port the functions that use one are open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "warp/two-sizes"
_DEFINED = 2
"""Mentions that are the definitions themselves: one for HIP, one for CUDA."""


def with_two_sizes(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding where such a constant gets its 64, if device code or a launch may use it."""
    rule = book.rules.get(RULE)
    if port.is_port or not port.waves or rule is None or rule.silent:
        return list(results)
    sources = [source for one in results if one.cuda and (source := read(one.path)) is not None]
    found: dict[str, list[Finding]] = {}
    for name, place in port.waves.items():
        path, _, line = place.rpartition(":")
        source = read(path)
        word = name.rpartition("::")[2].encode()
        if source is None or not any(_mentions(one, word) > _DEFINED * (one.path == path) for one in sources):
            continue
        for span in _on_line(source, int(line), word):
            use = Use("name", name, span, span, (), "unknown", "token")
            found.setdefault(path, []).append(engine.finding(source, Hit(RULE, use, {"name": name}), rule))
    return [engine.with_more(one, found.get(one.path, ())) for one in results]


def _mentions(source: SourceFile, word: bytes) -> int:
    return len(lexed(source).words(frozenset((word,)))) if word in source.data else 0


def _on_line(source: SourceFile, line: int, word: bytes) -> Iterator[Span]:
    """The first mention of a word on a line, counted from 1."""
    lines = source.data.split(b"\n")
    before = sum(len(one) + 1 for one in lines[: line - 1])
    at = lines[line - 1].find(word) if line <= len(lines) else -1
    if at >= 0:
        yield Span(before + at, before + at + len(word))
