"""Constants that are 64 for HIP and 32 for CUDA in a repository without a port: what counts by them is not converted.

Converted warps keep 32 lanes. Code that strides, sizes blocks or shuffles by such a constant takes 64 for HIP, whatever
helpers exchange its lanes. Where it is called after lanes, and only code that CUDA compiles too asks for it, it becomes
32 for HIP: all that counts by it is then what it is for CUDA. Else no file says which of the two is meant. In a port
the functions that use one are open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.analysis import port_waves
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "warp/two-sizes"
_COUNTED = "warp/hardcoded-size"
_WORD = re.compile(rb"\w+")
_WIDE = re.compile(rb"[ \t=({]*(64|warpSize|__AMDGCN_WAVEFRONT_SIZE(?:__)?)\b")
"""The value behind a name that is defined: `#define WARP warpSize`, `constexpr int kWarp = 64`."""
_DEFINED = 2
"""Mentions that are the definitions themselves: one for HIP, one for CUDA."""


def with_two_sizes(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding where such a constant gets its 64, if device code or a launch may use it."""
    rule = book.rules.get(RULE)
    if port.is_port or not port.waves or rule is None or rule.silent:
        return list(results)
    sources = [source for one in results if one.cuda and (source := read(one.path)) is not None]
    found: dict[str, list[Finding]] = {}
    open_names = set[bytes]()
    for name, place in port.waves.items():
        path, _, line = place.rpartition(":")
        source = read(path)
        word = name.rpartition("::")[2].encode()
        if source is None or not any(_mentions(one, word) > _DEFINED * (one.path == path) for one in sources):
            continue
        for span in _on_line(source, int(line), word):
            use = Use("name", name, span, span, (), "unknown", "token")
            made = engine.finding(source, Hit(RULE, use, {"name": name}), rule)
            value = _value(source, span) if _is_shared(source, word, sources, port.marks) else None
            if value is None:
                open_names.add(word)
            else:
                made = replace(made, support="full", effort="none", fix=Fix((Edit(value, b"32"),), "safe"))
            found.setdefault(path, []).append(made)
    return [engine.with_more(_without_fine(one, open_names, read), found.get(one.path, ())) for one in results]


def _value(source: SourceFile, name: Span) -> Span | None:
    """The value that a constant for lanes is given for HIP after its name; None for other constants and values."""
    match = _WIDE.match(source.data, name.end)
    is_known = match is not None and port_waves.OF_LANES.search(source.data[name.start : name.end].decode())
    return Span(*match.span(1)) if match is not None and is_known else None


def _is_shared(source: SourceFile, word: bytes, sources: Sequence[SourceFile], marks: Sequence[str]) -> bool:
    """Whether only code for both vendors asks for a constant: none of its own file, and none in a branch for HIP.

    It is also defined for HIP once, and so is no other constant of the name.
    """
    if _mentions(source, word) != _DEFINED:
        return False
    guards = [mark.encode() for mark in (*cuda.GUARDS, *marks)]
    for other in sources:
        if other.path == source.path or word not in other.data:
            continue
        tokens = lexed(other)
        ours = [one for one in branches(tokens, guards) if one.hip is True]
        for at in tokens.words(frozenset((word,))):
            if _WIDE.match(other.data, at + len(word)) or any(one.start <= at < one.end for one in ours):
                return False
    return True


def _without_fine(result: FileResult, names: Set[bytes], read: Read) -> FileResult:
    """A file's result, without findings that call it fine to count by a constant which may be 64."""
    source = read(result.path) if names and result.findings else None
    if source is None:
        return result
    kept = [one for one in result.findings if one.outcome != "fine" or not _counts_by(source, one, names)]
    return result if len(kept) == len(result.findings) else replace(result, findings=tuple(kept))


def _counts_by(source: SourceFile, finding: Finding, names: Set[bytes]) -> bool:
    text = source.data[finding.span.start : finding.span.end]
    return finding.rule == _COUNTED and not names.isdisjoint(_WORD.findall(text))


def _mentions(source: SourceFile, word: bytes) -> int:
    return len(lexed(source).words(frozenset((word,)))) if word in source.data else 0


def _on_line(source: SourceFile, line: int, word: bytes) -> Iterator[Span]:
    """The first mention of a word on a line, counted from 1."""
    lines = source.data.split(b"\n")
    before = sum(len(one) + 1 for one in lines[: line - 1])
    at = lines[line - 1].find(word) if line <= len(lines) else -1
    if at >= 0:
        yield Span(before + at, before + at + len(word))
