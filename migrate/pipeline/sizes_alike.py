"""Queries of the wave's size in one file: 32 is written for none that may size a launch together with one that stays.

With one of the two changed, blocks would have the width of a wave of 64 and the height for one of 32. What two queries
give meets in no statement where both stay in their functions and come to different statements there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cudamigrate.analysis import kept_values
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Span
from cudamigrate.pipeline.own_names import Read

_RULE = "warp/queried-size"


def with_sizes_alike(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, with no 32 written for one query where another that it may meet stays as it is."""
    return [_alike(one, read) if any(finding.rule == _RULE for finding in one.findings) else one for one in results]


def _alike(result: FileResult, read: Read) -> FileResult:
    asked = [one for one in result.findings if one.rule == _RULE]
    left = [one for one in asked if one.fix is None]
    source = read(result.path) if left and len(left) < len(asked) else None
    if source is None:
        return result
    parsed = cuda.parse(source, frozenset())
    come = {one.span: kept_values.statements(parsed, one.span.end - 1) for one in asked}
    return replace(result, findings=tuple(_kept(one, left, come) for one in result.findings))


def _kept(finding: Finding, left: Sequence[Finding], come: Mapping[Span, frozenset[int]]) -> Finding:
    """A finding without its fix where a query that stays may meet its own; what it comes to is empty if not seen."""
    if finding.rule != _RULE or finding.fix is None:
        return finding
    own = come[finding.span]
    met = [one for one in left if not own or not come[one.span] or own & come[one.span]]
    if not met:
        return finding
    line = min(one.position.line for one in met)
    why = f" Not changed: the query in line {line} stays, and both may size one launch. Change both."
    return replace(finding.without_fix("small"), message=finding.message + why)
