"""CUDA's folder in a value or word of a script, by its path or below a variable that holds it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_BY_DEFAULT = re.compile(rb"\$\{\w+:?[-=]/usr/local/cuda(?:-\d[\d.]*)?/?\}/bin/nvcc(?![\w-])")
"""nvcc below a folder that a variable may name: `${CUDA_HOME:-/usr/local/cuda}/bin/nvcc`."""
_CUDA_PATH = re.compile(rb"/usr/local/cuda(?:-\d[\d.]*)?(?![\w-])((?:/[\w.-]+)*)/?")
"""`/usr/local/cuda-12.4/lib64`: the folder of CUDA and the rest; not `/usr/local/cuda-samples` (lookahead)."""
_LIBRARIES = re.compile(rb"\$\{?CUDA_(?:HOME|PATH|ROOT)\}?(?:/extras/CUPTI)?/lib(?:64)?(?![\w-])")
"""Folders of libraries below the folder of CUDA, where a variable holds that."""
_COMPILER = re.compile(rb"(?:CUDA_COMPILER|CUDACXX|CUDA_TOOLKIT_ROOT_DIR)(?::\w+)?[ \t]*[=: ][ \t]*[\"']?$")
"""What is before a path that names CUDA's own compiler or folder to a build."""


def named(data: bytes, span: Span) -> Iterator[tuple[str, Span]]:
    """What rules call such paths, and where they are."""
    for match in _LIBRARIES.finditer(data, span.start, span.end):
        yield "libraries below CUDA_HOME", Span(*match.span())
    whole = [Span(*match.span()) for match in _BY_DEFAULT.finditer(data, span.start, span.end)]
    yield from (("/usr/local/cuda/bin/nvcc", one) for one in whole)
    for match in _CUDA_PATH.finditer(data, span.start, span.end):
        inner = any(one.start < match.start() < one.end for one in whole)
        if not inner and _COMPILER.search(data[max(0, match.start() - 50) : match.start()]) is None:
            yield "/usr/local/cuda" + match[1].decode("latin-1"), Span(match.start(), match.end(1))
