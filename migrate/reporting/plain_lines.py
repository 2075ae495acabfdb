"""Styled text -> lines: broken here where they are plain, as they are in most reports that are printed into a file.

What draws tables and color, rich, takes a while to start. A text without color, all of ASCII, is broken here at the
same places; a test compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cudamigrate.lazy_re import re

if TYPE_CHECKING:
    from rich.console import RenderableType

_WORD = re.compile(r"\s*\S+\s*")


class Line:
    """A text of parts in styles, which may have several lines; `indent` is how far all of it is moved in."""

    def __init__(self, text: str = "", style: str = "", indent: int = 0) -> None:
        self.parts, self.style, self.indent = [(text, "")], style, indent

    def append(self, text: str, style: str = "") -> Line:
        """The text itself, with more at its end."""
        self.parts.append((text, style))
        return self

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.parts)

    def styled(self) -> RenderableType:
        """The text as rich has it."""
        from rich.padding import Padding
        from rich.text import Text

        made = Text(style=self.style)
        for text, style in self.parts:
            made.append(text, style=style or None)
        return Padding(made, (0, 0, 0, self.indent)) if self.indent else made


def broken(parts: Sequence[object], columns: int, wrap: bool) -> list[str] | None:
    """The lines of plain texts, none longer than `columns` where they `wrap`; None where rich has to break them.

    There may be blanks at the ends of lines, which count for no column.
    """
    lines = []
    for part in parts:
        if not isinstance(part, Line) or (part.indent and not wrap):
            return None
        text = part.plain
        if not text.isascii() or not text.replace("\n", "").isprintable():
            return None
        for line in text.split("\n"):
            each = _pieces(line, columns - part.indent) if wrap else (line,)
            lines += [f"{' ' * part.indent}{piece}" for piece in each]
    return lines


def _pieces(line: str, columns: int) -> Iterator[str]:
    """A line in pieces, broken between words, or in a word that is too long for any line."""
    ends = [*_breaks(line, columns), len(line)]
    start = 0
    for end in ends:
        yield line[start:end]
        start = end


def _breaks(line: str, columns: int) -> Iterable[int]:
    """Where new pieces begin."""
    taken = 0
    for match in _WORD.finditer(line):
        start, word = match.start(), match[0]
        size = len(word.rstrip())
        if columns - taken >= size:
            taken += len(word)
        elif size > columns:
            for at in range(start, match.end(), columns):
                if at:
                    yield at
                taken = match.end() - at
        elif taken and start:
            yield start
            taken = len(word)
