"""`-x c++` behind the inputs of a command -> before them: clang takes it for what follows alone."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import command_inputs
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_REST = re.compile(rb"[ \t]*\\\r?\n")
"""What a line of a command has behind its last word where the command goes on."""
_LAST = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
"""What it has there where the command ends."""
_JOINED = re.compile(rb"(?:[ \t]*\\\r?\n[ \t]*)+\Z")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option as clang spells it, or the variable that holds it, before the first input, and gone where it was."""
    first = command_inputs.before(parsed, use)
    if first is None:
        return []
    text = parsed.data[use.span.start : use.span.end].decode()
    option = text if text.startswith("$") else f"{words[0]} {'c++' if text.endswith('c++') else 'c'}"
    start = len(parsed.data[: use.span.start].rstrip(b" \t"))
    begins_line = parsed.data[:start].endswith(b"\n")
    line = _REST.match(parsed.data, use.span.end) if begins_line else None
    joined = _JOINED.search(parsed.data[:start]) if begins_line and _LAST.match(parsed.data, use.span.end) else None
    gone = Span(start if joined is None else joined.start(), use.span.end if line is None else line.end())
    return [Edit(Span(first, first), f"{option} ".encode()), Edit(gone, b"")]
