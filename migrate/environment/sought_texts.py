"""Texts that `sed` looks for: they are in another file, and match nothing once they are written otherwise here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.shell import Script

USE = "text of CUDA's that sed looks for"
_EDITORS = ("sed", "gsed")
_SUBSTITUTES = re.compile(
    rb"(?:\A|[;{\n])[ \t]*(?:[\d$,]+[ \t]*)?s(?P<sign>[^\w\s\\])(?P<sought>(?:\\.|(?!(?P=sign))[^\\])*)(?P=sign)",
    re.DOTALL,
)
"""The command `s` at the begin of a script or behind another one, with the sign that parts it: `s|old|new|g`."""


def marked(data: bytes, read: Script, uses: Sequence[Use]) -> list[Use]:
    """The uses of a script, with one of another name for all that are in one such text."""
    spans = list(_sought(data, read))
    if not spans:
        return list(uses)
    kept, seen = list[Use](), set[Span]()
    for use in sorted(uses, key=lambda one: one.span):
        around = next((one for one in spans if one.start <= use.span.start < one.end), None)
        if around is None:
            kept.append(use)
        elif around not in seen:
            kept.append(replace(use, name=USE, kind="name", extent=around, args=()))
            seen.add(around)
    return kept


def _sought(data: bytes, read: Script) -> Iterator[Span]:
    """What the commands of a script look for by sed, to put something else in its place."""
    for command in read.commands:
        named = [word.text for word in command.words]
        at = next((at for at, name in enumerate(named) if name.rpartition("/")[2] in _EDITORS), len(named))
        for word in command.words[at + 1 :]:
            for match in _SUBSTITUTES.finditer(data[word.span.start : word.span.end]):
                yield Span(word.span.start + match.start("sought"), word.span.start + match.end("sought"))
