"""`tl.inline_asm_elementwise("ex2.approx.f32 $0, $1;", ...)` becomes `tl.exp2(x)`: the same instruction on NVIDIA."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.tritonasm import plain_form
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The whole call, spelled through the same module as before."""
    read = program.of(parsed)
    call = read.first(use.extent, "call") if read is not None else None
    if read is None or call is None:
        return []
    form = plain_form(read.py, call)
    function = call.child_by_field_name("function")
    owner = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    if form is None or owner is None:
        return []
    text, value = form
    new = f"{read.py.raw(owner).decode()}.{text.replace('{x}', read.py.raw(value).decode())}"
    return read.py.edits(call.start_byte, call.end_byte, new)
