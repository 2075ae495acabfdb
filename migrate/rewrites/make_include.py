"""The include folder of CUDA -> that of ROCm, whose headers ask which platform they are for outside of hipcc."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_EXPORTS = re.compile(rb"^[ \t]*export\b", re.MULTILINE)
"""What gives variables to Makefiles of other folders."""
_IMPLICIT = frozenset(("CFLAGS", "CPPFLAGS", "CXXFLAGS", "TARGET_ARCH"))
"""Variables that make's own rules give to the compilers of the host."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether a compiler other than hipcc may get the folder; it defines the platform by itself."""
    if parsed.source.language != "make":
        return True
    variables = parsed.once(makefile_variables.of)
    file = variables.files[0]
    line = next((one for one in file.lines if one.span.start <= use.span.start < one.span.end), None)
    if line is None or line.kind not in ("assignment", "recipe"):
        return True
    if line.kind == "assignment":
        others = variables.host | _IMPLICIT
        return line.name not in variables.nvcc or line.name in others or _EXPORTS.search(parsed.data) is not None
    parts = (one for one in makefile_variables.commands(file, line) if one.start <= use.span.start < one.end)
    return any(variables.compiler(file, one) != {"nvcc"} for one in parts)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The option after the folder; none where the file gives it somewhere already."""
    option = words[0].encode()
    return [] if option in parsed.data else [Edit(Span(use.span.end, use.span.end), b" " + option)]
