"""The GPUs that a variable of a Makefile holds -> those aimed at, together with the options that the variable is in."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_gpus
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def group(parsed: ProjectFile, use: Use) -> tuple[str, ...]:
    """The fixes that go together with this one."""
    return (makefile_gpus.for_target(parsed).groups.get(use.span.start, ""),)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit; none where the variable is not followed."""
    text = makefile_gpus.for_target(parsed).values.get(use.span)
    return [Edit(use.span, text.encode())] if text is not None else []
