"""Modules of CuPy that are loaded from a file of compiled kernels."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.source import argument
from cudamigrate.syntax.project_file import ProjectFile


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each call that names a file."""
    read = program.of(parsed)
    if read is None:
        return
    for use in read.uses:
        if use.name == "cupy.RawModule" and use.kind == "call":
            call = read.first(use.extent, "call")
            if call is not None and argument(read.py, call, -1, "path") is not None:
                yield Hit("python/kernel-file", Use("call", use.name, use.span, use.extent))
