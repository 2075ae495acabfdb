"""MATLAB: scripts that have `mexcuda` or `mex` compile CUDA code, options files of `mex` for nvcc, and arrays on a GPU.

Nothing is rewritten: `mex` has no compiler for AMD's GPUs. Each thing is found once in a file.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax.project_file import ProjectFile, first_of_each, use_at

FILES = {".m": "matlab", "mex*.xml": "matlab"}
PART = "build"
TRIGGER = re.compile(rb"mexcuda|\.cu\b|NVCC|nvcc|gpuArray|gpuDevice|parallel\.gpu\b")
"""Bytes that make a script or an options file worth reading."""
_COMMAND = re.compile(
    rb"^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?P<name>mexcuda|mex)\b(?P<given>[ \t(](?:[^\n]*\.\.\.[ \t\r]*\n)*[^\n]*)?",
    re.MULTILINE,
)
"""A command, on lines that `...` joins: `mex -largeArrayDims a.cu`, `mexcuda('a.cu')`. A script may continue words."""
_SOURCE = re.compile(rb"[\w./\\-]+\.cu\b")
_ARRAYS = re.compile(
    rb"(?<![\w.])(?:(?P<name>gpuArray)(?:\.\w+)?|(?P<device>gpuDevice)|(?P<kernel>parallel\.gpu\.CUDAKernel)"
    rb"|(?P<package>parallel\.gpu)\.\w+)[ \t]*\("
)
"""What the toolbox has: its types, the functions of its array type, `gpuArray.zeros(`, and those of its package."""
_MADE = re.compile(
    rb"(?<![\w.])(?:zeros|ones|eye|randn?|randi|inf|Inf|nan|NaN|true|false|colon|linspace)[ \t]*\([^\n;%]{0,200}?,"
    rb"[ \t]*(?P<quote>['\"])(?P<name>gpuArray)(?P=quote)"
)
"""An array that is made on the GPU by the name of its class: `zeros(n, 'single', 'gpuArray')`."""
_OPTIONS = re.compile(rb"<config\b[^>]*?\bName\s*=\s*\"(?P<name>nvcc)\"|(?P<variable>\$NVCC)\b", re.DOTALL)
"""What an options file compiles by: its name, or the program in its variables."""
_QUOTED = re.compile(rb"'(?:[^'\n]|'')*'|\"(?:[^\"\n]|\"\")*\"|%(?P<comment>[^\n]*)")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    found = _options(source.data) if source.path.endswith(".xml") else _script(source.data)
    return ProjectFile(source, first_of_each(found))


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _options(data: bytes) -> Iterator[Use]:
    match = _OPTIONS.search(data)
    if match is not None:
        group = "name" if match["name"] is not None else "variable"
        yield use_at("mex options for nvcc", *match.span(group))


def _script(data: bytes) -> Iterator[Use]:
    code = _QUOTED.sub(lambda match: match[0] if match["comment"] is None else b" " * len(match[0]), data)
    for match in _COMMAND.finditer(code):
        compiles = match["name"] == b"mexcuda" or _SOURCE.search(match["given"] or b"")
        if compiles:
            name = "mexcuda" if match["name"] == b"mexcuda" else "mex of .cu"
            yield use_at(name, *match.span("name"))
    for match in _ARRAYS.finditer(code):
        found = match.lastgroup or "name"
        yield use_at(match[found].decode(), *match.span(found))
    for match in _MADE.finditer(code) if b"gpuArray" in code else ():
        yield use_at("gpuArray", *match.span("name"))
