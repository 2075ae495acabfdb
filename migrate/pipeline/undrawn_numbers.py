"""Seeds of cuRAND in a repository that draws no number: there is no sequence that could differ.

The states that one file seeds another may draw from, so that only all files together tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult

_RULE = "math/random-sequence"
_DRAWS = re.compile(r"(?:cu|hip|roc)rand(?:4|_(?!init\b|[A-Z])(?:\w+| ## .*)|Generate(?!Seeds\b|_)\w*|_generate\w*)?")
"""What draws, on the device and on the host, also where a macro puts its name together: `curand_ ## kind`."""


def without_undrawn(results: Sequence[FileResult]) -> Sequence[FileResult]:
    """The results, without findings on seeds where no file draws."""
    seeded = any(finding.rule == _RULE for one in results for finding in one.findings)
    if not seeded or any(_draws(one) for one in results):
        return results
    return [replace(one, findings=tuple(each for each in one.findings if each.rule != _RULE)) for one in results]


def _draws(result: FileResult) -> bool:
    return any(one.rule != _RULE and _DRAWS.fullmatch(one.name) is not None for one in result.findings)
