"""Minima and maxima of two types of integers that other files show: `min(size, WARP_SIZE)`.

What a file compares, it shows alone where the types are its own. Here a file is read again as if it declared the names
of integer types that all files of the tree declare alike, and the macros that all define as the same number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.pipeline.shifted_types import typed
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _DETECTOR = "math/mixed-min-max", "mixed_min"
_CALL = re.compile(rb"(?<![\w.:>])(?:min|max)[ \t]*\(([^;{}]{1,160})")
"""A call of the global function, with what may be its arguments."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_DEFINES = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)")
"""The names of what may be macros, found much faster than what is no comment."""
_NUMBER = re.compile(rb"\(?\s*(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\s*\)?")


def with_mixed_minima(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each such call that only all files together show, and its fix."""
    rule = book.rules.get(RULE)
    asking = {one.path: source for one in results if (source := _asking(one, read)) is not None}
    if rule is None or rule.silent or not asking:
        return list(results)
    types = typed(asking, results, read)
    named = {path: _named(source.data) for path, source in asking.items()}
    macros = _macros(results, frozenset[bytes]().union(*named.values()), read)
    changed = []
    for result in results:
        ahead = types.get(result.path, b"") + _defined(macros, named.get(result.path, frozenset()))
        source = asking.get(result.path) if ahead else None
        more = [] if source is None else list(_findings(source, ahead, rule, port.marks))
        changed.append(engine.with_new(result, more))
    return changed


def _asking(result: FileResult, read: Read) -> SourceFile | None:
    """The source of a CUDA file that calls one of the functions."""
    source = read(result.path) if result.cuda and result.skip is None else None
    return source if source is not None and _CALL.search(source.data) is not None else None


def _named(data: bytes) -> frozenset[bytes]:
    """The names in what may be arguments of such calls."""
    return frozenset(name for match in _CALL.finditer(data) for name in _NAME.findall(match[1]))


def _macros(results: Sequence[FileResult], names: frozenset[bytes], read: Read) -> Mapping[bytes, bytes]:
    """The macros among some names that stand for the same number wherever a file defines them."""
    found: dict[bytes, set[bytes]] = {}
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is None or names.isdisjoint(_DEFINES.findall(source.data)):
            continue
        for directive in lexed(source).directives:
            if directive.name == "define":
                name, _, value = directive.argument(source.data).partition(b" ")
                if name in names:
                    found.setdefault(name, set()).add(value.strip())
    alike = {name: value for name, values in found.items() if len(values) == 1 for value in values}
    return {name: value for name, value in alike.items() if _NUMBER.fullmatch(value)}


def _defined(macros: Mapping[bytes, bytes], names: frozenset[bytes]) -> bytes:
    return b"".join(b"#define %s %s\n" % (name, macros[name]) for name in sorted(names & macros.keys()))


def _findings(source: SourceFile, ahead: bytes, rule: Rule, marks: Sequence[str]) -> Iterator[Finding]:
    """The calls of a file that is read behind what others declare, at their places in it."""
    found = [one for one in behind_declarations.hits(_DETECTOR, source, ahead, marks) if one.rule == RULE]
    if found:
        alone = cuda.parse(source, frozenset(), marks)  # most files have none
        for hit in found:
            cast = f"static_cast<{hit.words['type']}>(".encode()
            edits = tuple(
                edit
                for place in hit.use.args
                for edit in (Edit(Span(place.start, place.start), cast), Edit(Span(place.end, place.end), b")"))
            )
            yield replace(engine.finding_in(alone, Hit(RULE, hit.use, hit.words), rule), fix=Fix(edits, rule.safety))
