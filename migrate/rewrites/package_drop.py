"""Take a requirement out: what it brings comes with ROCm."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import requirements
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One deletion, nothing where the file does not allow it."""
    item = requirements(parsed).get(use.span.start)
    if item is None or item.whole.start == item.whole.end or parsed.hashed:
        return []
    return [Edit(item.whole, b"")]
