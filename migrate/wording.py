"""Numbers with what they count, as every message writes them."""

from __future__ import annotations


def count_of(number: int, thing: str) -> str:
    """A number, its thousands apart, and what it counts, in the plural where it is not one: `1 file`, `2,000 fixes`."""
    ending = "" if number == 1 else "es" if thing.endswith("x") else "s"
    return f"{number:,} {thing}{ending}"
