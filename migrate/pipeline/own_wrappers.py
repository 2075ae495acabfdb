"""Functions of hipBLAS that a repository wraps by a macro of their name: the wrapper takes halves as they are.

A port that knows of `hipblasHalf` has `#define hipblasHgemm own_hgemm` for it. Calls are renamed there and not cast.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked
from cudamigrate.syntax import utf8

_RULES = "api/cublasHgemm"
_WRAPPED = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(hipblasHgemm\w*)", re.MULTILINE)


def _wrapped(source: SourceFile) -> tuple[str, ...]:
    return tuple(name.decode("latin-1") for name in _WRAPPED.findall(source.data))


def without_casts(results: Sequence[FileResult], read: Read) -> Sequence[FileResult]:
    """The results, with calls of such functions renamed alone."""
    if not any(finding.rule.startswith(_RULES) for result in results for finding in result.findings):
        return results
    code = (one.path for one in results if one.language in ("cuda", "cxx"))
    names = {name for path in code for name in asked(read, path, _wrapped) or ()}
    if not names:
        return results
    return [replace(one, findings=tuple(_renamed(each, names) for each in one.findings)) for one in results]


def _renamed(finding: Finding, names: set[str]) -> Finding:
    """A finding whose fix casts what one of the wrappers takes, with the rename alone."""
    fix = finding.fix
    if fix is None or not finding.rule.startswith(_RULES):
        return finding
    kept = tuple(edit for edit in fix.edits if edit.replacement.decode("latin-1") in names)
    return replace(finding, fix=replace(fix, edits=kept)) if kept else finding
