"""The text of an open file -> its problems, the fixes of each, and what a name under the cursor means."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cudamigrate import config
from cudamigrate.config import Config
from cudamigrate.frontends import files_for
from cudamigrate.lazy_re import re
from cudamigrate.model import Finding, SourceFile
from cudamigrate.pipeline import check as checking
from cudamigrate.pipeline import check_fixes, convert_file, lookup, own_headers
from cudamigrate.pipeline.check import Checked
from cudamigrate.project import discovery
from cudamigrate.rulebase import explain as pages

_NAME = re.compile(r"[A-Za-z_][\w./:<>-]*")
"""What a hover may ask for: an identifier, a qualified name, a header or a package."""


@dataclass(frozen=True, slots=True)
class Change:
    """New text for the lines from `start` up to `end`, which count from 0."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Analysed:
    """What is known of one version of a file; `lines` are those of its text, with their ends."""

    source: SourceFile
    config: Config
    checked: Checked
    lines: Sequence[str]

    @property
    def problems(self) -> Sequence[Finding]:
        """The findings that the configuration counts, and no comment suppresses."""
        return self.checked.problems

    def changes(self, findings: Sequence[Finding]) -> tuple[Change, ...]:
        """The edits that the fixes of these findings make; empty where they cannot be made on their own."""
        fixable = [one for one in findings if one.fix is not None and one.fix.safety != "suggestion"]
        made = convert_file.convert(self.source, fixable)
        if not fixable or made.skip is not None or made.rejected or own_headers.added([made]):
            return ()  # a header of ours is a file beside this one: `apply` writes it
        return tuple(_lines_changed(_text(made.before), _text(made.after)))

    def together(self, finding: Finding) -> list[Finding]:
        """A finding with those whose fixes only succeed with its own."""
        group = finding.fix.group if finding.fix is not None else ""
        if not group:
            return [finding]
        everyone = [*self.problems, *self.checked.others.get(self.source.path, ())]
        return [one for one in everyone if one.fix is not None and one.fix.group == group]

    def fixable(self) -> list[Finding]:
        """All problems that `check --fix` fixes."""
        return check_fixes.fixable(self.checked).get(self.source.path, [])


def analyse(path: Path, text: str) -> Analysed | None:
    """The problems in the text of a file, all lines counted as new; None for a file that is not read.

    The configuration is that of the project around `path`. Raises MigrateError where it is wrong.
    """
    settings = config.load(path)
    root = Path(settings.folder) if settings.folder else path.parent
    inside = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
    chosen = dict(discovery.select(root, [inside], settings, files_for([inside])))
    data = text.encode("utf-8", "surrogatepass")
    if inside not in chosen or len(data) > settings.max_file_size:
        return None
    source = discovery.source(inside, data, chosen[inside])
    if not isinstance(source, SourceFile):
        return None
    return Analysed(source, settings, checking.check([checking.Item(source)], settings), lines(_text(source.data)))


def meaning(analysed: Analysed, line: int, column: int) -> tuple[str, int, int] | None:
    """The page on what is at a place, and the columns that it is about; line from 0, columns in characters from 0.

    A problem's rule goes before the name under the cursor. None where no rule knows the name.
    """
    for finding in analysed.problems:
        if finding.position.line == line + 1 and finding.position.column - 1 <= column < _last(finding):
            page = _page(finding.rule, finding.name, analysed.config)
            if page:
                return f"{_said(finding)}\n\n{page}", finding.position.column - 1, _last(finding)
    for found in _NAME.finditer(analysed.source.line(line + 1)):
        if found.start() <= column < found.end():
            page = _page(found[0], "", analysed.config)
            return (page, found.start(), found.end()) if page else None
    return None


def _said(finding: Finding) -> str:
    """The message of a finding, and the facts that it follows from."""
    facts = [f"- line {step.line}: {step.text}" for step in finding.trace]
    return "\n\n".join([finding.message, *(["\n".join(facts)] if facts else [])])


def _last(finding: Finding) -> int:
    """The column, from 0, just after what is found on the line where it starts."""
    one_line = finding.end.line == finding.position.line
    return finding.end.column - 1 if one_line else 1 << 30


def _page(name: str, also: str, settings: Config) -> str:
    """The page on the first of two names that a rule knows."""
    for each in filter(None, (name, also)):
        if found := lookup.explained(each, settings):
            return f"```text\n{pages.render_rules(lookup.bare(each), found[:2])}```"
    return ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def lines(text: str) -> list[str]:
    """The lines of a text with their ends, as places in findings count them: only a line feed ends one."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [text.rpartition("\n")[2]]


def _lines_changed(before: str, after: str) -> Iterator[Change]:
    """The differences of two texts, by whole lines."""
    old, new = lines(before), lines(after)
    for kind, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Change(start, end, "".join(new[first:last]))
