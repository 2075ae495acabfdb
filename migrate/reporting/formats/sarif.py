"""Report -> SARIF 2.1.0, for code scanning and editors.

Result: one run whose results are the findings, worst first, and whose rules carry what the rule base says of them. Kept
within what GitHub's code scanning accepts: results beyond its limit are left out and counted in a notification. Results
have a fingerprint of their own name; the one that GitHub derives from the line is left to it.
"""

from __future__ import annotations

import json
from urllib.parse import quote

from migrate.model import Finding, JsonValue, Report, Rule
from migrate.reporting.summary import LEVELS, MEANING, encodable, headline, settled, worst_first

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RESULTS = 25_000
"""Results in one run that code scanning accepts; it shows the 5,000 worst."""
TEXT = 1_000
"""Characters of one message or description."""


def render(report: Report) -> str:
    """The findings as a SARIF log."""
    ordered = worst_first(report.findings)
    kept, left = ordered[:RESULTS], len(ordered) - RESULTS
    rules = sorted({finding.rule for finding in kept})
    index = {rule: at for at, rule in enumerate(rules)}
    run: dict[str, JsonValue] = {
        "tool": {
            "driver": {
                "name": "cudamigrate",
                "version": report.version,
                "rules": [_rule(name, report) for name in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the repository."}}},
        "results": [_result(finding, index[finding.rule]) for finding in kept],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notices(report, left)}],
        "automationDetails": {"id": "cudamigrate/"},
        "properties": {"target": {"rocm": report.target.rocm, "arch": list(report.target.arch)}},
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return encodable(json.dumps(log, ensure_ascii=False, indent=1)) + "\n"


def _rule(name: str, report: Report) -> dict[str, JsonValue]:
    rule = report.rules.get(name)
    if rule is None:
        return {"id": name}
    level = LEVELS[rule.outcome]
    help_text = _help(rule)
    return {
        "id": name,
        "name": name,
        "shortDescription": {"text": _text(rule.title or name)},
        "fullDescription": {"text": _text(f"{rule.title or name}: on AMD it {MEANING[rule.outcome]}.")},
        "help": {"text": help_text, "markdown": help_text},
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": ["cuda", "hip", "rocm", rule.group, f"outcome-{rule.outcome}", f"support-{rule.support}"],
            "problem.severity": {"note": "recommendation"}.get(level, level),
        },
    }


def _help(rule: Rule) -> str:
    since = f"The counterpart came with ROCm {rule.since}." if rule.since else ""
    said = [rule.notes or rule.title or rule.id, since, f"More: cudamigrate explain {rule.id}"]
    return "\n\n".join(part for part in said if part)


def _result(finding: Finding, index: int) -> dict[str, JsonValue]:
    region: dict[str, JsonValue] = {
        "startLine": finding.position.line,
        "startColumn": finding.position.column,
        "endLine": finding.end.line,
        "endColumn": finding.end.column,
    }
    where: dict[str, JsonValue] = {
        "artifactLocation": {"uri": _uri(finding.path), "uriBaseId": "SRCROOT"},
        "region": region,
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.outcome],
        "message": {"text": _text(finding.message)},
        "locations": [{"physicalLocation": where}],
        "partialFingerprints": {"cudamigrate/v1": finding.fingerprint},
        "properties": {
            "settled": settled(finding),
            "support": finding.support,
            "certainty": finding.certainty,
            "effort": finding.effort,
        },
    }


def _notices(report: Report, left: int) -> list[JsonValue]:
    notices: list[JsonValue] = [{"level": "note", "message": {"text": _text(headline(report))}}]
    if left > 0:
        text = f"{left:,} further results were left out: code scanning accepts {RESULTS:,} in a run."
        notices.append({"level": "warning", "message": {"text": text}})
    for skip in [skip for skip in report.skipped if not skip.notice][:100]:
        notices.append({"level": "warning", "message": {"text": _text(f"{skip.path} was skipped: {skip.reason}")}})
    return notices


def _uri(path: str) -> str:
    """A path as a relative URI; a colon in its first part would make it a scheme."""
    return quote(encodable(path), safe="/~!$&'()*+,;=@")


def _text(text: str) -> str:
    """A message of bearable length in which source such as `[&](x)` is not read as a link, nor `{0}` as a gap."""
    short = text if len(text) <= TEXT else text[: TEXT - 3] + "..."
    return short.replace("](", "] (").replace("{", "{{").replace("}", "}}")
