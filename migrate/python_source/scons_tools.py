"""Modules that teach SCons to run nvcc: `site_scons/site_tools/cuda.py`, or a file of any name that imports SCons."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.source import PySource
from cudamigrate.syntax.project_file import use_at

NAME = "build script with CUDA"
"""What a script of a build system that is not followed is found by, a tool of one too."""
_IMPORTS = re.compile(rb"^[ \t]*(?:import|from)[ \t]+SCons\b", re.MULTILINE)
_TOOL = re.compile(rb"^def[ \t]+generate[ \t]*\([ \t]*\w", re.MULTILINE)
"""The function that SCons calls with the environment which a tool changes."""
_COMPILER = re.compile(r"(?:^|[/\\ ])nvcc(?:\.exe)?(?:$| )")


def uses(py: PySource) -> Iterator[Use]:
    """The first literal that names nvcc in a tool of SCons."""
    if not (_IMPORTS.search(py.text) and _TOOL.search(py.text)):
        return
    for node in py.kind("string"):
        if _COMPILER.search(plain(py, node) or ""):
            at = py.text.index(b"nvcc", node.start_byte)
            place = py.span(at, at + len(b"nvcc"))
            yield use_at(NAME, place.start, place.end)
            return
