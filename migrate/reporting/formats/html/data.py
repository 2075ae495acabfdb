"""Report -> the data that the page's script shows on demand: files, rules and findings, as short rows.

Words and lines that repeat are numbers into lists, a fix is what it changes, and findings are columns, in which like is
beside like: a page of ten thousand findings has 0.5 MB. `page.js` makes rows of them again, and reads these by
the names in `COLUMNS`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from urllib.parse import urlsplit

from cudamigrate.lazy_re import re
from cudamigrate.model import EFFORTS, SUPPORTS, FileResult, Finding, JsonValue, Report, Repository, Rule
from cudamigrate.reporting.addends import of_rule
from cudamigrate.reporting.first_screen import AREAS, area
from cudamigrate.reporting.formats.html.source_lines import SourceLines
from cudamigrate.reporting.summary import WORST_FIRST, days, file_work, listed, rule_days, tally

BLOCK = 5_000
"""Findings whose columns are together: more compress better, and all of them are in memory at once."""
SHORTEST = 6
"""Digits of a fingerprint that a page has at least."""
ELSEWHERE = 400
"""Characters shown of what a fix writes at another place."""
SETTLED = ("automatic", "review", "manual")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?")
"""A host of the web, and its port."""
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+")
"""The path of a repository: an owner and a name at least."""
_FORGES = {
    "github": ("/blob/", "#L"),
    "gitlab": ("/-/blob/", "#L"),
    "codeberg": ("/src/commit/", "#L"),
    "gitea": ("/src/commit/", "#L"),
    "bitbucket": ("/src/", "#lines-"),
}
"""Forges by a word of their host: what is before the commit, and before the number of a line."""
COLUMNS = {
    "file": ("path", "lines", "automatic", "review", "manual", "days", "worst"),
    "rule": (
        *("id", "title", "notes", "since", "library", "support", "outcome", "area"),
        *("automatic", "review", "manual", "days"),
    ),
    "finding": (
        *("file", "rule", "line", "column", "outcome", "settled", "effort", "support", "certainty"),
        *("message", "before", "after", "elsewhere", "fingerprint", "trace", "above", "below"),
    ),
}


def content(report: Report) -> dict[str, JsonValue | Iterator[JsonValue]]:
    """All that the script can show; findings, which can be very many, are made as they are taken, block by block."""
    files = _files(report)
    rules = _rules(report)
    places = {str(row[0]): at for at, row in enumerate(files)}
    names = {str(row[0]): at for at, row in enumerate(rules)}
    messages: dict[str, int] = {}
    shown = listed(report)
    lines = SourceLines(shown, places)
    for finding in shown:  # what they say is numbered first, and is written first
        _finding(finding, places, names, messages, lines)
    digits = distinct([finding.fingerprint for finding in shown])
    made = (_finding(finding, places, names, messages, lines) for finding in shown)
    rows = _short(made, zip(digits, _distances(shown), strict=True))
    return {
        "columns": {kind: list(columns) for kind, columns in COLUMNS.items()},
        "outcomes": list(WORST_FIRST),
        "settled": list(SETTLED),
        "efforts": list(EFFORTS),
        "supports": list(SUPPORTS),
        "messages": list(messages),
        "lines": list[JsonValue](lines.lines),
        "repeated": list[JsonValue](lines.repeated),
        "digits": SHORTEST,
        "longer": {str(place): mine[SHORTEST:] for place, mine in enumerate(digits) if len(mine) > SHORTEST},
        "areas": dict(AREAS),
        "forge": forge(report.repository),
        "files": files,
        "rules": rules,
        "findings": _blocks(rows),
    }


def _short(rows: Iterator[list[JsonValue]], short: Iterator[tuple[str, int]]) -> Iterator[list[JsonValue]]:
    """Rows whose line is a distance, and whose fingerprint has the digits that all have."""
    line, digits = (COLUMNS["finding"].index(name) for name in ("line", "fingerprint"))
    for row, (mine, distance) in zip(rows, short, strict=True):
        row[line], row[digits] = distance, mine[:SHORTEST]
        yield row


def _distances(shown: Sequence[Finding]) -> Iterator[int]:
    """The line of each finding, counted from the finding before it where that is in the same file."""
    path, line = "", 0
    for finding in shown:
        yield finding.position.line - (line if finding.path == path else 0)
        path, line = finding.path, finding.position.line


def _blocks(rows: Iterator[list[JsonValue]]) -> Iterator[JsonValue]:
    """The columns of some rows at a time; fingerprints are one text, since they are random and of one length."""
    at = COLUMNS["finding"].index("fingerprint")
    while block := list(islice(rows, BLOCK)):
        columns: list[JsonValue] = [list(column) for column in zip(*block, strict=True)]
        digits = [str(row[at]) for row in block]
        if all(len(one) == SHORTEST and one.isascii() and one.isalnum() for one in digits):
            columns[at] = "".join(digits)
        yield columns


def distinct(fingerprints: Sequence[str]) -> list[str]:
    """As many digits of each as tell it from all others; they are random and make up a large part of a page."""
    order = sorted(set(fingerprints))
    same = [len(posixpath.commonprefix(pair)) for pair in pairwise(order)]
    beside = zip(order, [0, *same], [*same, 0], strict=True) if order else ()
    short = {one: one[: max(SHORTEST, before + 1, after + 1)] for one, before, after in beside}
    return [short[one] for one in fingerprints]


def forge(where: Repository) -> JsonValue:
    """How a line of a file is addressed on the page of its forge: what is before the path and the line; else None.

    A tree with uncommitted changes has lines that the forge does not have.
    """
    host, path = _address(where.url)
    kind = next((kind for word, kind in _FORGES.items() if word in host), None)
    if kind is None or not _HOST.fullmatch(host) or not _PATH.fullmatch(path) or not where.commit or where.dirty:
        return None
    return [f"https://{host}/{path}{kind[0]}{where.commit}/", kind[1]]


def _address(url: str) -> tuple[str, str]:
    """Host and path of a remote on the web: without user, `.git`, and the port and the special host of SSH."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    if parts.scheme not in ("https", "ssh", "git"):
        return "", ""
    host = parts.netloc.rpartition("@")[2]
    host = host if parts.scheme == "https" else host.partition(":")[0]
    return host.removeprefix("ssh.").removeprefix("altssh."), parts.path.strip("/").removesuffix(".git")


def _files(report: Report) -> list[list[JsonValue]]:
    """Files with findings that are listed, in the order of the work they ask for."""
    works = file_work(report)
    known = {work.file.path for work in works}
    lost = sorted({finding.path for finding in listed(report)} - known)
    return [_file(work.file, work.days) for work in works] + [[path, 0, 0, 0, 0, "", 0] for path in lost]


def _file(file: FileResult, spent: float) -> list[JsonValue]:
    counted = tally(file.findings)
    shown = days(spent) if spent else ""
    worst = WORST_FIRST.index(counted.worst)
    return [file.path, file.lines, counted.automatic, counted.review, counted.manual, shown, worst]


def _rules(report: Report) -> list[list[JsonValue]]:
    """Rules with findings that are listed: those that need manual work first, then the most frequent."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in listed(report):
        by_rule.setdefault(finding.rule, []).append(finding)
    spent = rule_days(report.estimate)
    rows = [
        _rule(name, report.rules.get(name), found, of_rule(name, found, spent, report) if spent else "")
        for name, found in by_rule.items()
    ]
    return sorted(rows, key=lambda row: (-row[10], -row[9], -row[8], row[0]))


def _rule(name: str, rule: Rule | None, found: list[Finding], spent: str) -> list[JsonValue]:
    counted = tally(found)
    said = (rule.title, rule.notes, rule.since, rule.library) if rule is not None else ("", "", "", "")
    support = SUPPORTS.index(rule.support if rule is not None else found[0].support)
    outcome = WORST_FIRST.index(rule.outcome if rule is not None else found[0].outcome)
    place = area(name, said[3])
    counts = (counted.automatic, counted.review, counted.manual)
    return [name, *said, support, outcome, place, *counts, spent]


def _finding(
    finding: Finding,
    places: dict[str, int],
    names: dict[str, int],
    messages: dict[str, int],
    lines: SourceLines,
) -> list[JsonValue]:
    before = finding.before or finding.excerpt
    above, at, below = lines.of(finding)
    return [
        places[finding.path],
        names[finding.rule],
        finding.position.line,
        finding.position.column,
        WORST_FIRST.index(finding.outcome),
        SETTLED.index(finding.resolution),
        EFFORTS.index(finding.effort),
        SUPPORTS.index(finding.support),
        finding.certainty,
        messages.setdefault(finding.message, len(messages)),
        at,
        changed(before, finding.after),
        elsewhere(finding, before),
        finding.fingerprint,
        [f"{step.path}:{step.line} {step.text}" for step in finding.trace],
        above,
        below,
    ]


def elsewhere(finding: Finding, before: str) -> JsonValue:
    """What a fix writes outside of the lines shown, such as an include; 0 for no fix, or one that changes the lines."""
    if finding.fix is None or finding.after:
        return 0
    start = finding.span.start - finding.position.column + 1
    end = start + len(before.encode("utf-8", "replace"))
    if any(start <= edit.span.start <= end for edit in finding.fix.edits):
        return 0
    written = [edit.replacement.decode("utf-8", "replace").strip() for edit in finding.fix.edits]
    return "\n".join(text for text in written if text)[:ELSEWHERE]


def changed(before: str, after: str) -> JsonValue:
    """What a fix makes of a text: how much of its beginning and of its end stays, and what is between; 0 for no fix.

    Lengths are those of JavaScript: texts with characters that are two there are written out.
    """
    if not after:
        return 0
    if max(map(ord, before + after)) > 0xFFFF:
        return [0, 0, after]
    least = min(len(before), len(after))
    start = next((at for at in range(least) if before[at] != after[at]), least)
    end = next((at for at in range(least - start) if before[-1 - at] != after[-1 - at]), least - start)
    return [start, end, after[start : len(after) - end]]
