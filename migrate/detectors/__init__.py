"""Detectors: one module per thing that a name cannot show.

A detector is a module with one name, `find`. Its file name is what rules write under `detector`; the hits it
returns carry the id of one of those rules. `WORDS`, where a module has it, are bytes, or tuples of bytes that go
together, of which a file holds at least one wherever the detector finds anything: it is not imported for other files.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.syntax.project_file import ProjectFile

__all__ = ["Detector"]

File = TypeVar("File", ParsedFile, ProjectFile, contravariant=True)
"""CUDA C++ code, or a file of the build, of packages, of the environment or of Python: a detector reads one kind."""


class Detector(Protocol[File]):
    """The name that each module of this package has."""

    def find(self, parsed: File) -> Iterable[Hit]:
        """Hits in one file, in any order; places in ported regions are left out by the caller."""
        ...
