"""`rapids_cuda_init_architectures` -> the variable that names the GPUs for HIP, which who configures may set."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One command in place of the other; `words` is the variable."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    gpus = ";".join(parsed.target.arch)
    return [Edit(command.span, f'set({words[0]} "{gpus}" CACHE STRING "GPUs to compile for")'.encode())]
