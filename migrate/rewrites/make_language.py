"""`-x c++` behind the inputs of a command -> before them: clang takes it for what follows alone."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_languages, makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_REST = re.compile(rb"[ \t]*\\\r?\n")
"""What a line of a command has behind its last word where the command goes on."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option as clang spells it, or the variable that holds it, before the first input, and gone where it was."""
    variables = parsed.once(makefile_variables.of)
    first = makefile_languages.first_before(variables, use.span.start)
    if first is None:
        return []
    text = parsed.data[use.span.start : use.span.end].decode()
    option = text if text.startswith("$") else f"{words[0]} {'c++' if text.endswith('c++') else 'c'}"
    start = len(parsed.data[: use.span.start].rstrip(b" \t"))
    line = _REST.match(parsed.data, use.span.end) if parsed.data[:start].endswith(b"\n") else None
    gone = Span(start, line.end() if line is not None else use.span.end)
    return [Edit(Span(first, first), f"{option} ".encode()), Edit(gone, b"")]
