"""The folder of CUDA as a path of its own; as the value of a variable for it, it is reported there."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile

_VALUE = re.compile(rb"\bCUDA_(?:HOME|PATH|ROOT)[ \t]*[=: ][ \t]*[\"']?$")
"""The text just before a path that is such a variable's value: `CUDA_HOME=`, `ENV CUDA_PATH "`. It ends there."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False in the value of such a variable."""
    return _VALUE.search(parsed.data[max(0, use.span.start - 40) : use.span.start]) is None


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The path, with the one new folder."""
    return [Edit(use.span, words[0].encode())]
