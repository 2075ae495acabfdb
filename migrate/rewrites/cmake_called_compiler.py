"""nvcc in a command that compiles, or in a variable of such -> hipcc, with ROCm's folder where CUDA's was named."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the compiler and its folder, which a path of the toolkit's becomes."""
    is_path = b"/" in parsed.data[use.span.start : use.span.end]
    return [Edit(use.span, (f"{words[1]}/{words[0]}" if is_path else words[0]).encode())]
