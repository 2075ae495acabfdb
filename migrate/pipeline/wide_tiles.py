"""Tiles larger than a wave whose size is a constant of another file: `tiled_partition<kThreads>`, 256 in a header.

A file that uses cooperative groups is read again as if it defined the constants of the tree which all files that define
them give the same number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Hit, SourceFile
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import behind_declarations
from cudamigrate.pipeline.class_constants import ClassConstants, Classes, constants, step
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.pipeline.wide_shifts import given_by_files
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _DETECTOR = "cooperative-groups/wide-tile", "group_names"
_GROUPS = "cooperative_groups"
_SIZE = re.compile(rb"\b(?:thread_block_tile|tiled_partition)\s*<\s*([^<>,;]*[A-Za-z_][^<>,;]*)[,>]")
"""A tile with its size, where that has a name in it."""
_NAME = re.compile(rb"[A-Za-z_]\w*")


def with_wide_tiles(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding at each tile that is too large by the value of another file's constant."""
    rule = book.rules.get(RULE)
    asking = {} if rule is None or rule.silent else {one.path: _named(one, read) for one in results}
    names = frozenset[bytes]().union(*asking.values())
    if rule is None or not names:
        return list(results)
    given, changed = given_by_files(results, names, read), []
    for result in results:
        source = read(result.path) if asking[result.path] else None
        hits = _hits(source, asking[result.path], given, port, read) if source is not None else ()
        known = {one.span for one in result.findings if one.rule == RULE}
        found = [engine.finding(source, hit, rule) for hit in hits if source and hit.use.span not in known]
        changed.append(engine.with_more(result, found))
    return changed


def _named(result: FileResult, read: Read) -> frozenset[bytes]:
    """The names in the sizes of the tiles of a file."""
    uses = result.cuda and result.skip is None and any(_GROUPS in one.name for one in result.findings)
    source = read(result.path) if uses else None
    sizes = _SIZE.findall(source.data) if source is not None else ()
    return frozenset(name for size in sizes for name in _NAME.findall(size))


def _hits(
    source: SourceFile, names: frozenset[bytes], given: ClassConstants, port: PortFacts, read: Read
) -> Iterator[Hit]:
    """The wide tiles of a file that names constants of others, at their places there."""
    tokens = lexed(source)
    own = {one.name for one in constants(source.path, tokens, Classes(tokens))}
    numbers = {name: number for name in names - own if (number := given.number(b"", name)) is not None}
    if not numbers:
        return
    ahead = b"".join(b"#define %s %d\n" % (name, number) for name, (number, _) in sorted(numbers.items()))
    for hit in behind_declarations.hits(_DETECTOR, source, ahead, port.marks):
        if hit.rule != RULE:
            continue
        span = hit.use.span
        said = [numbers[name] for name in _NAME.findall(source.text(span).encode()) if name in numbers]
        places = [(one, number, read(one.path)) for number, one in said]
        trace = tuple(step(where, one, number) for one, number, where in places if where is not None)
        yield replace(hit, use=replace(hit.use, extent=span), trace=trace)
