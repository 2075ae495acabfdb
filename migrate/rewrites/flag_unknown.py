"""Options that nvcc gets and that no row of the table of options knows: reported, and left as they are."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_options, makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.makefile import Line
from cudamigrate.syntax.project_file import ProjectFile

_OPTION = re.compile(r"--?[A-Za-z][\w=.,:/+-]*")
"""An option that is written out, `--unheard-of=3`: not `-`, `-1`, `-$(NAME)`."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether a build file gives the option to nvcc: a Makefile as far as what it calls tells, CMake where it says so.

    A variable's name alone does not.
    """
    if not _OPTION.fullmatch(use.name):
        return False
    if parsed.source.language == "cmake":
        return cmake_options.reaches_nvcc_alone(parsed, use)
    if parsed.source.language != "make":
        return False
    variables = parsed.once(makefile_variables.of)
    at = use.span.start
    lines = (line for line in variables.files[0].lines if line.value.start <= at < line.value.end)
    return any(_is_given(variables, line, at) for line in lines)


def _is_given(variables: Variables, line: Line, at: int) -> bool:
    if line.kind == "assignment":
        return line.name in variables.nvcc and line.name not in variables.host
    file = variables.files[0]
    parts = makefile_variables.commands(file, line) if line.kind == "recipe" else ()
    return any(part.start <= at < part.end and variables.compiler(file, part) == {"nvcc"} for part in parts)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: what the option means is not known."""
    return []
