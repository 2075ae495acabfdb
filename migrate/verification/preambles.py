"""Units -> the same units with what many of them include first parsed once: see `compilation/preamble.py`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from cudamigrate import parallel, plugins
from cudamigrate.compilation import preamble
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.model.verification import Toolchain, Unit

_Wanted = tuple[Unit, tuple[str, ...], str]
"""A unit whose flags count and whose preamble is built upon, the headers, and where the result goes."""
_Item = tuple[Unit, tuple[str, ...], str, int]
"""The same, with the number of the pass."""


def prepared(units: Sequence[Unit], chosen: Toolchain, tree: IncludeResolver, folder: str, jobs: int) -> list[Unit]:
    """The units, with a preamble where one fits; `folder` takes the files. Engines without preambles change nothing.

    What the compiler itself includes is made first, and each other preamble builds upon it.
    """
    if not hasattr(plugins.load("cudamigrate.compilation.engines")[chosen.engine], "precompile"):
        return list(units)
    groups = preamble.shared(units, tree)
    make = partial(_all_made, chosen=chosen, jobs=jobs)
    plain = dict.fromkeys(first for first, _ in groups)
    bases = make([(first, (), os.path.join(folder, f"base-{number}")) for number, first in enumerate(plain)])
    under = {first: place for first, _, place in bases}
    several = make(
        [
            (replace(first, preamble=under.get(first, "")), headers, os.path.join(folder, f"preamble-{number}"))
            for number, (first, headers) in enumerate(groups)
            if headers
        ]
    )
    places = {
        (replace(first, preamble=""), headers): (place, files) for (first, headers, place), files in several.items()
    }
    made: dict[Unit, str] = {}
    searched = (*chosen.headers, *chosen.declarations)
    for (first, _, place), files in bases.items():
        alike = {unit: frozenset[str]() for unit in units if preamble.key(unit) == preamble.key(first)}
        made.update(_fitting(place, files, alike.items(), searched))
    for group, members in groups.items():
        if group in places:
            made.update(_fitting(*places[group], members, searched))
    return preamble.given(units, made)


def _fitting(
    place: str, files: frozenset[str], members: Iterable[tuple[Unit, frozenset[str]]], searched: Sequence[str]
) -> dict[Unit, str]:
    """The preamble for those of the units, each with the macros that it defines before, that it is right for."""
    fitting = preamble.Fitting(sorted(files), searched)
    return {unit: place for unit, macros in members if fitting.fits(unit, macros)}


def _all_made(wanted: Sequence[_Wanted], chosen: Toolchain, jobs: int) -> dict[_Wanted, frozenset[str]]:
    """The files that each of the precompiled headers was made from; those that a pass could not be made for are not."""
    items = [(*one, number) for one in wanted for number in range(len(one[0].arch) + 1)]
    done = parallel.run(partial(_made, chosen=chosen), items, jobs, batch=1, lost=_unmade)
    found: dict[_Wanted, list[tuple[str, ...]]] = {}
    for item, files in zip(items, done, strict=True):
        found.setdefault(item[:3], []).append(files)
    folders = {os.path.dirname(place) for _, _, place in wanted}
    return {
        one: frozenset(file for files in passes for file in files if os.path.dirname(file) not in folders)
        for one, passes in found.items()
        if all(passes)
    }


def _unmade(item: _Item, reason: str) -> tuple[str, ...]:
    """A preamble that the engine did not survive: there is none."""
    return ()


def _made(item: _Item, chosen: Toolchain) -> tuple[str, ...]:
    unit, headers, place, number = item
    engine = plugins.load("cudamigrate.compilation.engines")[chosen.engine]
    files: tuple[str, ...] = engine.precompile(unit, headers, chosen, place, number)
    return files
