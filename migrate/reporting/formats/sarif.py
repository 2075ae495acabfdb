"""Report -> SARIF 2.1.0, for code scanning and editors.

Result: one run whose results are the findings, worst first, and whose rules carry what the rule base says of them. Kept
within what GitHub's code scanning accepts: results beyond its limit are left out and counted in a notification. Results
have a fingerprint of their own name; the one that GitHub derives from the line is left to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

from cudamigrate.errors import printable_json
from cudamigrate.model import Finding, JsonValue, Report, Rule, Safety
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.summary import LEVELS, MEANING, encodable, listed, made_by

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RESULTS = 25_000
"""Results in one run that code scanning accepts; it shows the 5,000 worst."""
_DOCS = "https://rocm.docs.amd.com/projects"
_PROJECTS = {
    "cublas": "hipBLAS",
    "cublaslt": "hipBLASLt",
    "cufft": "hipFFT",
    "curand": "hipRAND",
    "cusolver": "hipSOLVER",
    "cusparse": "hipSPARSE",
    "cusparselt": "hipSPARSELt",
    "cudnn": "MIOpen",
    "cub": "hipCUB",
    "thrust": "rocThrust",
    "nccl": "rccl",
    "cutensor": "hipTensor",
}
"""The project of AMD's documentation for each CUDA library, by the name that rules give it."""
_SAFETIES: dict[Safety, str] = {
    "safe": "Make the change that keeps the meaning.",
    "unsafe": "Make the change; it needs review.",
    "suggestion": "A suggestion: it needs review.",
}
SKIPPED = 100
"""Skipped files that are named in a run; the others are counted."""
TEXT = 1_000
"""Characters of one message or description."""
_HERE, _DEEP = "the results", "\n    "
"""What takes the place of all results in the log, and what is before each: no other text is on a line of that depth."""


def render(report: Report) -> str:
    """The findings as a SARIF log."""
    return "".join(chunks(report))


def chunks(report: Report) -> Iterator[str]:
    """The text of the log in pieces; each result is made as it is asked for."""
    ordered = listed(report)
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
        "results": [_HERE] if kept else [],
        "invocations": [
            {
                "executionSuccessful": True,
                **({"commandLine": report.command} if report.command else {}),
                "toolExecutionNotifications": _notices(report, left),
            }
        ],
        **_provenance(report),
        "automationDetails": {"id": "cudamigrate/"},
        "properties": {
            "target": {"rocm": report.target.rocm, "arch": list(report.target.arch)},
            "madeBy": made_by(report),
        },
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    before, _, behind = _dumped(log).partition(f'{_DEEP}"{_HERE}"')
    yield before
    for number, finding in enumerate(kept):
        text = _dumped(_result(finding, index[finding.rule])).replace("\n", _DEEP)
        yield f"{',' if number else ''}{_DEEP}{text}"
    yield f"{behind}\n"


def _dumped(value: JsonValue) -> str:
    return encodable(printable_json(json.dumps(value, ensure_ascii=False, indent=1)))


def _rule(name: str, report: Report) -> dict[str, JsonValue]:
    rule = report.rules.get(name)
    if rule is None:
        return {"id": name}
    level = LEVELS[rule.outcome]
    return {
        "id": name,
        "name": name,
        "shortDescription": {"text": _text(rule.title or name)},
        "fullDescription": {"text": _text(f"{rule.title or name}: on AMD it {MEANING[rule.outcome]}.")},
        "helpUri": help_uri(rule.library),
        "help": {"text": _help(rule), "markdown": _help_markdown(rule)},
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": ["cuda", "hip", "rocm", rule.group, f"outcome-{rule.outcome}", f"support-{rule.support}"],
            "problem.severity": {"note": "recommendation"}.get(level, level),
        },
    }


def _help(rule: Rule) -> str:
    since = f"The equivalent came with ROCm {rule.since}." if rule.since else ""
    said = [rule.notes or rule.title or rule.id, since, f"More: cudamigrate explain {rule.id}"]
    return "\n\n".join(part for part in said if part)


def _help_markdown(rule: Rule) -> str:
    """The same for viewers that show Markdown, with what the rule base says in a list."""
    facts = [f"On AMD it {MEANING[rule.outcome]}.", f"Support in HIP: {rule.support}."]
    if rule.since:
        facts.append(f"The equivalent came with ROCm {rule.since}.")
    lines = [f"**{rule.title or rule.id}**", rule.notes, "\n".join(f"- {fact}" for fact in facts)]
    lines += [f"More: `cudamigrate explain {rule.id}`, and [the documentation]({help_uri(rule.library)})."]
    return "\n\n".join(line for line in lines if line)


def help_uri(library: str) -> str:
    """Where AMD documents what takes the place of a CUDA library; the porting guide of HIP for all else."""
    project = _PROJECTS.get(library.lower())
    return f"{_DOCS}/{project}/en/latest/" if project else f"{_DOCS}/HIP/en/latest/how-to/hip_porting_guide.html"


def _provenance(report: Report) -> dict[str, JsonValue]:
    """The commit that was read, where it is known which repository it is of."""
    where = report.repository
    if not where.url or not where.commit:
        return {}
    known: dict[str, JsonValue] = {"repositoryUri": where.url, "revisionId": where.commit}
    if where.branch:
        known["branch"] = where.branch
    return {"versionControlProvenance": [known]}


def _fixes(finding: Finding) -> dict[str, JsonValue]:
    """The fix of a finding, in bytes of the file."""
    fix = finding.fix
    if fix is None:
        return {}
    replacements: list[JsonValue] = [
        {
            "deletedRegion": {"byteOffset": edit.span.start, "byteLength": edit.span.end - edit.span.start},
            "insertedContent": {"text": edit.replacement.decode("utf-8", "replace")},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(finding.path), "replacements": replacements}
    return {"fixes": [{"description": {"text": _SAFETIES[fix.safety]}, "artifactChanges": [change]}]}


def _artifact(path: str) -> dict[str, JsonValue]:
    return {"uri": _uri(path), "uriBaseId": "SRCROOT"}


def _result(finding: Finding, index: int) -> dict[str, JsonValue]:
    region: dict[str, JsonValue] = {
        "startLine": finding.position.line,
        "startColumn": finding.position.column,
        "endLine": finding.end.line,
        "endColumn": finding.end.column,
    }
    where: dict[str, JsonValue] = {
        "artifactLocation": _artifact(finding.path),
        "region": region,
    }
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.outcome],
        "message": {"text": _text(finding.message)},
        "locations": [{"physicalLocation": where}],
        "partialFingerprints": {"cudamigrate/v1": finding.fingerprint},
        **_fixes(finding),
        "properties": {
            "settled": finding.resolution,
            "support": finding.support,
            "certainty": finding.certainty,
            "effort": finding.effort,
        },
    }


def _notices(report: Report, left: int) -> list[JsonValue]:
    notices: list[JsonValue] = [{"level": "note", "message": {"text": _text(sentence(report))}}]
    if left > 0:
        text = f"{left:,} further results were left out: code scanning accepts {RESULTS:,} in a run."
        notices.append({"level": "warning", "message": {"text": text}})
    skipped = [skip for skip in report.skipped if not skip.notice]
    for skip in skipped[:SKIPPED]:
        notices.append({"level": "warning", "message": {"text": _text(f"{skip.path} was skipped: {skip.reason}")}})
    if len(skipped) > SKIPPED:
        text = f"{len(skipped) - SKIPPED:,} more files were skipped; the report in JSON names them."
        notices.append({"level": "warning", "message": {"text": text}})
    return notices


def _uri(path: str) -> str:
    """A path as a relative URI; a colon in its first part would make it a scheme."""
    return quote(encodable(path), safe="/~!$&'()*+,;=@")


def _text(text: str) -> str:
    """A message of bearable length in which source such as `[&](x)` is not read as a link, nor `{0}` as a gap."""
    short = text if len(text) <= TEXT else text[: TEXT - 3] + "..."
    return short.replace("](", "] (").replace("{", "{{").replace("}", "}}")
