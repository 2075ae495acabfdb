"""Front ends: one module per kind of file, each turning bytes into what detectors and rewrites read.

`cuda` reads the CUDA C++ code. Every other module reads files beside the code and has the names of `FrontEnd`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath
from types import ModuleType
from typing import Protocol

from migrate import plugins
from migrate.model import SourceFile
from migrate.syntax.project_file import ProjectFile

__all__ = ["CODE", "FrontEnd", "cuda", "files_for", "known_files", "part_of", "project_front_end"]

CODE = "cuda"
"""The module for the code itself."""
LANGUAGES = ("cuda", "cxx", "")
"""Languages of the code; empty where a file is known to be code."""


class FrontEnd(Protocol):
    """The names that each module of this package but `cuda` has.

    `FILES` maps file names, globs of names and suffixes to languages, `PART` is the part of a repository that the
    files belong to, and `TRIGGER` matches somewhere in every file that is worth parsing.
    """

    FILES: Mapping[str, str]
    PART: str
    TRIGGER: re.Pattern[bytes]

    def parse(self, source: SourceFile) -> ProjectFile:
        """Read `source`. Never raises on any bytes."""
        ...

    def broken(self, data: bytes) -> int:
        """How broken the text of a file is: 0 where it is sound. A rewritten file may not be worse than it was."""
        ...


@cache
def known_files() -> Mapping[str, str]:
    """What file names, globs and suffixes say of a file's language, of all front ends."""
    return {key: language for module in plugins.load(__name__).values() for key, language in module.FILES.items()}


def files_for(paths: Iterable[str]) -> Mapping[str, str]:
    """`known_files`, or only those of the code where all `paths` are code: no other front end is imported then."""
    code = plugins.one(__name__, CODE)
    if code is not None and all(PurePosixPath(path).suffix.lower() in code.FILES for path in paths):
        only: Mapping[str, str] = code.FILES
        return only
    return known_files()


@cache
def _modules() -> Mapping[str, ModuleType]:
    loaded = plugins.load(__name__)
    return {
        language: module for name, module in loaded.items() if name != CODE for language in set(module.FILES.values())
    }


def part_of(front: ModuleType, path: str) -> str:
    """The part of a repository that a file belongs to: what its front end says of the path, else of all its files."""
    by_path = getattr(front, "part", None)
    return str(by_path(path)) if by_path is not None else str(front.PART)


def project_front_end(language: str) -> ModuleType | None:
    """The front end of a language other than that of the code, None for the code, which imports no other."""
    return None if language in LANGUAGES else _modules().get(language)
