"""Makefiles that are chosen by name, `make -f makefile.gpu`, and the units that one of them alone compiles.

Beside a Makefile that a plain `make` reads, another one speaks for the units that its rules name and the plain one's
do not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cudamigrate.compilation.make_functions import UNKNOWN
from cudamigrate.compilation.makefile_flags import Reading
from cudamigrate.lazy_re import re

PLAIN = frozenset(("GNUmakefile", "makefile", "Makefile"))
"""What a plain `make` reads. Source: GNU make's manual, "What Name to Give Your Makefile"."""
COMPILES = re.compile(r"nvcc|hipcc|g\+\+|clang|\$[({](?:CXX|CC|NVCC)[)}]")
"""What a Makefile that compiles calls: `nvcc`, `hipcc`, `g++`, `clang++`, `$(CXX)`, `${CXX}`."""
_CHOSEN = re.compile(r"(?:GNUm|[mM])akefile[._-](\w[\w.-]*)")
"""A Makefile's name beside which there are others: `Makefile.linux`, `makefile.gpu.serial`."""
_TEMPLATES = ("am", "in", "bak", "orig", "old")
_FOR_GPU = re.compile(r"nvcc|hipcc|\$[({](?:NVCC|HIPCC)[)}]")
_UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c", ".hip")
_BY_PATTERN = re.compile(r"%\.cu\b|^\.cu\.|\.cu[.:]o\b", re.MULTILINE)
"""A rule that compiles whatever source for the GPU: `%.o: %.cu`, `.cu.o:`, `$(SOURCES:.cu=.o)`."""
_MOST = 32
"""So many Makefiles of one folder are read."""


def of_folder(entries: Iterable[Path], text: Callable[[Path], str]) -> Iterator[Path]:
    """The Makefiles of a folder that are chosen by name and compile something.

    Where a plain one is there, those that compile for a GPU; else one, if possible for a GPU. `text` reads a file.
    """
    listed = list(entries)
    named = [one for one in listed if (match := _CHOSEN.fullmatch(one.name)) and match[1] not in _TEMPLATES]
    texts = {one: text(one) for one in named[:_MOST] if one.is_file()}
    found = [one for one in texts if COMPILES.search(texts[one])]
    for_gpu = [one for one in found if _FOR_GPU.search(texts[one])]
    plain = any(one.name in PLAIN for one in listed)
    yield from for_gpu if plain else (for_gpu or found)[:1]


def is_beside_plain(path: Path) -> bool:
    """Whether a Makefile is chosen by name although its folder has one that a plain `make` reads."""
    return _CHOSEN.fullmatch(path.name) is not None and any((path.parent / name).is_file() for name in PLAIN)


def own_units(path: Path, reading: Reading, text: Callable[[Path], str]) -> list[str]:
    """The absolute paths of the units that the rules of a Makefile name, and the plain one beside it does not."""
    others = [text(path.parent / name) for name in sorted(PLAIN) if (path.parent / name).is_file()]
    if any(_BY_PATTERN.search(one) for one in others):
        return []
    named = (name for rule, recipe, _ in reading.compiled() if COMPILES.search(recipe) for name in _sources(rule))
    units = dict.fromkeys(os.path.normpath(path.parent / name) for name in named)
    return [one for one in units if os.path.isfile(one) and not any(os.path.basename(one) in each for each in others)]


def _sources(rule: str) -> Iterator[str]:
    words = rule.partition(":")[2].split()
    return (word for word in words if word.endswith(_UNITS) and UNKNOWN not in word and "%" not in word)
