"""What nvcc passes on to the host's compiler, where it may be for another than clang: reported, and left as it is."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import host_options
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether an option among what is passed on, or what a variable in it may hold, is another compiler's alone."""
    return any(_is_others(parsed, use, word) for word in host_options.handed_on(parsed, use.span))


def _is_others(parsed: ProjectFile, use: Use, word: str) -> bool:
    option = Use("option", word, use.span, use.span)
    rule = parsed.rule(option) if parsed.rule is not None and word.startswith("-") else None
    return rule is not None and rule.change.text[:2] == host_options.OTHERS


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: whose options they are is chosen where make is called."""
    return []
