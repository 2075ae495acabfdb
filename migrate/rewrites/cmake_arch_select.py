"""FindCUDA's command that turns GPUs into options of nvcc -> the options for the GPUs aimed at."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_options
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`set` for the same variable: a text where the file makes one with it, else a list, as the command gives one."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not command.args:
        return []
    options = " ".join(f"--offload-arch={gpu}" for gpu in parsed.target.arch)
    quote = '"' if cmake_options.taken_as(parsed, command.args[0].text) == "text" else ""
    last = command.args[-1]
    rest = Span(command.args[0].span.end, last.outer.end)
    return [Edit(command.at, b"set"), Edit(rest, f" {quote}{options}{quote}".encode())]
