"""The header of the emulation that every source begins with, read once for all programs of a run: g++'s precompiled
headers.

One is kept as long as the run. g++ itself reads the header again where an option or a macro makes it another one.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cudamigrate.emulation import build
from cudamigrate.lazy_re import re

FEWEST = 8
"""Sources that must begin alike: one takes 2.4 seconds of a processor and saves each of them 0.4."""
_FILE = re.compile(r"(?:\\\s|[^\s\\])+")
"""A file in what `-MD` writes, where a blank in a name has a backslash before it."""
_PARTS = 3
"""The most folders and names of a path that an include spells: `experimental/bits/fs_fwd.h`."""


@dataclass(frozen=True, slots=True)
class FirstHeader:
    """A precompiled header: the options it was made with, and where it is.

    `names` are the ways in which an include may spell a file that it was made from.
    """

    words: tuple[str, ...]
    place: str
    names: frozenset[str]

    def fits(self, folders: Iterable[str], source: Path) -> bool:
        """Whether a source in C++ reads the very same header, with no other file of a name in its include folders."""
        if source.suffix == ".c" or build.wants_threads(source.read_bytes()):
            return False
        return not any(os.path.exists(os.path.join(folder, name)) for folder in folders for name in self.names)

    def given(self, words: Sequence[str]) -> list[str]:
        """The options for a source, which begins with this in place of the header."""
        at = words.index("-include")
        return [*words[: at + 1], self.place, *words[at + 2 :]]


def made(chosen: build.Compiler, words: Sequence[str], folder: Path) -> FirstHeader | None:
    """Precompile the first header that options name; None where the compiler is not g++ or cannot do it."""
    if chosen.is_clang:
        return None
    folder.mkdir()
    place, at = folder / "first.h", words.index("-include")
    place.write_text(f'#include "{words[at + 1]}"\n', encoding="utf-8")
    listing = folder / "first.d"
    rest = [*words[:at], *words[at + 2 :], build.from_here(), "-MD", "-MF", str(listing)]
    try:
        build.call([chosen.program, "-x", "c++-header", *rest, str(place), "-o", f"{place}.gch"])
        read = _FILE.findall(listing.read_text(encoding="utf-8", errors="surrogateescape").partition(":")[2])
    except (build.BuildError, OSError, subprocess.SubprocessError):
        return None
    parts = [os.path.normpath(file.replace("\\ ", " ")).split(os.sep) for file in read if file != str(place)]
    names = frozenset(os.sep.join(one[-count:]) for one in parts for count in range(1, min(_PARTS, len(one) - 1) + 1))
    return FirstHeader(tuple(words), str(place), names)
