"""A report less the findings that comments in the code suppress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Report
from cudamigrate.suppression import comments


def without(report: Report, results: Sequence[FileResult]) -> tuple[Report, list[FileResult]]:
    """The report and the results without what comments in the code suppress, whose fingerprints the report keeps."""
    said = {result.path: comments.SuppressionIndex(result.suppressions) for result in results if result.suppressions}
    if not said:
        return report, list(results)

    def stays(finding: Finding) -> bool:
        return finding.path not in said or not said[finding.path].of(finding)

    def kept(files: Iterable[FileResult]) -> list[FileResult]:
        return [replace(one, findings=tuple(filter(stays, one.findings))) if one.path in said else one for one in files]

    suppressed = tuple(one.fingerprint for one in report.findings if not stays(one))
    findings = tuple(filter(stays, report.findings))
    used = {one.rule for one in findings}
    rules = {name: rule for name, rule in report.rules.items() if name in used}
    files = tuple(kept(report.files))
    return replace(report, files=files, findings=findings, rules=rules, suppressed=suppressed), kept(results)
