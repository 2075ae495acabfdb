"""Other arguments take the place of one, on a command line or in a list of strings."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_ASKED = ("docker --gpus all", "docker --runtime nvidia")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The arguments, each a string of its own in a devcontainer; once in a command, whose other such options go."""
    text = parsed.data[use.span.start : use.span.end]
    listed = parsed.source.language == "devcontainer"
    if not listed and b"," in text:
        return []
    alike = [one.span for one in parsed.uses if one.extent == use.extent and one.name.startswith(_ASKED)]
    if use.extent != use.span and alike and use.span != alike[0]:
        return _without(parsed.data, use.span)
    return [Edit(use.span, ('", "' if listed else " ").join(words).encode())]


def _without(data: bytes, span: Span) -> list[Edit]:
    """An option taken out, with the blank before it, or with its line where the command goes on in the next."""
    start, end = data.rfind(b"\n", 0, span.start) + 1, data.find(b"\n", span.end)
    if not data[start : span.start].strip() and end > 0 and data[span.end : end].strip() == b"\\":
        return [Edit(Span(start, end + 1), b"")]
    blank = data[span.start - 1 : span.start] in (b" ", b"\t")
    return [Edit(Span(span.start - 1, span.end), b"")] if blank else []
