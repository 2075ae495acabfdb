"""Variables that a Makefile's recipes give make on its command line: `$(MAKE) -C sub LIBS="-lcudart" "SM = 70"`.

Such a value counts in place of what the Makefile says that make reads. The words are read as the shell parts them; what
quotes hold together is one, with or without the name in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_MAKE = re.compile(rb"[@+({-]*(?:\$[({]MAKE[)}]|(?:/usr/bin/)?g?make)")
_BEFORE = re.compile(rb"[@+({!-]*(?:[({]|then|do|else|exec|env|time|nice|[A-Za-z_]\w*=\S*)?")
"""What may be before a command: `then`, a variable of the environment."""
_ASSIGNED = re.compile(rb"[\"']?([A-Za-z_][\w.-]*)[ \t]*(?:::?:?|[+?])?=[ \t]*")
_QUOTES = (b'"', b"'")


@dataclass(frozen=True, slots=True)
class Given:
    """A variable on the command line of make: the whole word, the name's place and the value's, without quotes."""

    name: str
    word: Span
    at: Span
    value: Span


def of(file: Makefile, part: Span) -> list[Given]:
    """The variables on the command line of make; none where a command of a recipe is another one."""
    words, at = _called(file, part)
    return list(among(file.data, words[at + 1 :])) if at >= 0 else []


def before(file: Makefile, part: Span) -> list[Given]:
    """The variables of the environment that a command of a recipe gives make: `CUDA_HOME=/x $(MAKE)`.

    Such a value counts only where no Makefile sets the variable anyhow.
    """
    words, at = _called(file, part)
    return list(among(file.data, words[: max(at, 0)]))


def _called(file: Makefile, part: Span) -> tuple[list[Span], int]:
    """The words of a command, and which of them is make; -1 where none is."""
    if b"make" not in (text := file.text(part).lower()) or b"=" not in text:
        return [], -1
    words = [word.span for word in next(makefile.segments(file.data, part.start, part.end)).words]
    for at, word in enumerate(words):
        if _MAKE.fullmatch(file.text(word)):
            return words, at
        if not _BEFORE.fullmatch(file.text(word)):
            break
    return words, -1


def among(data: bytes, words: Iterable[Span]) -> Iterator[Given]:
    """The variables among the words behind make."""
    for word in words:
        match = _ASSIGNED.match(data, word.start, word.end)
        if match is not None:
            value = data[match.end() : word.end]
            quoted = len(value) > 1 and value[:1] in _QUOTES and value.endswith(value[:1])
            inner = Span(match.end() + quoted, word.end - quoted)
            yield Given(match[1].decode("utf-8", "replace"), word, Span(*match.span(1)), inner)


def in_file(file: Makefile) -> Iterator[Given]:
    """Those of all recipes of a Makefile."""
    for line in file.lines:
        yield from in_line(file, line)


def in_environment(file: Makefile) -> Iterator[Given]:
    """The variables of the environment that all recipes of a Makefile give make."""
    for line in file.lines:
        for part in makefile_variables.commands(file, line) if line.kind == "recipe" else ():
            yield from before(file, part)


def in_line(file: Makefile, line: Line) -> Iterator[Given]:
    """Those of a recipe's line."""
    for part in makefile_variables.commands(file, line) if line.kind == "recipe" else ():
        yield from of(file, part)
