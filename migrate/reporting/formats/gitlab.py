"""Report -> a code quality report of GitLab, which shows findings in a merge request beside its lines.

Findings that are the same in two reports must have the same fingerprint, and two of one report never do.
"""

from __future__ import annotations

import json

from cudamigrate.model import JsonValue, Outcome, Report
from cudamigrate.reporting.summary import encodable, listed, made_by

_SEVERITIES: dict[Outcome, str] = {
    "wrong-result": "critical",
    "compile-error": "major",
    "missing": "minor",
    "slower": "minor",
    "fine": "info",
}
_CATEGORIES: dict[Outcome, str] = {
    "wrong-result": "Bug Risk",
    "compile-error": "Compatibility",
    "missing": "Compatibility",
    "slower": "Performance",
    "fine": "Clarity",
}


def render(report: Report) -> str:
    """The findings as issues."""
    made = made_by(report)
    issues: list[JsonValue] = [
        {
            "type": "issue",
            "check_name": finding.rule,
            "description": encodable(finding.message),
            "content": {"body": made},
            "categories": [_CATEGORIES[finding.outcome]],
            "severity": _SEVERITIES[finding.outcome],
            "fingerprint": finding.fingerprint,
            "location": {
                "path": encodable(finding.path),
                "lines": {"begin": finding.position.line, "end": max(finding.position.line, finding.end.line)},
            },
        }
        for finding in listed(report)
    ]
    return json.dumps(issues, ensure_ascii=True, indent=1) + "\n"
