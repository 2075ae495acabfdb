"""The build files of a tree: which there are, and their text. None is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked

COMPILES = re.compile(r"nvcc|hipcc|g\+\+|clang|\$[({](?:CXX|CC|NVCC)[)}]")
"""What a Makefile that compiles calls: `nvcc`, `hipcc`, `g++`, `clang++`, `$(CXX)`, `${CXX}`."""
_CHOSEN = re.compile(r"(?:GNUm|[mM])akefile[._-](\w+)")
"""A Makefile's name beside which there are others: `Makefile.linux`."""
_DEPTH = 12
"""How many folders deep build files are looked for."""


def listed(root: Path, ends: tuple[str, ...] = (".cmake",)) -> Iterator[Path]:
    """Build files of the project's own and those with one of some endings, outermost folders first."""
    wanted = {"compile_commands.json", "setup.py", "CMakeLists.txt", "makefile", "gnumakefile", "Makefile"}
    level = [root]
    for _ in range(_DEPTH):
        below: list[Path] = []
        for folder in level:
            try:
                entries = sorted(folder.iterdir())
            except OSError:
                continue
            files = (entry for entry in entries if entry.name in wanted or entry.suffix in ends)
            there = [entry for entry in files if entry.is_file()]
            yield from there
            if wanted.isdisjoint(entry.name for entry in there):
                yield from _chosen_makefile(entries)
            below += [
                entry
                for entry in entries
                if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith((".", "third", "extern"))
            ]
        level = below


def _chosen_makefile(entries: Iterable[Path]) -> Iterator[Path]:
    """The first of the Makefiles that are chosen by name, as in `make -f Makefile.linux`, that compiles something."""
    for entry in entries:
        chosen = _CHOSEN.fullmatch(entry.name)
        if chosen and chosen[1] not in ("am", "in") and entry.is_file() and COMPILES.search(text(entry)):
            yield entry
            return


def text(path: Path) -> str:
    """The text of a build file, empty where it cannot be read."""
    try:
        return read_linked(path).decode("utf-8", "replace")
    except OSError:
        return ""
