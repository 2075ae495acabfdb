"""A complaint that no finding foresaw, and its line -> what to do, where the two show the cause.

Facts are in `rules/unforeseen.toml`.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic
from cudamigrate.shipped_data import table

_QUOTED = re.compile(r"'([A-Za-z_]\w*)'")


def advice(entry: Diagnostic, line: str) -> str:
    """What to do about an error at a line of code, empty where only its author can know."""
    if entry.kind != "error":
        return ""
    for row in table("unforeseen")["hint"]:
        said = any(part in line for part in row.get("line", ("",))) and _noted(row, entry)
        at = re.compile(row.get("at", "")).match(line, entry.place.column - 1) if said else None
        if at is not None and _fits(row, entry.message):
            names = [*_QUOTED.findall(entry.message), *at.groups()]
            return str(row["advice"]).replace("{name}", next(reversed(names), ""))
    return ""


def is_stricter(message: str) -> bool:
    """Whether clang refuses with a message what nvcc accepts: that a file never compiled with clang says nothing."""
    return any(row.get("stricter", False) and _fits(row, message) for row in table("unforeseen")["hint"])


def _fits(row: dict[str, list[str]], message: str) -> bool:
    """Whether a message says what a hint is about."""
    says = any(part in message for part in row["says"])
    return says and _any_of(row, "names", set(_QUOTED.findall(message)))


def _noted(row: dict[str, list[str]], entry: Diagnostic) -> bool:
    """Whether a note about a candidate says what a hint is about."""
    return "notes" not in row or any(part in note for part in row["notes"] for note in entry.said)


def _any_of(row: dict[str, list[str]], key: str, found: set[str]) -> bool:
    return key not in row or not found.isdisjoint(row[key])
