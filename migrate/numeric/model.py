"""What travels from a tree's sources to the files of a harness."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.numeric.guess import Argument


@dataclass(frozen=True, slots=True)
class Case:
    """One exported function as an entry of the harness; `unclear` says why it has no arguments yet."""

    name: str
    module: str
    module_note: str
    function: str
    source: str
    arguments: tuple[Argument, ...] = ()
    keywords: tuple[str, ...] = ()
    opaque: bool = False
    unclear: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """A file with `main`."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a tree offers to run: exported functions, programs, and what was seen and is left out."""

    title: str
    imports: tuple[str, ...]
    cases: tuple[Case, ...]
    programs: tuple[Program, ...]
    left: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.cases or self.programs)
