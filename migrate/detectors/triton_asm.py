"""Inline PTX in Triton kernels: `tl.inline_asm_elementwise`, with the instructions that it holds.

One hit for each call. What a plain Triton function does too is distinguished from what has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import decoded
from cudamigrate.python_source.source import argument
from cudamigrate.python_source.tritonasm import instructions, plain_form
from cudamigrate.syntax.project_file import ProjectFile

_NAME = "triton.language.inline_asm_elementwise"
_CONSTRAINTS = re.compile(r"[=\s]*[vsa][\d,\s=vsa]*")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each call that passes PTX to NVIDIA's assembler."""
    read = program.of(parsed)
    if read is None:
        return
    for use in read.uses:
        if use.name != _NAME or use.kind != "call":
            continue
        call = read.first(use.extent, "call")
        if call is None:
            continue
        constraints = decoded(read.py, argument(read.py, call, 1, "constraints"))
        if constraints is not None and _CONSTRAINTS.fullmatch(constraints.text.decode("latin-1")):
            continue  # registers of AMD: somebody has ported it
        literal = decoded(read.py, argument(read.py, call, 0, "asm"))
        if literal is None:
            yield Hit("triton/inline-asm-computed", use)
            continue
        found = instructions(literal.text.decode("latin-1"))
        if not found:
            continue
        rule = "triton/inline-asm-plain" if plain_form(read.py, call) is not None else "triton/inline-asm"
        listed = ", ".join(f"`{name}`" for name in list(dict.fromkeys(found))[:4])
        yield Hit(rule, use, {"instruction": listed})
