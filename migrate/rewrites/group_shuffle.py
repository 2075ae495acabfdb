"""A shuffle of a tile, a member there -> the function of that name in `cudamigrate_groups.h`, which takes any value."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import GROUPS_HEADER, addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Put the group in front of the arguments; shuffles of groups of active threads stay as they are."""
    kind, _, name = use.name.partition(".")
    if kind != "tile" or not use.args:
        return []
    first = use.args[0].start
    dot = parsed.data.index(b".", use.span.start, first)
    group = parsed.data[use.span.start : dot].strip()
    opening = parsed.data.rindex(b"(", dot, first)
    changes = [
        Edit(Span(use.span.start, opening + 1), b"cudamigrate::" + name.encode() + b"(" + group + b", "),
    ]
    if not any(include.path.endswith(GROUPS_HEADER) and not include.conditional for include in parsed.includes):
        changes.append(addition(parsed, GROUPS_HEADER))
    return changes
