"""Two reports -> what changed between them, and what it saves.

Result: a `Comparison`, and text, Markdown or JSON of it. Findings are the same where their fingerprints are, which do
not hold line numbers. Those of a file that was renamed are the same where rule and text are.
"""

from __future__ import annotations

import json
from collections import Counter, deque

from cudamigrate.errors import printable
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Finding, JsonValue, Report
from cudamigrate.model.estimate import Days
from cudamigrate.reporting.formats.markdown import code, prose
from cudamigrate.reporting.summary import (
    between,
    days,
    encodable,
    newer_days,
    rule_days,
    summarize,
    worst_first,
)
from cudamigrate.wording import count_of

SCHEMA = "cudamigrate-diff/1"
SHOWN = 20
"""Findings of one kind in text and Markdown; JSON has all."""
RULES = 10
_WATCHED = ("support", "outcome", "effort", "message")


@dataclass(frozen=True, slots=True)
class Changed:
    """One finding in both reports that is judged differently: `what` names what differs, with the old and new word."""

    old: Finding
    new: Finding
    what: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is gone, new and changed; `kept` counts the findings that stayed as they were.

    `saved` is the old estimate less the new one, each end by itself, None where one of the reports has no estimate.
    `suppressed` counts those of the old report that comments suppress since, which are not gone.
    `rules` are the rules whose days differ, those that save most first; `later` what newer releases would save yet.
    """

    old: Report
    new: Report
    gone: tuple[Finding, ...]
    added: tuple[Finding, ...]
    changed: tuple[Changed, ...]
    kept: int
    saved: Days | None
    rules: tuple[tuple[str, float], ...]
    later: tuple[tuple[str, int, float], ...]
    suppressed: int = 0


def compare(old: Report, new: Report) -> Comparison:
    """Match the findings of two reports."""
    before, after = _by_fingerprint(old), _by_fingerprint(new)
    lost = [finding for key, finding in before.items() if key not in after]
    added = [finding for key, finding in after.items() if key not in before]
    both = [(before[key], finding) for key, finding in after.items() if key in before]
    suppressed = {*new.suppressed}.difference(old.suppressed)
    gone = [finding for finding in lost if finding.fingerprint not in suppressed]
    quiet = len(lost) - len(gone)
    moved = _renamed(gone, added, {file.path for file in old.files}, {file.path for file in new.files})
    both += moved
    gone, added = _without(gone, [was for was, _ in moved]), _without(added, [now for _, now in moved])
    changed = [Changed(was, now, what) for was, now in both if (what := _differs(was, now))]
    by_new = {id(change.new): change for change in changed}
    saved = None
    if old.estimate is not None and new.estimate is not None:
        was, now = old.estimate.days, new.estimate.days
        saved = Days(was.p10 - now.p10, was.p50 - now.p50, was.p90 - now.p90)
    later = newer_days(new)
    return Comparison(
        old=old,
        new=new,
        gone=tuple(worst_first(gone)),
        added=tuple(worst_first(added)),
        changed=tuple(by_new[id(finding)] for finding in worst_first(change.new for change in changed)),
        kept=len(both) - len(changed),
        saved=saved,
        rules=_rules(old, new) if saved is not None else (),
        later=tuple((version, count, later.get(version, 0.0)) for version, count in summarize(new).newer.items()),
        suppressed=quiet,
    )


def _renamed(gone: list[Finding], added: list[Finding], old: set[str], new: set[str]) -> list[tuple[Finding, Finding]]:
    """Pairs of a finding in a file that is no longer there and one alike in a file that was not: it was renamed."""
    waiting: dict[tuple[str, str], deque[Finding]] = {}
    for finding in gone:
        if finding.path not in new:
            waiting.setdefault((finding.rule, finding.excerpt), deque()).append(finding)
    pairs = []
    for finding in added:
        alike = waiting.get((finding.rule, finding.excerpt)) if finding.path not in old else None
        if alike:
            pairs.append((alike.popleft(), finding))
    return pairs


def _without(findings: list[Finding], taken: list[Finding]) -> list[Finding]:
    ids = {id(one) for one in taken}
    return [one for one in findings if id(one) not in ids]


def _by_fingerprint(report: Report) -> dict[tuple[str, int], Finding]:
    """Findings by fingerprint; should two have the same, by their order too."""
    found: dict[tuple[str, int], Finding] = {}
    alike: Counter[str] = Counter()
    for finding in report.findings:
        found[finding.fingerprint, alike[finding.fingerprint]] = finding
        alike[finding.fingerprint] += 1
    return found


def _differs(old: Finding, new: Finding) -> tuple[tuple[str, str, str], ...]:
    pairs: list[tuple[str, str, str]] = [("settled", old.resolution, new.resolution)]
    pairs += [(name, str(getattr(old, name)), str(getattr(new, name))) for name in _WATCHED]
    return tuple((name, was, now) for name, was, now in pairs if was != now)


def _rules(old: Report, new: Report) -> tuple[tuple[str, float], ...]:
    was, now = rule_days(old.estimate), rule_days(new.estimate)
    deltas = {rule: was.get(rule, 0.0) - now.get(rule, 0.0) for rule in {*was, *now}}
    kept = [(rule, saved) for rule, saved in deltas.items() if abs(saved) >= 0.05]
    return tuple(sorted(kept, key=lambda pair: (-pair[1], pair[0])))


def render_text(found: Comparison) -> str:
    """The comparison as lines for a terminal."""
    lines = [printable(line) for line in _facts(found)]
    for title, findings in (("New", found.added), ("Gone", found.gone)):
        if findings:
            lines += ["", f"{title}, worst first"]
            lines += [f"  {printable(_place(one))} {printable(_said(one))}" for one in findings[:SHOWN]]
            lines += _more(len(findings))
    if found.changed:
        lines += ["", "Judged differently"]
        lines += [
            f"  {printable(_place(one.new))} {printable(one.new.rule)}: {printable(_what(one))}"
            for one in found.changed[:SHOWN]
        ]
        lines += _more(len(found.changed))
    return "\n".join(lines) + "\n"


def render_markdown(found: Comparison) -> str:
    """The comparison as Markdown, for a pull request."""
    first, *facts = _facts(found)
    lines = [f"## {prose(first)}", "", *(f"- {prose(fact.strip())}" for fact in facts)]
    for title, findings in (("New findings", found.added), ("Findings that are gone", found.gone)):
        if findings:
            rows = [
                f"| {code(_place(one))} | {code(one.rule)} | {one.outcome} | {prose(one.message)} |" for one in findings
            ]
            lines += ["", f"### {title}", "", "| Place | Rule | Outcome | What to know |", "| --- | --- | --- | --- |"]
            lines += [*rows[:SHOWN], *_more(len(rows), "\n*", "*")]
    if found.changed:
        lines += ["", "### Judged differently", "", "| Place | Rule | What |", "| --- | --- | --- |"]
        shown = found.changed[:SHOWN]
        lines += [f"| {code(_place(one.new))} | {code(one.new.rule)} | {prose(_what(one))} |" for one in shown]
        lines += _more(len(found.changed), "\n*", "*")
    return encodable("\n".join(lines)) + "\n"


def render_json(found: Comparison) -> str:
    """The comparison as JSON, with every finding."""
    document: dict[str, JsonValue] = {
        "schema": SCHEMA,
        "old": _side(found.old),
        "new": _side(found.new),
        "summary": {
            "gone": len(found.gone),
            "new": len(found.added),
            "changed": len(found.changed),
            "kept": found.kept,
            "silenced": found.suppressed,
        },
        "days_saved": None if found.saved is None else _days(found.saved),
        "rules": [{"rule": rule, "days_saved": round(saved, 3)} for rule, saved in found.rules],
        "newer_rocm": [
            {"version": version, "findings": count, "days_saved": round(saved, 3)}
            for version, count, saved in found.later
        ],
        "gone": [_finding(finding) for finding in found.gone],
        "added": [_finding(finding) for finding in found.added],
        "changed": [
            _finding(one.new) | {"was": {name: was for name, was, _ in one.what}, "differs": [w[0] for w in one.what]}
            for one in found.changed
        ],
    }
    return json.dumps(document, ensure_ascii=True, indent=1) + "\n"


RENDERERS = {"text": render_text, "markdown": render_markdown, "json": render_json}


def _facts(found: Comparison) -> list[str]:
    old, new = found.old, found.new
    was, now = summarize(old).total, summarize(new).total
    changes = f"{len(found.gone):,} gone, {len(found.added):,} new, {len(found.changed):,} judged differently"
    if old.suppressed or new.suppressed:
        changes += f", {found.suppressed:,} suppressed since"
    facts = [
        f"{_names(old, new)}: {_version(old, new)} -> {_version(new, old)}",
        f"  findings: {was.findings:,} -> {now.findings:,} ({changes}, {found.kept:,} as before)",
        f"  manual: {was.manual:,} -> {now.manual:,}",
    ]
    if found.saved is not None and old.estimate is not None and new.estimate is not None:
        gain = found.saved.p50
        said = "no difference" if abs(gain) < 0.05 else f"{days(abs(gain))} {'saved' if gain > 0 else 'more'}"
        facts.append(f"  estimate: {between(old.estimate.days)} -> {between(new.estimate.days)}: {said}")
    elif old.estimate is not None or new.estimate is not None:
        facts.append("  estimate: one of the two reports has none, so no days are compared")
    if found.rules:
        listed = ", ".join(f"{rule} {days(saved)}" for rule, saved in found.rules[:RULES])
        facts.append(f"  days saved by rule: {listed}{' and others' if len(found.rules) > RULES else ''}")
    for version, count, saved in found.later:
        more = f", about {days(saved)} days" if saved >= 0.05 else ""
        facts.append(f"  ROCm {version} would fix {count:,} of those that are left{more}")
    return facts


def trend(found: Comparison) -> str:
    """What changed since the earlier report, in one sentence."""
    old = found.old
    known = old.repository.commit != found.new.repository.commit or not old.date
    commit = old.repository.commit[:10] if known else ""
    when = " at ".join(part for part in (old.date, commit) if part) or "the earlier report"
    gone = f"{count_of(len(found.gone), 'finding')} gone"
    said = f"Since {when}: {gone}, {len(found.added):,} new"
    if found.saved is not None and old.estimate is not None and found.new.estimate is not None:
        said += f"; {days(old.estimate.days.p50)} -> {days(found.new.estimate.days.p50)} engineer-days"
    return f"{said}."


def _names(old: Report, new: Report) -> str:
    """The repository, or both where the reports are of two: then next to nothing is the same."""
    was, now = (report.repository.name or "repository" for report in (old, new))
    return now if was == now else f"{was} and {now}, two repositories"


def _version(report: Report, other: Report) -> str:
    """What tells one report from the other: the commit, and the target where that differs."""
    commit = report.repository.commit[:10] or "no commit"
    dirty = " with changes" if report.repository.dirty else ""
    if report.target == other.target and report.repository.commit != other.repository.commit:
        return commit + dirty
    aim = report.target
    return f"{commit}{dirty} for ROCm {aim.rocm} on {' '.join(aim.arch)}"


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.position.line}:{finding.position.column}"


def _said(finding: Finding) -> str:
    return f"{finding.rule} {finding.outcome}, {finding.resolution}: {finding.message}"


def _what(change: Changed) -> str:
    return ", ".join(
        "another message" if name == "message" else f"{name} {was} -> {now}" for name, was, now in change.what
    )


def _more(count: int, before: str = "  ", after: str = "") -> list[str]:
    return [f"{before}... and {count - SHOWN:,} more{after}"] if count > SHOWN else []


def _side(report: Report) -> dict[str, JsonValue]:
    where, aim, total = report.repository, report.target, summarize(report).total
    return {
        "version": report.version,
        "repository": {"name": where.name, "commit": where.commit, "branch": where.branch, "dirty": where.dirty},
        "target": {"rocm": aim.rocm, "cuda": aim.cuda, "arch": list(aim.arch), "wave": aim.wave},
        "findings": total.findings,
        "automatic": total.automatic,
        "unsafe": total.review,
        "review": total.review,
        "manual": total.manual,
        "fine": total.fine,
        "days": None if report.estimate is None else _days(report.estimate.days),
    }


def _days(spread: Days) -> dict[str, JsonValue]:
    return {"p10": round(spread.p10, 3), "p50": round(spread.p50, 3), "p90": round(spread.p90, 3)}


def _finding(finding: Finding) -> dict[str, JsonValue]:
    return {
        "rule": finding.rule,
        "path": encodable(finding.path),
        "line": finding.position.line,
        "column": finding.position.column,
        "message": encodable(finding.message),
        "support": finding.support,
        "outcome": finding.outcome,
        "effort": finding.effort,
        "settled": finding.resolution,
        "fingerprint": finding.fingerprint,
    }
