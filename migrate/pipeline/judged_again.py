"""Findings of one rule judged again when all files are read: what each becomes, and the files in order again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read


def judged_again(
    results: Sequence[FileResult], rule: str, judged: Callable[[SourceFile, Finding], Finding], read: Read
) -> list[FileResult]:
    """The results, in which `judged` is asked of each finding of the files that have one of the rule."""
    made = []
    for one in results:
        source = read(one.path) if one.findings and any(finding.rule == rule for finding in one.findings) else None
        if source is not None:
            one = replace(one, findings=tuple(engine.in_order(judged(source, finding) for finding in one.findings)))
        made.append(one)
    return made
