"""A baseline: the findings that a project knows and lives with, by fingerprints that survive moved lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from cudamigrate.errors import InputError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Finding

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
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. Write it with `cudamigrate baseline`.") from None
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}.") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise InputError(f"{path} is not a baseline of this version. Write it again with `cudamigrate baseline`.")
    try:
        return {
            str(key): Known(str(key), str(entry["rule"]), str(entry["path"]), str(entry["text"]))
            for key, entry in document["findings"].items()
        }
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: each finding needs `rule`, `path` and `text`.") from None


def compare(findings: Iterable[Finding], known: dict[str, Known]) -> Standing:
    """What of the findings is new, and what of the baseline is gone."""
    listed = list(findings)
    present = {finding.fingerprint for finding in listed}
    new = tuple(finding for finding in listed if finding.fingerprint not in known)
    gone = tuple(entry for key, entry in known.items() if key not in present)
    return Standing(new, len(listed) - len(new), gone)
