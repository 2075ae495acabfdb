"""`project` -> the same, and an option to optimise kernels where the build is of no kind.

nvcc does so without an option. Where a branch of the file gives kernels an option to debug, a build that takes it gets
no other. The kind of build stays empty, as `Release` would take `assert` out of the program.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_optimisation
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Three lines below the command, with the option `words`; none where more is on its last line."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    data, end = parsed.data, cmake.line_end(parsed.data)
    at = data.find(b"\n", command.span.end) + 1
    rest = data[command.span.end : at].strip()
    if not at or (rest and not rest.startswith(b"#")):
        return []
    before = cmake.indent(data, command.span.start)
    debugs = dict.fromkeys(asked for _, asked in cmake_optimisation.debugged(cmake.commands(parsed)))
    without = "".join(f" AND NOT {one}" if one.isidentifier() else f" AND NOT ({one})" for one in debugs if one)
    lines = (
        f"if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES{without})".encode(),
        f"  add_compile_options($<$<COMPILE_LANGUAGE:HIP>:{words[0]}>)".encode(),
        b"endif()",
    )
    return [Edit(Span(at, at), b"".join(before + line + end for line in lines))]
