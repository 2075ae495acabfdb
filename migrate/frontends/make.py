"""Makefiles: nvcc, the folders of the CUDA toolkit, compiler options and libraries.

Comes in: a Makefile. Goes out: its uses. The file is read line by line, joined lines as one; comments are passed over.
A file that can already build with hipcc beside nvcc has one use, which says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from migrate.lazy_re import re
from migrate.model import SourceFile, Span, Use
from migrate.syntax import compiler_options
from migrate.syntax.project_file import ProjectFile

FILES = {
    "Makefile": "make",
    "makefile": "make",
    "GNUmakefile": "make",
    "Makefile.*": "make",
    ".mk": "make",
    ".mak": "make",
}
PART = "build"
TRIGGER = re.compile(rb"nvcc|cuda|\.cu\b|cu(?:blas|fft|rand|sparse|solver)|" + compiler_options.MARKS, re.IGNORECASE)
PORTED = "hip-build"
"""The name of the use that stands for a file which can already build for AMD."""

_LINE = re.compile(rb"(?:[^\n\\]|\\.|\\\r?\n|\\\Z)*", re.DOTALL)
_COMMENT = re.compile(rb"(?<![\\$])#")
_ASSIGNED = re.compile(rb"[ \t]*(?:(?:export|override|private)[ \t]+)*([\w.-]+)[ \t]*(?:::?:?|[?+!])?=")
_HIP = re.compile(rb"\bhipcc\b|^[ \t]*(?:else[ \t]+)?if\w*[ \t(].*(?<![A-Za-z])(?:HIP|ROCM)", re.MULTILINE)
_FOLDERS = rb"CUDA_PATH|CUDA_HOME|CUDA_ROOT|CUDA_DIR|CUDA_INSTALL_PATH|CUDA_TOOLKIT_PATH|CUDA_ROOT_DIR|CUDAHOME|CUDADIR"
_NAMED = re.compile(
    rb"(?P<compiler>(?<![\w.$({-])nvcc(?![\w.:-])(?![ \t]+(?:--version|-V)\b))"
    rb"|(?P<include>-I[ \t]?(?:\$[({](?:" + _FOLDERS + rb")[)}]|/usr/local/cuda(?:-[\d.]+)?)/include/?(?=[\s\"']|\Z))"
    rb"|(?P<version>(?:(?<![\w.-])nvcc|\$[({]NVCC[)}])[ \t]+(?:--version|-V)\b)"
    rb"|\bifn?def[ \t]+(?P<asked>(?:" + _FOLDERS + rb")\b)"
    rb"|\$[({](?P<folder>" + _FOLDERS + rb")[)}]|(?P<path>/usr/local/cuda(?:-\d+(?:\.\d+)?)?(?![\w.-]))"
)
_AFTER = re.compile(rb"[)}]?/(lib64|targets/x86_64-linux/lib|lib/x64)(?![\w-])")
_LIBRARY = re.compile(rb"(?<![\w./$({:=-])(cu(?:dart|blas|blasLt|fft|rand|sparse|solver)|nccl|nvrtc)(?![\w./=:-])")
_FOR_NVCC = re.compile(
    rb"nvcc|cuda|gencode|^nv_?(?:cc|cu)?_?flags|^cu_?flags|^sm_?flags|^arch_?flags|ptxas", re.IGNORECASE
)
_CALLS = re.compile(rb"(?<![\w.-])nvcc\b|\$[({]\w*(?:NVCC|CUDA_?CC)\w*[)}]", re.IGNORECASE)
_OTHER = re.compile(rb"\$[({](?:CXX|CC|GPP|LD)[)}]|(?<![\w./-])(?:g\+\+|gcc|clang\+\+|clang|cc|c\+\+)(?![\w.+-])")
_REFERENCE = re.compile(rb"\$[({](\w+)[)}]")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    data = source.data
    lines = list(_lines(data))
    handed = _handed(data, lines)
    uses = [use for start, end in lines for use in _uses(data, start, end, handed)]
    there = _HIP.search(data)
    parsed = ProjectFile(source)
    if there is not None and uses and re.search(rb"\bnvcc\b", data):
        parsed.ported = True
        span = Span(there.start(), there.end())
        uses = [Use("name", PORTED, span, span, certainty="syntax")]
    parsed.uses = sorted(uses, key=lambda use: (use.span, use.name))
    return parsed


def broken(data: bytes) -> int:
    """How many calls of make's are not closed."""
    return max(0, data.count(b"$(") + data.count(b"${") - data.count(b")") - data.count(b"}"))


def _lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Where lines begin and end, joined lines as one, without comments."""
    at = 0
    while at < len(data):
        match = _LINE.match(data, at)
        end = match.end() if match else len(data)
        comment = _COMMENT.search(data, at, end)
        yield at, comment.start() if comment and not data.startswith(b"\t", at) else end
        at = end + 1


def _handed(data: bytes, lines: list[tuple[int, int]]) -> set[bytes]:
    """Variables that recipes hand to nvcc and to no other compiler."""
    nvcc: set[bytes] = set()
    other: set[bytes] = set()
    for start, end in lines:
        if data.startswith(b"\t", start):
            if _CALLS.search(data, start, end):
                nvcc.update(_REFERENCE.findall(data, start, end))
            elif _OTHER.search(data, start, end):
                other.update(_REFERENCE.findall(data, start, end))
    return nvcc - other


def _uses(data: bytes, start: int, end: int, handed: set[bytes]) -> Iterator[Use]:
    assigned = _ASSIGNED.match(data, start, end)
    if assigned is not None and re.fullmatch(_FOLDERS, assigned[1]):
        yield _use(assigned[1].decode(), assigned.start(1), assigned.end(1))
    elif data.startswith(b"\t", start):
        assigned = None  # a recipe
    if assigned is not None and re.search(rb"lib", assigned[1], re.IGNORECASE):
        for library in _LIBRARY.finditer(data, assigned.end(), end):
            yield _use(f"library {library[1].decode()}", library.start(1), library.end(1))
    for match in _NAMED.finditer(data, start, end):
        yield from _named(data, match, end)
    first = assigned.end() if assigned else start
    known = assigned is not None and (assigned[1] in handed or _FOR_NVCC.search(assigned[1]) is not None)
    sure = known or (assigned is None and _CALLS.search(data, start, end) is not None)
    yield from compiler_options.uses(compiler_options.words(data, first, end), plain=not sure)


def _named(data: bytes, match: re.Match[bytes], end: int) -> Iterator[Use]:
    kind = match.lastgroup or ""
    if kind == "include":
        yield _use("include of CUDA", match.start(), match.end())
        folder = re.search(_FOLDERS + rb"|/usr/local/cuda(?:-[\d.]+)?", match[0])
        assert folder is not None
        name = "/usr/local/cuda" if folder[0].startswith(b"/") else folder[0].decode()
        yield _use(name, match.start() + folder.start(), match.start() + folder.end())
        return
    name = {"compiler": "nvcc", "path": "/usr/local/cuda", "version": "nvcc --version"}.get(
        kind, match[kind].decode("utf-8", "replace")
    )
    yield _use(name, match.start(kind), match.end(kind))
    library = _AFTER.match(data, match.end(kind), end)
    if library is not None and kind in ("folder", "path"):
        yield _use("lib64 of CUDA", library.start(1), library.end(1))


def _use(name: str, start: int, end: int) -> Use:
    return Use("name", name, Span(start, end), Span(start, end), certainty="syntax")
