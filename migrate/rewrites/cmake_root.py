"""`${CUDA_TOOLKIT_ROOT_DIR}` where a folder is set or included -> ROCm's, which no variable of CMake's names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_FOLDER = "CUDA_TOOLKIT_ROOT_DIR"
_TAKES = ("set", "include_directories", "target_include_directories")
"""Commands in which ROCm's folder does what CUDA's did; what searches for a file of CUDA's finds none there."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit where the folder, or its `include`, is given; none where the file itself says which folder it is."""
    if use.name != _FOLDER:
        return []
    command = cmake.command_at(parsed, use.span.start)
    if command is None or command.name not in _TAKES:
        return []
    own = any(one.name == "set" and one.words()[:1] == [_FOLDER] for one in cmake.commands(parsed))
    argument = next((one for one in command.args[1 - (command.name == "include_directories") :] if _is(one.text)), None)
    start, end = use.span.start - 2, use.span.end + 1
    if own or argument is None or parsed.data[start:end] != b"${%s}" % _FOLDER.encode():
        return []
    return [Edit(Span(start, end), words[0].encode())]


def _is(text: str) -> bool:
    return text in (f"${{{_FOLDER}}}", f"${{{_FOLDER}}}/include", f"${{{_FOLDER}}}/include/")
