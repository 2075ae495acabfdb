"""Parts of Makefiles that only one operating system reads: by its name in a condition, or by a variable that has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.makefile import Line

_MACOS = re.compile(rb"(?<!\w)(?:Darwin|darwin|DARWIN)(?!\w)")
"""What `uname` prints on macOS."""
_VARIABLE = re.compile(rb"\$[({](\w+)[)}]|^\s*(\w+)\s*$")


@dataclass(frozen=True, slots=True)
class Makefile:
    """One Makefile of a family of files that include each other."""

    path: str
    data: bytes
    lines: tuple[Line, ...]

    def text(self, span: Span) -> bytes:
        """The bytes of a span."""
        return self.data[span.start : span.end]


def is_macos(files: Sequence[Makefile], file: Makefile, offset: int) -> bool:
    """Whether what is at an offset is read on macOS alone."""
    return any(_asks(files, file, line) for line in _branches(file, offset))


def _branches(file: Makefile, offset: int) -> Iterator[Line]:
    """The conditions whose branch an offset is in; of one with `else` before it, only the last."""
    around: list[Line | None] = []
    for line in file.lines:
        if line.span.start > offset:
            break
        if line.kind != "conditional":
            continue
        if line.name == "endif" or file.text(line.span).lstrip().startswith(b"else"):
            del around[-1:]
        if line.name != "endif":
            around.append(None if line.name == "else" else line)
    yield from (line for line in around if line is not None)


def _asks(files: Sequence[Makefile], file: Makefile, line: Line) -> bool:
    """Whether a condition is true on macOS alone."""
    text = file.text(line.value)
    if line.name == "ifeq" and _MACOS.search(text):
        return True
    if line.name == "ifneq" and re.search(rb"\bfindstring[ \t]+Darwin\b", text):
        return True
    names = [(match[1] or match[2]).decode() for match in _VARIABLE.finditer(text)]
    wanted = line.name == "ifdef" or (line.name == "ifeq" and re.search(rb"(?:,|[\"'])[ \t]*(?:1|true|yes|on)\b", text))
    if not wanted or len(names) != 1:
        return False
    sets = [
        (other, one)
        for other in files
        for one in other.lines
        if one.kind == "assignment" and one.name == names[0] and other.text(one.value).strip() not in (b"", b"0", b"no")
    ]
    return bool(sets) and all(_is_named(other, one) for other, one in sets)


def _is_named(file: Makefile, line: Line) -> bool:
    """Whether a line is in a branch that asks for macOS by its name."""
    return any(
        one.name == "ifeq" and _MACOS.search(file.text(one.value)) is not None
        for one in _branches(file, line.span.start)
    )
