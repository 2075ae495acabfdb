"""Queries of the wave's size in one file: 32 is written for all of them or for none.

What two of them give may size one launch. With one changed its blocks would have the width of a wave of 64 and the
height for one of 32.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding

_RULE = "warp/queried-size"


def with_sizes_alike(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, with no 32 written for one query where another of the file stays as it is."""
    return [_alike(one) if any(finding.rule == _RULE for finding in one.findings) else one for one in results]


def _alike(result: FileResult) -> FileResult:
    left = [one for one in result.findings if one.rule == _RULE and one.fix is None]
    if not left:
        return result
    line = min(one.position.line for one in left)
    return replace(result, findings=tuple(_kept(one, line) for one in result.findings))


def _kept(finding: Finding, line: int) -> Finding:
    if finding.rule != _RULE or finding.fix is None:
        return finding
    why = f" Not changed: the query in line {line} stays, and both may size one launch. Change both."
    return replace(finding.without_fix("small"), message=finding.message + why)
