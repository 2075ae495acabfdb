"""Parses many small texts with libclang, with the headers that all of them include first read once."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

_FOR_LATER = 0x10 | 0x2
"""libclang's options for what is saved and read again: prepared for serialisation, and no whole program."""


def parsed(name: str, words: Sequence[str], text: str) -> Any:
    """The tree of a text, called `name`, with these options; what they `-include` is read from where it was kept."""
    import clang.cindex as clang

    return clang.Index.create().parse(name, [*_kept(tuple(words))], unsaved_files=[(name, text)])


@cache
def _kept(words: tuple[str, ...]) -> tuple[str, ...]:
    """The options with the headers that they include first as one precompiled header, made once in each process."""
    import clang.cindex as clang

    starts = {place for place, word in enumerate(words) if word == "-include"}
    rest = [word for place, word in enumerate(words) if place not in starts and place - 1 not in starts]
    folder = Path(tempfile.mkdtemp(prefix="cudamigrate-parsed-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    empty = folder / "first.h"
    empty.touch()
    tree = clang.Index.create().parse(str(empty), [*words], options=_FOR_LATER)
    assert [str(entry) for entry in tree.diagnostics] == []
    tree.save(f"{empty}.pch")
    return (*rest, "-include-pch", f"{empty}.pch")
