"""Prices that were given or published -> what each would make of the move.

The verdict compares the ratio of two prices with the speed expected: work of one hour now takes one hour divided by the
speed then, so that the move saves money from the speed on that equals the ratio.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.config import Config
from cudamigrate.errors import ConfigError
from cudamigrate.estimate.performance import plain
from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.model.estimate import PricePair, Source

Prices = Sequence[tuple[str, float]]


def given(cards: Sequence[Entry], config: Config) -> list[tuple[Entry, float, float]]:
    """The cards of which both prices were given, each with what an hour costs now and then."""
    first = cards[0]
    found = []
    for card in cards:
        then = _price(config.price_to, (card["name"], *card.get("aliases", ())), card is first)
        now = _price(config.price_from, (card["peer"],), card["peer"] == first["peer"])
        if now and then:
            found.append((card, now, then))
    return found


def _price(prices: Prices, names: Sequence[str], first: bool) -> float:
    """The price of a GPU that has some names; one without a name is the first GPU's."""
    named = [price for name, price in prices if name and plain(name) in names]
    return (named or [price for name, price in prices if not name and first] or [0.0])[-1]


def check(cards: Sequence[Entry], config: Config, gpus: Table) -> None:
    """Raise ConfigError for a price of a GPU that is not known, and for prices that make no pair."""
    amd = {str(name) for entry in gpus.all("gpu") for name in (entry["name"], *entry.get("aliases", ()))}
    nvidia = {str(entry["name"]) for entry in gpus.all("nvidia")}
    for option, prices, known in (("--price-to", config.price_to, amd), ("--price-from", config.price_from, nvidia)):
        for name, _ in prices:
            if name and plain(name) not in known:
                raise ConfigError(f"{option}: no such GPU is called {name!r}; known are {', '.join(sorted(known))}.")
    if not (config.gpu_hours and config.price_from and config.price_to):
        return
    priced = {str(card["name"]) for card, _, _ in given(cards, config)}
    for card in cards:
        name, peer = str(card["name"]), str(card["peer"])
        if name not in priced and _price(config.price_to, (name, *card.get("aliases", ())), card is cards[0]):
            raise ConfigError(f"--price-from: the price of {peer} is missing, which {name} is compared with.")
    if not priced and any(name for name, _ in config.price_to):
        raise ConfigError(f"--price-to: the price of {cards[0]['name']} is missing, which the move is to.")


def pairs(
    card: Entry, price_from: float, price_to: float, speeds: tuple[float, float] | None, said: Source, table: Table
) -> tuple[PricePair, ...]:
    """The pair that was given, then the published ones of the same two GPUs, newest first."""
    return (_pair(price_from, price_to, speeds, said), *published(card, speeds, table))


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
