"""Votes of HIP's that are cut to 32 bits, where nothing converts them; and what is right only where something does.

A file with branches for both vendors has votes that are converted, and others that are left as they are: which of the
two, the other findings on the same call say, once it is known which of them a port answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SpanIndex

RULE, _COUNTED = "warp/cut-mask", "warp/mask-popcount"
_VOTES = frozenset(("warp/sync-vote", "warp/legacy-vote", "warp/active-mask", "warp/lane-match"))
"""Rules by which a vote becomes one of 32 lanes."""


def without_converted(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, without findings on cut masks at calls that other findings are on."""
    return [_settled(one) if _asks(one) else one for one in results]


def _asks(result: FileResult) -> bool:
    return any(one.rule in (RULE, _COUNTED) for one in result.findings)


def _settled(result: FileResult) -> FileResult:
    """The result of one file. A 32-bit operation on a mask is right where votes of the file are converted."""
    others = [one for one in result.findings if one.rule not in (RULE, _COUNTED)]
    converts = any(one.rule in _VOTES and one.fix is not None for one in others)
    places = SpanIndex([(one.span, one) for one in others])

    def stays(one: Finding) -> bool:
        if one.rule == RULE:
            return not places.touching(one.span.start, one.span.end)
        return one.rule != _COUNTED or converts

    kept = tuple(filter(stays, result.findings))
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)
