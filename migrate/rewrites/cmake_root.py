"""`${CUDA_TOOLKIT_ROOT_DIR}` where a folder is set or included -> ROCm's, which no variable of CMake's names."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument
from cudamigrate.syntax.project_file import ProjectFile

_FOLDER = "CUDA_TOOLKIT_ROOT_DIR"
_TAKES = ("set", "include_directories", "target_include_directories", "link_directories", "target_link_directories")
"""Commands in which ROCm's folder does what CUDA's did; what searches for a file of CUDA's finds none there."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit where the folder, or its `include`, is given; none where the file itself says which folder it is."""
    if use.name != _FOLDER:
        return []
    command = cmake.command_at(parsed, use.span.start)
    if command is None or command.name not in _TAKES:
        return []
    own = any(one.name == "set" and one.words()[:1] == [_FOLDER] for one in cmake.commands(parsed))
    argument = next((one for one in command.args[not command.name.startswith(("include", "link")) :] if _is(one)), None)
    start, end = use.span.start - 2, use.span.end + 1
    if own or argument is None or parsed.data[start:end] != b"${%s}" % _FOLDER.encode():
        return []
    return [Edit(Span(start, end), words[0].encode())]


def _is(argument: Argument) -> bool:
    """Whether an argument is the folder, or one below it that ROCm has too: `lib64` is a finding of its own."""
    folder = f"${{{_FOLDER}}}"
    return argument.text.rstrip("/") in (folder, f"{folder}/include", f"{folder}/lib64")
