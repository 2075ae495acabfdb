"""The name of a library in a list -> the name that the rule for the option which links it writes."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name; none where that option is not renamed."""
    look = parsed.rule
    option = replace(use, kind="option", name=f"-l{use.name.partition(' ')[2]}")
    rule = look(option) if look is not None else None
    if rule is None or rule.change.kind != "rename":
        return []
    return [Edit(use.span, rule.change.text[0].removeprefix("-l").encode())]
