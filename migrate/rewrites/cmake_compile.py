"""FindCUDA's `cuda_compile(OBJECTS a.cu)` -> the sources themselves, in the language HIP: a target compiles them."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile

_LINKING = ("STATIC", "SHARED", "MODULE")
"""What a library of the objects would be: `cuda_compile` takes it, and `set` does not."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A `set` of the variable, and the language of what it holds.

    `cuda_compile` passes over what does not end in `.cu`; a variable among the sources may hold such files.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not cmake.is_plain_compile(command):
        return []
    data = parsed.data
    if data[: command.span.start].rpartition(b"\n")[2].strip():
        return []  # something else is on the line before it
    variable, *sources = (one for one in command.args if one.quoted or one.text not in _LINKING)
    name = variable.text
    given = [cmake.as_list(one) for one in sources]
    lines = [f"set({name} {' '.join(given)})"]
    if not all(one.text.endswith(".cu") for one in sources):
        lines.append(f'list(FILTER {name} INCLUDE REGEX "\\\\.cu$")')
    lines.append(f"set_source_files_properties(${{{name}}} PROPERTIES LANGUAGE HIP)")
    between = cmake.line_end(data) + cmake.indent(data, command.span.start)
    return [Edit(command.span, between.join(line.encode() for line in lines))]
