"""Units -> the same units with what many of them include first parsed once: see `compilation/preamble.py`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial

from cudamigrate import parallel, plugins
from cudamigrate.compilation import preamble
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.model.verification import Toolchain, Unit

_Item = tuple[Unit, tuple[str, ...], str, int]
"""A unit whose flags count, the headers, where the result goes, and the number of the pass."""


def prepared(units: Sequence[Unit], chosen: Toolchain, tree: IncludeResolver, folder: str, jobs: int) -> list[Unit]:
    """The units, with a preamble where one fits; `folder` takes the files. Engines without preambles change nothing."""
    if not hasattr(plugins.load("cudamigrate.compilation.engines")[chosen.engine], "precompile"):
        return list(units)
    groups = preamble.shared(units, tree)
    items: list[_Item] = []
    for number, (first, headers) in enumerate(groups):
        passes = range(len(first.arch) + 1)
        items += [(first, headers, os.path.join(folder, f"preamble-{number}"), at) for at in passes]
    read: dict[str, list[tuple[str, ...]]] = {}
    for item, files in zip(
        items, parallel.run(partial(_made, chosen=chosen), items, jobs, batch=1, lost=_unmade), strict=True
    ):
        read.setdefault(item[2], []).append(files)
    made: dict[Unit, str] = {}
    searched = (*chosen.headers, *chosen.declarations)
    for (place, passes_read), members in zip(read.items(), groups.values(), strict=True):
        if all(passes_read):
            named = sorted({file for one in passes_read for file in one if not file.startswith(folder)})
            fitting = preamble.Fitting(named, searched)
            made.update({unit: place for unit, macros in members if fitting.fits(unit, macros)})
    return preamble.given(units, made)


def _unmade(item: _Item, reason: str) -> tuple[str, ...]:
    """A preamble that the engine did not survive: there is none."""
    return ()


def _made(item: _Item, chosen: Toolchain) -> tuple[str, ...]:
    unit, headers, place, number = item
    engine = plugins.load("cudamigrate.compilation.engines")[chosen.engine]
    files: tuple[str, ...] = engine.precompile(unit, headers, chosen, place, number)
    return files
