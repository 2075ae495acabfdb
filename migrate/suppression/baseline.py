"""A baseline: the findings that a project knows and lives with, by fingerprints that survive moved lines.

An entry whose file is no longer there stands for a finding of the same rule and text in another file: it was renamed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from cudamigrate import bounded_files
from cudamigrate.errors import InputError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Finding

_LARGEST = 256 << 20
"""Bytes of a baseline at most."""
SCHEMA = "cudamigrate-baseline/1"


@dataclass(frozen=True, slots=True)
class Known:
    """One known finding, as the file has it."""

    fingerprint: str
    rule: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Findings against a baseline: those that are new, how many are known, and what of it is gone."""

    new: tuple[Finding, ...]
    known: int
    gone: tuple[Known, ...]


def render(findings: Iterable[Finding]) -> str:
    """The file for the findings: an entry on one line for each, sorted, so that version control shows what changed."""
    entries = {
        finding.fingerprint: {"rule": finding.rule, "path": finding.path, "text": finding.excerpt}
        for finding in sorted(findings, key=lambda one: (one.path, one.rule, one.excerpt, one.ordinal))
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(entry, ensure_ascii=True)}" for key, entry in entries.items()]
    return f'{{\n "schema": "{SCHEMA}",\n "findings": {{\n' + ",\n".join(lines) + "\n }\n}\n"


def load(path: Path) -> dict[str, Known]:
    """The known findings by fingerprint. Raises InputError with one line that says what is wrong with the file."""
    try:
        document = json.loads(bounded_files.regular(path, _LARGEST))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Write it with `cudamigrate baseline`.") from None
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}.") from None
    except RecursionError:
        raise InputError(f"{path} is not JSON: it is nested too deeply.") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise InputError(f"{path} is not a baseline of this version. Write it again with `cudamigrate baseline`.")
    try:
        return {
            str(key): Known(str(key), str(entry["rule"]), str(entry["path"]), str(entry["text"]))
            for key, entry in document["findings"].items()
        }
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: each finding needs `rule`, `path` and `text`.") from None


class Matcher:
    """Tells known findings from new ones, each entry standing for one finding.

    `exists` tells whether there is a file of a path; it is asked once for each file of the baseline.
    """

    def __init__(self, known: Mapping[str, Known], exists: Callable[[str], bool]) -> None:
        self.known, self._exists = known, exists
        self.matched = set[str]()
        self._moved: dict[tuple[str, str], list[str]] | None = None

    def new(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings, of some files, that the baseline does not know."""
        left = []
        for finding in findings:
            if finding.fingerprint in self.known:
                self.matched.add(finding.fingerprint)
            else:
                left.append(finding)
        return [finding for finding in left if not self._was_moved(finding)]

    def gone(self) -> tuple[Known, ...]:
        """The entries that stand for none of the findings asked about."""
        return tuple(entry for key, entry in self.known.items() if key not in self.matched)

    def _was_moved(self, finding: Finding) -> bool:
        if self._moved is None:
            self._moved = {}
            there = {path: self._exists(path) for path in {entry.path for entry in self.known.values()}}
            for key, entry in self.known.items():
                if not there[entry.path]:
                    self._moved.setdefault((entry.rule, entry.text), []).append(key)
        alike = self._moved.get((finding.rule, finding.excerpt))
        if not alike:
            return False
        self.matched.add(alike.pop(0))
        return True


def compare(findings: Iterable[Finding], known: Mapping[str, Known], exists: Callable[[str], bool]) -> Standing:
    """What of all findings of a tree is new, and what of the baseline is gone."""
    listed, matcher = list(findings), Matcher(known, exists)
    new = tuple(matcher.new(listed))
    return Standing(new, len(listed) - len(new), matcher.gone())
