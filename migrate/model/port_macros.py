"""What the files of a port show of its macros, while it is found out which of them are CUDA's or set by nobody.

What is kept of a file between runs is made of types of this room alone.
"""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MacroBody:
    """A macro, its lines, from 1, both ends included, whether its body may name CUDA, and the words of that."""

    name: str
    first: int
    last: int
    for_cuda: bool
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class MacroUse:
    """A use of a macro: in the body of the macro `inside`, or in code, which CUDA alone compiles or not."""

    name: str
    for_cuda: bool
    inside: str = ""


@dataclass(frozen=True, slots=True)
class MacroNames:
    """The macros that a file's conditions ask for, those that it defines, and the beginnings of foreign headers."""

    asked: frozenset[str]
    defined: frozenset[str]
    foreign: frozenset[str]


@dataclass(frozen=True, slots=True)
class CodeNames:
    """What a file shows of macros: their bodies, which it asks and defines, and the lines that it rules out itself."""

    path: str
    bodies: list[MacroBody]
    names: MacroNames
    dead: tuple[tuple[int, int], ...]
