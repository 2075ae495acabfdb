"""An object behind a source in a command -> the same, read as what it is: `-x none` ends hipcc's `-x hip`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_inputs
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_OBJECTS = "%.o %.a %.so"


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option before the word; of all that a rule's target is made of the objects come last, in their order."""
    text = parsed.data[use.span.start : use.span.end].decode("utf-8", "replace")
    if makefile_inputs.ALL.fullmatch(text.encode()):
        parted = f"$(filter-out {_OBJECTS},{text}) {words[0]} $(filter {_OBJECTS},{text})"
        return [Edit(use.span, parted.encode())]
    return [Edit(Span(use.span.start, use.span.start), f"{words[0]} ".encode())]
