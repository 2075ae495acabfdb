"""Rename a call whose third argument is a number of nodes, or in CUDA 13 a pointer to data of edges before it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_COUNT = re.compile(rb"0[xX][0-9a-fA-F]*[1-9a-fA-F][0-9a-fA-F]*[uUlL]*|[1-9]\d*[uUlL]*")
"""A number that is no null pointer: `1`, `2u`, `0x10`."""
_PLAIN = 3
"""How many arguments a call has that leaves the last one, the flags, to its default."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is the new name. With four arguments the third must be seen to be a number: 0 is a pointer, too."""
    if use.kind != "call" or len(use.args) not in (_PLAIN, _PLAIN + 1):
        return []
    third = parsed.data[use.args[_PLAIN - 1].start : use.args[_PLAIN - 1].end].strip()
    if len(use.args) > _PLAIN and _COUNT.fullmatch(third) is None:
        return []
    name = Span(use.span.start, use.span.start + len(use.name))
    return [Edit(name, words[0].encode())]
