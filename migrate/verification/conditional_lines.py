"""Lines of a file around conditionals, read without its tokens: which tests are open, what later branches hold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from cudamigrate.lazy_re import re

CONDITION = re.compile(rb"\s*#\s*(if|elif|else|endif)")
"""A directive of a conditional: `#if A`, `# ifdef B`, `#endif`."""
_QUOTED_PATH = re.compile(rb'\s*#\s*include\s*"([^"]+)"')
_MACRO = re.compile(rb"\s*#\s*define\s+(\w+)")
_FUNCTION = re.compile(
    rb"\s*(?!(?:return|else|new|throw|case|goto|delete)\b)(?:[A-Za-z_<][\w:<>,]*[\s*&]+)+(\w+)\s*\((?!.*;\s*$)"
)
"""The first line of a function's definition: types and qualifiers, its name, and no end of a statement."""
_HELD = 16
"""Files whose lines are held."""


@lru_cache(_HELD)
def split(data: bytes) -> Sequence[bytes]:
    """The lines of a file: many complaints are about few files."""
    return data.splitlines()


def open_tests(data: bytes, line: int) -> Sequence[int]:
    """The tests of the conditionals that are open behind a line, outermost first: their lines up to there."""
    numbers, tests = _changes(data)
    return tests[bisect_right(numbers, line) - 1]


@lru_cache(_HELD)
def _changes(data: bytes) -> tuple[Sequence[int], Sequence[Sequence[int]]]:
    """The lines behind which other conditionals are open than before, and the lines of the tests that are then."""
    open_: list[list[int]] = []
    numbers, tests = [0], [list[int]()]
    for number, line in enumerate(split(data), 1):
        directive = CONDITION.match(line) if b"#" in line else None
        if directive is None:
            continue
        if directive[1] == b"if":
            open_.append([number])
        elif open_ and directive[1] == b"endif":
            open_.pop()
        elif open_ and directive[1] == b"elif":
            open_[-1].append(number)
        numbers.append(number)
        tests.append([one for chain in open_ for one in chain])
    return numbers, tests


def included_else(lines: Sequence[bytes]) -> Iterator[str]:
    """The files in quotes that the later branches of the conditional include whose first branch begins there."""
    depth, is_later = 0, False
    for line in lines:
        directive, path = CONDITION.match(line), _QUOTED_PATH.match(line)
        if directive is not None:
            depth += {b"if": 1, b"endif": -1}.get(directive[1], 0)
            is_later = is_later or (depth == 0 and directive[1] in (b"elif", b"else"))
            if depth < 0:
                return
        elif path is not None and is_later:
            yield path[1].decode("utf-8", "replace")


def defined(lines: Sequence[bytes]) -> Iterator[bytes]:
    """The macros and functions that the branch defines whose lines begin there, without those of conditions in it."""
    depth = 0
    for line in lines:
        directive, macro = CONDITION.match(line), _MACRO.match(line) or _FUNCTION.match(line)
        if directive is not None:
            depth += {b"if": 1, b"endif": -1}.get(directive[1], 0)
            if depth < 0 or (depth == 0 and directive[1] in (b"elif", b"else")):
                return
        elif macro is not None and depth == 0:
            yield macro[1]
