"""The last part of a dotted name becomes another one; a name that an import renamed stays."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.python_source import program
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is the new part."""
    read = program.of(parsed)
    node = next(iter(read.found(use.span)), None) if read is not None else None
    last = node.child_by_field_name("attribute") if node is not None and node.type == "attribute" else None
    return read.py.edits(last.start_byte, last.end_byte, words[0]) if read is not None and last is not None else []
