"""Review of unsafe fixes one by one: each is shown as a diff and applied or skipped.

Result: the findings whose fix is accepted. Answers are lines of standard input, questions go to standard error. At the
end of the input the remaining fixes are skipped.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cudamigrate.cli.console import DONE, note

if TYPE_CHECKING:
    from cudamigrate.model import Finding, Report

_ANSWERS = {
    "y": "apply this fix",
    "n": "skip it (also an empty line)",
    "a": "apply this and all others of its rule",
    "l": "skip this and all others of its rule",
    "d": "skip all remaining fixes",
    "q": "quit and write nothing",
    "?": "this list",
}


def pick(report: Report, before: Collection[str] = ()) -> Iterable[Finding]:
    """Ask of each fix that needs review; those whose fingerprint is in `before` were accepted earlier."""
    groups = list(_groups(report))
    chosen = [one for group in groups if group[0].fingerprint in before for one in group]
    open_groups = [group for group in groups if group[0].fingerprint not in before]
    if not groups:
        note("No fix needs review.")
        return ()
    by_rule: dict[str, str] = {}
    for number, group in enumerate(open_groups, 1):
        answer = by_rule.get(group[0].rule) or _answer(report, group, f"{number} of {len(open_groups)}")
        if answer == "d":
            break
        if answer in "al":
            by_rule[group[0].rule] = answer
        if answer in "ya":
            chosen += group
    note(f"{len(chosen):,} of the fixes that need review {'is' if len(chosen) == 1 else 'are'} applied.")
    return chosen


def _groups(report: Report) -> Iterator[list[Finding]]:
    """The findings with such a fix, by file; those whose fixes hold only together are one group."""
    together: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        if finding.fix is not None and finding.fix.safety == "unsafe":
            key = finding.fix.group or finding.fingerprint
            together.setdefault((finding.path, key), []).append(finding)
    yield from together.values()


def _answer(report: Report, group: Sequence[Finding], number: str) -> str:
    """What is answered for one group."""
    first = group[0]
    note(f"\n{number}: {first.path}:{first.position.line}: {first.rule}")
    for message in dict.fromkeys(finding.message for finding in group):
        note(message)
    note(_diff(report, group))
    while True:
        sys.stderr.write(f"Apply it? [{','.join(_ANSWERS)}] ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        answer = line.strip().lower()[:1]
        if not line:
            note("\nEnd of input: the remaining fixes are skipped.")
            return "d"
        if answer == "q":
            note("Nothing was written.")
            raise typer.Exit(DONE)
        if answer != "?" and (not answer or answer in _ANSWERS):
            return answer or "n"
        for letter, meaning in _ANSWERS.items():
            note(f"  {letter}  {meaning}")


def _diff(report: Report, group: Sequence[Finding]) -> str:
    """What the fixes of a group change in the file as it is."""
    from cudamigrate import edits
    from cudamigrate.model import Conversion
    from cudamigrate.output import patch
    from cudamigrate.project import file_access

    root, path = Path(report.repository.root), group[0].path
    try:
        data = file_access.read_regular(root, path)
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    edited = edits.apply(data, [finding.fix for finding in group if finding.fix is not None])
    diff = patch.unified([Conversion(path, data, edited.data, edited.applied)], {}).decode("utf-8", "surrogateescape")
    return diff.replace("\r\n", "\n")
