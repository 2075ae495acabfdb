"""Numbers with what they count, as every message writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def count_of(number: int, thing: str) -> str:
    """A number, its thousands apart, and what it counts, in the plural where it is not one: `1 file`, `2,000 fixes`."""
    ending = "" if number == 1 else "es" if thing.endswith("x") else "s"
    return f"{number:,} {thing}{ending}"


FOLDERS_SHOWN = 5
"""How many folders one line names."""


def series(names: Iterable[str]) -> str:
    """Names in a sentence: `a`, `a and b`, `a, b and c`; empty without names."""
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def vendored_files(counts: Mapping[str, int]) -> str:
    """That folders of other people's code were skipped, those with the most files by name; empty where none were.

    `counts` has the files of each such folder.
    """
    if not counts:
        return ""
    largest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:FOLDERS_SHOWN]
    shown = ", ".join(f"{folder}/ {count:,}" for folder, count in largest)
    files = count_of(sum(counts.values()), "file")
    return (
        f"{files} in vendored folders skipped: {shown}{and_more(len(counts) - FOLDERS_SHOWN)} (--vendored enters them)"
    )


def and_more(hidden: int) -> str:
    """How many are not shown; empty where all are."""
    return f" and {hidden:,} more" if hidden > 0 else ""
