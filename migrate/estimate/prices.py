"""Published prices of pairs of GPUs -> what each would make of the move, beside the price that was given.

The verdict compares the ratio of two prices with the speed expected: work of one hour now takes one hour divided by the
speed then, so that the move saves money from the speed on that equals the ratio.
"""

from __future__ import annotations

from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.model.estimate import PricePair, Source


def pairs(
    card: Entry, price_from: float, price_to: float, speeds: tuple[float, float] | None, given: Source, table: Table
) -> tuple[PricePair, ...]:
    """The pair that was given, then the published ones of the same two GPUs, newest first."""
    return (_pair(price_from, price_to, speeds, given), *published(card, speeds, table))


def published(card: Entry, speeds: tuple[float, float] | None, table: Table) -> tuple[PricePair, ...]:
    """The published pairs of prices of a card and the GPU that it is compared with, newest first."""
    known = [entry for entry in table.all("pair") if (entry["gpu"], entry["from"]) == (card["name"], card["peer"])]
    known.sort(key=lambda entry: table.source(entry).date, reverse=True)
    return tuple(
        _pair(entry["price-from"], entry["price-to"], speeds, table.source(entry), str(entry.get("against", "")))
        for entry in known
    )


def contrary(card: Entry, table: Table) -> tuple[Source, ...]:
    """Measurements of the same two GPUs that speak against a move."""
    every = table.all("contrary")
    return tuple(table.source(one) for one in every if (one["gpu"], one["from"]) == (card["name"], card["peer"]))


def _pair(
    price_from: float, price_to: float, speeds: tuple[float, float] | None, source: Source, against: str = ""
) -> PricePair:
    ratio = price_to / price_from
    return PricePair(price_from, price_to, round(ratio, 4), verdict(ratio, speeds), source, against)


def verdict(ratio: float, speeds: tuple[float, float] | None) -> str:
    """What a ratio of prices says at the lowest and the highest speed expected."""
    if speeds is None:
        return f"saves from {100 * ratio:.0f} % of the speed on"
    low, high = speeds
    if ratio < low:
        return "saves at every speed expected"
    return "saves at the higher speeds alone" if ratio < high else "costs more at every speed expected"
