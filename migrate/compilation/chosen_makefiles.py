"""Makefiles that are chosen by name, `make -f makefile.gpu`, and the units that one of them alone compiles.

Beside a Makefile that a plain `make` reads, another one speaks for the units that it compiles and the plain one does
not: an object that no rule needs, as a variable with more of them is empty, is not compiled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cudamigrate.compilation.make_functions import UNKNOWN
from cudamigrate.compilation.makefile_flags import Reading, read
from cudamigrate.lazy_re import re

PLAIN = frozenset(("GNUmakefile", "makefile", "Makefile"))
"""What a plain `make` reads. Source: GNU make's manual, "What Name to Give Your Makefile"."""
COMPILES = re.compile(r"nvcc|hipcc|g\+\+|clang|\$[({](?:CXX|CC|NVCC)[)}]")
"""What a Makefile that compiles calls: `nvcc`, `hipcc`, `g++`, `clang++`, `$(CXX)`, `${CXX}`."""
_CHOSEN = re.compile(r"(?:GNUm|[mM])akefile[._-](\w[\w.-]*)")
"""A Makefile's name beside which there are others: `Makefile.linux`, `makefile.gpu.serial`."""
_TEMPLATES = ("am", "in", "bak", "orig", "old")
_FOR_GPU = re.compile(r"(?i)nvcc|hipcc|cuda")
"""What a Makefile for a GPU has, whose rules may be in another that it includes."""
_UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c", ".hip")
_BY_PATTERN = re.compile(r"%\.cu\b|^\.cu\.|\.cu[.:]o\b", re.MULTILINE)
"""A rule that compiles whatever source for the GPU: `%.o: %.cu`, `.cu.o:`, `$(SOURCES:.cu=.o)`."""
_MOST = 32
"""So many Makefiles of one folder are read."""


def of_folder(entries: Iterable[Path], text: Callable[[Path], str]) -> Iterator[Path]:
    """The Makefiles of a folder that are chosen by name.

    Where a plain one is there, those for a GPU; else one that compiles something, if possible for a GPU. `text` reads a
    file.
    """
    listed = list(entries)
    named = [one for one in listed if (match := _CHOSEN.fullmatch(one.name)) and match[1] not in _TEMPLATES]
    texts = {one: text(one) for one in named[:_MOST] if one.is_file()}
    for_gpu = [one for one in texts if _FOR_GPU.search(texts[one])]
    if any(one.name in PLAIN for one in listed):
        yield from for_gpu
        return
    found = [one for one in texts if COMPILES.search(texts[one])]
    yield from sorted(found, key=lambda one: one not in for_gpu)[:1]


def is_beside_plain(path: Path) -> bool:
    """Whether a Makefile is chosen by name although its folder has one that a plain `make` reads."""
    return _CHOSEN.fullmatch(path.name) is not None and any((path.parent / name).is_file() for name in PLAIN)


def own_units(path: Path, reading: Reading, root: Path) -> list[str]:
    """The absolute paths of the units that a Makefile compiles, and the plain one beside it does not."""
    plain = next((path.parent / name for name in sorted(PLAIN) if (path.parent / name).is_file()), None)
    other = read(plain, root) if plain is not None else Reading(root)
    if any(_BY_PATTERN.search(rule) for rule in other.rules):
        return []
    more = dict.fromkeys(_units(reading)).keys() - set(_units(other))
    found = sorted(os.path.normpath(path.parent / name) for name in more)
    return [one for one in found if os.path.isfile(one)]


def _units(reading: Reading) -> Iterator[str]:
    """The units in the rules of a Makefile, without those of an object that no other rule needs."""
    needed = {word for rule in reading.rules for word in reading.expanded(rule).partition(":")[2].split()}
    for rule, recipe, _ in reading.compiled():
        made, _, given = rule.partition(":")
        objects = [word for word in made.split() if word.endswith(".o")]
        if COMPILES.search(recipe) and (not objects or not needed.isdisjoint(objects)):
            words = (word for word in given.split() if word.endswith(_UNITS))
            yield from (os.path.normpath(word) for word in words if UNKNOWN not in word and "%" not in word)
