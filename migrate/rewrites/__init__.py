"""Rewrites: one module per change that a rename or a template cannot make.

A rewrite is a module with one name, `edits`. Its file name is the first word under `rewrite` in a rule; the words
after it are passed on. No edits means: leave this place as it is. Two more names are optional: `concerns(parsed, use)`
is false where there is nothing to find, and `group(parsed, use)` names what must change together or not at all, and
what of other files it relies on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile

__all__ = ["Rewrite"]

File = TypeVar("File", ParsedFile, ProjectFile, contravariant=True)
"""CUDA C++ code, or a file of the build, of packages, of the environment or of Python: a rewrite changes one kind."""


class Rewrite(Protocol[File]):
    """The name that each module of this package has."""

    def edits(self, parsed: File, use: Use, words: Sequence[str]) -> list[Edit]:
        """Edits for one use; `words` are what the rule writes after the rewrite's name."""
        ...
