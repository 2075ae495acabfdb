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
    named = set(_QUOTED.findall(entry.message))
    for row in table("unforeseen")["hint"]:
        says = any(part in entry.message for part in row["says"])
        if says and _any_of(row, "names", named) and any(part in line for part in row.get("line", ("",))):
            return str(row["advice"])
    return ""


def _any_of(row: dict[str, list[str]], key: str, found: set[str]) -> bool:
    return key not in row or not found.isdisjoint(row[key])
