"""What clang includes first of itself for HIP, parsed once in each process for all tests that judge small trees.

Reading it is most of the work of a parse. A run makes it once for its own files (`verification/preambles.py`), and
that is what is kept here from one test to the next, by the same function of the engine and under the same conditions.
Tests of the engines and of preambles do without.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cudamigrate.compilation import leads, preamble, toolchain
from cudamigrate.compilation.engines import clang
from cudamigrate.model.verification import Flags, Toolchain, Unit

_FROM = 2
"""The use from which on it is kept: options that one test alone has are not worth it."""
_NOTHING = leads.Lead((), frozenset())
_Kept = tuple[str, tuple[str, ...]]
"""Where precompiled headers are, and the files that they were made from."""
_parse, _precompile = clang.parse, clang.precompile
_uses: Counter[tuple[Unit, Toolchain, int]] = Counter()


def use(patch: pytest.MonkeyPatch) -> None:
    """Let the engine begin with what is kept."""
    patch.setattr(clang, "parse", _parsed)
    patch.setattr(clang, "precompile", _precompiled)


def _parsed(unit: Unit, chosen: Toolchain, options: Sequence[str], how: int = clang._KEEP_GOING) -> Any:
    """As the engine's `parse`."""
    kept = _kept(unit, chosen, list(options)) if how == clang._KEEP_GOING else None
    if kept is None:
        return _parse(unit, chosen, options, how)
    place, files = kept
    begun = ["-include-pch", f"{place}.pch", "-include", f"{place}.h"]
    tree = _parse(replace(unit, preamble=place), chosen, [*begun, *options], how)
    own = [one for one in tree.get_includes() if str(one.include.name) != f"{place}.h"]
    tree.get_includes = lambda: [*(SimpleNamespace(include=SimpleNamespace(name=file)) for file in files), *own]
    return tree


def _precompiled(unit: Unit, headers: Sequence[str], chosen: Toolchain, place: str, number: int) -> tuple[str, ...]:
    """As the engine's `precompile`."""
    kept = None if headers else _kept(unit, chosen, list(clang.passes(unit))[number][2])
    if kept is None:
        return _precompile(unit, headers, chosen, place, number)
    for end in ("pch", "txt", "h"):
        os.symlink(f"{kept[0]}.{end}", f"{place}.{number}.{end}")
    return kept[1]


def _kept(unit: Unit, chosen: Toolchain, options: list[str]) -> _Kept | None:
    """What is kept of a pass's beginning; None where there is none, or where something of the unit changes it."""
    passes = [options == own for _, _, own in clang.passes(unit)]
    if unit.preamble or unit.host or unit.language != "hip" or unit.flags.forced or True not in passes:
        return None
    first, number = Unit("", "", Flags(unit.flags.standard, unit.flags.defines), unit.arch), passes.index(True)
    _uses[first, chosen, number] += 1
    if _uses[first, chosen, number] < _FROM:
        return None
    place, files = _made(first, chosen, number)
    searched = (*chosen.headers, *chosen.declarations, *toolchain.standard_library())
    return (place, files) if files and preamble.Fitting(files, searched).fits(unit, _NOTHING) else None


@cache
def _made(first: Unit, chosen: Toolchain, number: int) -> _Kept:
    folder = Path(tempfile.mkdtemp(prefix="cudamigrate-kept-headers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return f"{folder}/first.{number}", _precompile(first, (), chosen, f"{folder}/first", number)
