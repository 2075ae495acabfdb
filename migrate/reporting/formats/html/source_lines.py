"""Findings -> the source lines around them, each line of a file once.

Neighbouring findings show the same lines, and a line is known by its file and its number. So a finding carries how many
lines it shows above, at and below its place, and the page carries the lines in the order of files and numbers, where
like is beside like. `page.js` counts along in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudamigrate.model import Finding, JsonValue

PARTS = ("above", "before", "below")


class SourceLines:
    """The lines of the findings of a page; `paths` are its files in their order.

    `lines` are the different texts, `repeated` is for each line of each file 0 where its text is the next of `lines`,
    else the number of the text plus one.
    """

    def __init__(self, findings: Sequence[Finding], paths: Iterable[str]) -> None:
        self._known: dict[str, dict[int, str]] = {}
        for finding in findings:
            known = self._known.setdefault(finding.path, {})
            for number, texts in _parts(finding):
                for at, text in enumerate(texts, number):
                    known.setdefault(at, text)
        shown: dict[str, set[int]] = {}
        for finding in findings:
            for number, texts in _parts(finding):
                if self._is_known(finding.path, number, texts):
                    shown.setdefault(finding.path, set()).update(range(number, number + len(texts)))
        self._numbers: dict[str, int] = {}
        self.repeated = [
            self._repeated(self._known[path][number]) for path in paths for number in sorted(shown.get(path, ()))
        ]

    @property
    def lines(self) -> list[str]:
        """The texts that were numbered so far."""
        return list(self._numbers)

    def of(self, finding: Finding) -> list[JsonValue]:
        """What a finding shows above, at and below its place: how many lines, or the texts where these are others.

        A line that is cut to another part of it at another finding is written out.
        """
        return [
            len(texts) if self._is_known(finding.path, number, texts) else list(map(self._number, texts))
            for number, texts in _parts(finding)
        ]

    def _is_known(self, path: str, number: int, texts: Sequence[str]) -> bool:
        known = self._known[path]
        return all(known[at] == text for at, text in enumerate(texts, number))

    def _repeated(self, text: str) -> int:
        number = len(self._numbers)
        return 0 if self._numbers.setdefault(text, number) == number else self._numbers[text] + 1

    def _number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))


def _parts(finding: Finding) -> list[tuple[int, list[str]]]:
    """The lines above, at and below the place of a finding, each part with the number of its first line."""
    above, before, below = (
        text.split("\n") if text else [] for text in (finding.above, finding.before or finding.excerpt, finding.below)
    )
    line = finding.position.line
    return [(line - len(above), above), (line, before), (line + len(before), below)]
