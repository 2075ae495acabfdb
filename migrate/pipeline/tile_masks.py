"""Masks of tiles in templates: what all files together show to be a tile of CUDA's, the file by itself left open.

Result: the findings of files, where a mask that may be a group's is that of a tile after all, and is cut to 32 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline import deep_calls
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.warp.tile_types import OF_TILE, OPEN, hit, is_tile
from cudamigrate.warp.transfer import Evaluator


def with_known_tiles(
    results: Sequence[FileResult], evaluator: Evaluator, read: Read, book: Rulebook
) -> list[FileResult]:
    """The results, where the mask of an unknown group is that of a tile if its object is one wherever it is made."""
    return [_settled(one, evaluator, read, book) if one.findings else one for one in results]


def _settled(result: FileResult, evaluator: Evaluator, read: Read, book: Rulebook) -> FileResult:
    doubtful = [one for one in result.findings if one.rule == OPEN]
    rule = book.rules.get(OF_TILE)
    tiles = deep_calls.run(lambda: _tiles(result.path, doubtful, evaluator)) if doubtful and rule is not None else []
    source = read(result.path) if tiles else None
    if source is None or rule is None:
        return result
    parsed = replace(cuda.parse(source, frozenset()), target=book.goal)
    made = [engine.finding_in(parsed, hit(parsed, one.span, OF_TILE), rule) for one in tiles]
    kept = tuple(one for one in result.findings if one not in tiles)
    return engine.with_more(replace(result, findings=kept), made)


def _tiles(path: str, doubtful: Sequence[Finding], evaluator: Evaluator) -> list[Finding]:
    """Those of the findings whose object is a tile."""
    starts = {one.span.start: one for one in doubtful}
    sites = ((at, one) for at in evaluator.places if at.path == path for one in at.routine.sites)
    return [
        starts[one.start]
        for at, one in sites
        if one.start in starts and one.receiver is not None and is_tile(evaluator, at, one.receiver)
    ]
