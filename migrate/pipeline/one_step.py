"""What one step for the whole repository settles is one finding, at its first place, that counts the others.

A header which a package for AMD has under the same name needs that package in the include path, however many files
include it: a hundred findings would say the same, and be counted as a hundred changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding

_RULES = ("api/shared-libcudacxx-headers",)


def as_one_step(results: Sequence[FileResult]) -> Sequence[FileResult]:
    """The results, with the first finding of each such rule alone, which says how many places there are."""
    for rule in _RULES:
        found = [(result.path, one) for result in results for one in result.findings if one.rule == rule]
        if len(found) > 1:
            first = min(found, key=lambda each: (each[0], each[1].span.start))[1]
            files = len({path for path, _ in found})
            said = f"{first.message} {len(found)} includes in {files} {'file' if files == 1 else 'files'} need it."
            results = [_with(result, rule, first, replace(first, message=said)) for result in results]
    return results


def _with(result: FileResult, rule: str, first: Finding, reported: Finding) -> FileResult:
    """The result of one file, with `reported` in the place of `first` and no other finding of the rule."""
    if all(one.rule != rule for one in result.findings):
        return result
    kept = (reported if one is first else one for one in result.findings if one is first or one.rule != rule)
    return replace(result, findings=tuple(kept))
