"""Code that depends on where the elements of `wmma` fragments lie, by the GPUs that the builds of the project name.

CUDA leaves the places open, and GPUs differ. Our header has those of sm_90, measured there: code of a project that is
built for nothing else keeps its meaning, and elsewhere nothing says that it is right.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding

RULE, _FRAGMENTS, _HEADER = "library/fragment-places", "library/matrix-fragments", "api/wmma-headers"
_KNOWN = frozenset(("90",))
"""The GPUs whose places our header has."""
_CODE = ("cuda", "cxx")
_GPU = re.compile(r"\b(?:sm|compute|lto)_(\d{2,3})(?!\d)")
_LISTS = ("build/cmake-architectures", "build/cmake-target-architectures", "build/cmake-architecture-number")
"""The rules for lists of GPUs by their number alone."""
_NUMBER = re.compile(r"(?<![\w.])(\d{2,3})(?:-real|-virtual|a|f)*(?![\w.])")


def with_known_places(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, without such findings where the builds name GPUs whose places are known; else nothing says that
    fragments are right in the files with one, and they say what the builds name."""
    if not any(one.rule == RULE for result in results for one in result.findings):
        return list(results)
    named = _named(results)
    if named and named <= _KNOWN:
        return [replace(one, findings=tuple(f for f in one.findings if f.rule != RULE)) for one in results]
    said = ", ".join(f"sm_{gpu}" for gpu in sorted(named - _KNOWN, key=int))
    return [_said(one, said) for one in results]


def _named(results: Sequence[FileResult]) -> frozenset[str]:
    """The numbers of the GPUs that build files name, in the lines of their findings."""
    found = set[str]()
    for finding in (one for result in results if result.language not in _CODE for one in result.findings):
        found.update(_GPU.findall(finding.excerpt))
        if finding.rule in _LISTS:
            found.update(_NUMBER.findall(finding.excerpt))
    return frozenset(found)


def _said(result: FileResult, named: str) -> FileResult:
    if not any(one.rule == RULE for one in result.findings):
        return result
    return replace(result, findings=tuple(_reworded(one, named) for one in result.findings))


def _reworded(finding: Finding, named: str) -> Finding:
    if finding.rule == RULE and named:
        return replace(finding, message=f"{finding.message} The builds name {named}.")
    if finding.rule in (_FRAGMENTS, _HEADER):
        return replace(finding, message=finding.message.replace(" right, expected", " expected", 1))
    return finding
