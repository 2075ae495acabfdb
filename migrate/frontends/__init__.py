"""Front ends: one module per kind of file, each turning bytes into what detectors and rewrites read.

`cuda` reads the CUDA C++ code. Every other module reads build, package and environment files and has the names of
`FrontEnd`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from cudamigrate import plugins
from cudamigrate.cuda.code_files import FILES, is_cuda
from cudamigrate.model import SourceFile
from cudamigrate.shipped_data import kept, stamp

if TYPE_CHECKING:
    import re

    from cudamigrate.syntax.project_file import ProjectFile

__all__ = [
    "CODE",
    "FrontEnd",
    "cuda",
    "files_for",
    "is_cuda",
    "known_files",
    "listed",
    "parses_worse",
    "part_of",
    "project_front_end",
]

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
    return {key: language for _, files in _fronts() for key, language in files}


def _fronts() -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
    """The front ends and the files that they say are theirs; kept, as importing all of them takes long."""
    folder = Path(__file__).parent
    found: Sequence[tuple[str, Sequence[tuple[str, str]]]] = kept("front-ends", "", lambda: _stamp(folder), listed)
    return found


def _stamp(folder: Path) -> str:
    read = (*sorted(folder.glob("*.py")), folder.parent / "cuda" / "code_files.py")
    return "\n".join(map(stamp, read))


def listed() -> list[tuple[str, list[tuple[str, str]]]]:
    """The front ends and their files, by importing all of them."""
    return [(name, list(module.FILES.items())) for name, module in plugins.load(__name__).items()]


def files_for(paths: Iterable[str]) -> Mapping[str, str]:
    """`known_files`, or only those of the code where all `paths` are code."""
    if all(PurePosixPath(path).suffix.lower() in FILES for path in paths):
        return FILES
    return known_files()


@cache
def _by_language() -> Mapping[str, str]:
    """The front end of each language."""
    return {language: name for name, files in _fronts() if name != CODE for _, language in files}


def part_of(front: ModuleType, path: str) -> str:
    """The part of a repository that a file belongs to: what its front end says of the path, else of all its files."""
    by_path = getattr(front, "part", None)
    return str(by_path(path)) if by_path is not None else str(front.PART)


def project_front_end(language: str) -> ModuleType | None:
    """The front end of a language other than that of the code, None for the code. No other is imported."""
    if language in LANGUAGES or language not in _by_language():
        return None
    return plugins.one(__name__, _by_language()[language])


def parses_worse(language: str, before: bytes, after: bytes) -> bool:
    """Parse once more: a check, not a loop. Renames may change the bytes in an error node, not their share."""
    from cudamigrate.syntax import tree_sitter_nodes  # who only asks what a file is does without

    front = project_front_end(language)
    if front is not None:
        return bool(front.broken(after) > front.broken(before))
    broken = tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("cuda", after))
    if not broken:
        return False
    was = tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("cuda", before))
    return broken > was + max(64, was // 4)
