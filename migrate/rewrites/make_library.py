"""The name of a library in a list -> the name that the rule for the option which links it writes."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_DROPPED = ("flag", "drop")
"""The rewrite of an option that has no meaning for HIP."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name, or the word goes with the blanks before it; none where the rule does neither with that option."""
    look = parsed.rule
    option = replace(use, kind="option", name=f"-l{use.name.partition(' ')[2]}")
    rule = look(option) if look is not None else None
    if rule is None:
        return []
    if rule.change.kind == "rename":
        return [Edit(use.span, rule.change.text[0].removeprefix("-l").encode())]
    if rule.change.kind == "rewrite" and tuple(rule.change.text) == _DROPPED:
        data, start = parsed.source.data, use.span.start
        while data[start - 1 : start] in (b" ", b"\t"):
            start -= 1
        return [Edit(Span(start, use.span.end), b"")]
    return []
