"""Macros without which a file refuses to be compiled: whatever build compiles it gives them.

`#ifndef LIB_USE_GPU`, `#error`: what the file is without the macro, nobody compiles, so it is judged with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Checked, Place, Unit
from cudamigrate.verification.conditional_lines import split
from cudamigrate.verification.open_regions import OF_COMPILERS, OF_PLATFORMS

_ERROR = re.compile(rb"[ \t]*#[ \t]*error\b")
_OPENING = re.compile(rb"[ \t]*#[ \t]*if")
_UNSET = re.compile(
    rb"[ \t]*#[ \t]*(?:ifndef[ \t]+(\w+)|if[ \t]+!\s*defined[ \t]*\(?[ \t]*(\w+)[ \t]*\)?)[ \t]*(?://.*|/\*.*)?"
)
"""A condition that asks for one macro, and for nothing else, whether it is not set."""
_MOST = 3
"""How many macros of a file are found, one behind the other."""


def judged_again(
    units: Sequence[Unit],
    checked: Sequence[Checked],
    text: Callable[[str], bytes],
    check: Callable[[Sequence[Unit]], Sequence[Checked]],
) -> tuple[list[Unit], list[Checked]]:
    """The units and what the engine says of them, of those that lack such a macro what it says with it.

    `text` gives the bytes of a file of the tree, `check` asks the engine.
    """
    units, checked = list(units), list(checked)
    for _ in range(_MOST):
        lacking = {at: name for at, done in enumerate(checked) if (name := required(units[at], done, text))}
        if not lacking:
            break
        for at, name in lacking.items():
            flags = units[at].flags
            source = f"{flags.source}; {name}, as the code demands"
            given, demanded = (*flags.defines, name), (*flags.demanded, name)
            units[at] = replace(units[at], flags=replace(flags, defines=given, source=source, demanded=demanded))
        for at, done in zip(lacking, check([units[at] for at in lacking]), strict=True):
            checked[at] = replace(done, seconds=done.seconds + checked[at].seconds)
    return units, checked


def may_demand(unit: Unit, paths: Iterable[str], text: Callable[[str], bytes]) -> bool:
    """Whether one of the files that a unit reads has such an `#error` about a macro that its flags do not give.

    A conditional around it may leave it out.
    """
    given = unit.flags.macros
    for path in paths:
        data = text(path)
        lines = split(data) if b"error" in data else ()
        stops = (number for number, line in enumerate(lines, 1) if _ERROR.match(line))
        if any(name not in given for number in stops for name in _asked(lines, number)):
            return True
    return False


def required(unit: Unit, done: Checked, text: Callable[[str], bytes]) -> str:
    """The first macro that a unit stops for, and that its flags do not give; empty where there is none."""
    given = unit.flags.macros
    read = cache(text)
    places = dict.fromkeys(one.place for one in done.diagnostics if one.kind == "error" and one.message)
    names = (name for place in places for name in _demanded(place, read))
    return next((name for name in names if name not in given), "")


def _demanded(place: Place, text: Callable[[str], bytes]) -> Iterator[str]:
    """The macro whose absence an `#error` at a place is about, as the condition directly before it says."""
    if not place.path.startswith("/"):
        yield from _asked(split(text(place.path)), place.line)


def _asked(lines: Sequence[bytes], number: int) -> Iterator[str]:
    """The macro that the condition directly before a line, an `#error`, asks for; lines are counted from 1."""
    if not 1 < number <= len(lines) or not _ERROR.match(lines[number - 1]):
        return
    before = next((line for line in reversed(lines[: number - 1]) if line.strip()), b"")
    match = _UNSET.fullmatch(before.rstrip()) if _OPENING.match(before) else None
    name = (match[1] or match[2]) if match is not None else b""
    if name and not OF_COMPILERS.match(name) and not OF_PLATFORMS.match(name):
        yield name.decode()
