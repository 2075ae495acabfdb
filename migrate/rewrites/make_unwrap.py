"""A call of make's that puts an option before each word -> the words: clang takes them as they are."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import host_options
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The last argument in place of the call."""
    last = use.args[-1]
    after = "".join(f" {word}" for word in host_options.after(parsed, last))
    return [Edit(use.extent, parsed.data[last.start : last.end].strip() + after.encode())]
