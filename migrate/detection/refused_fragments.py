"""Fragments that no header for AMD has: what is said of others, that they run, holds for none of their function."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Finding

_RUNS, _REFUSED = "library/matrix-fragments", "api/wmma-without-counterpart"


def without_running(parsed: ParsedFile, found: Sequence[Finding]) -> list[Finding]:
    """The findings without those on fragments that run, in functions that name elements which no header has."""
    refused = {_function(parsed, one) for one in found if one.rule == _REFUSED} - {-1}
    return [one for one in found if one.rule != _RUNS or _function(parsed, one) not in refused]


def _function(parsed: ParsedFile, finding: Finding) -> int:
    """Where the function around a finding begins; -1 outside of functions."""
    function = parsed.function(finding.span.start)
    return -1 if function is None else function.span.start
