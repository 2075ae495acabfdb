"""Branches of conditionals in Makefiles that make never reads together: `ifeq ($(GPU),)` here, its `else` there."""

from __future__ import annotations

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.lazy_re import re
from cudamigrate.syntax.makefile import Line

Asked = frozenset[tuple[str, bytes, bool]]
"""What is asked around a place, `eq` or `def` with the words that are compared, and whether that holds there."""
NOTHING: Asked = frozenset()
_BLANK = re.compile(rb"\s+")


def changes(file: Makefile) -> dict[int, Asked]:
    """What is asked from each line of a conditional on: what holds there, and what before an `else` does not."""
    found = dict[int, Asked]()
    levels: list[list[tuple[str, bytes, bool]]] = []
    for line in file.lines:
        if line.kind == "conditional":
            _change(levels, file, line)
            found[line.span.start] = frozenset(one for level in levels for one in level)
    return found


def exclude(one: Asked, other: Asked) -> bool:
    """Whether make reads no two places together, as far as conditions are spelled alike."""
    return any((kind, words, not holds) in other for kind, words, holds in one)


def _change(levels: list[list[tuple[str, bytes, bool]]], file: Makefile, line: Line) -> None:
    """Take a line of a conditional into the open ones."""
    is_other = file.text(line.span).lstrip().startswith(b"else")
    if line.name == "endif" or (is_other and not levels):
        del levels[-1:]
        return
    if is_other and levels[-1]:
        kind, words, holds = levels[-1][-1]
        levels[-1][-1] = (kind, words, not holds)
    elif not is_other:
        levels.append([])
    if line.name != "else":
        words = _BLANK.sub(b"", file.text(line.value))
        kind = line.name.removeprefix("if").removeprefix("n")
        levels[-1].append((kind, words, not line.name.startswith("ifn")))
