"""Files that rely on nvcc including the CUDA runtime by itself; hipcc includes no header unasked."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.cuda.parsed_file import ParsedFile
from migrate.lazy_re import re
from migrate.model import Hit, Span, Use

_RUNTIME = re.compile(r"(?:cuda_runtime|cuda|hip/hip_runtime)\.h$")
_NEEDS = re.compile(
    rb"\b(?:__(?:global|device|host|constant|shared|managed|launch_bounds|forceinline|noinline)__|threadIdx|blockIdx"
    rb"|blockDim|gridDim|cuda[A-Z]\w+)\b"
)
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first word that needs the runtime header, in a `.cu` file or a header that does not include it.

    A word that only stands behind a conditional needs nothing: a build without CUDA may read that file too. C and
    C++ sources get the runtime through a header they already include.
    """
    if parsed.source.path.lower().endswith(_SOURCES):
        return
    if any(_RUNTIME.match(include.path) and not include.conditional for include in parsed.includes):
        return
    for match in parsed.lexed.starting(_NEEDS, b"__", b"threadIdx", b"block", b"gridDim", b"cuda"):
        start = match.start()
        if parsed.conditional(start) is None and parsed.lexed.directive_at(start) is None:
            span = Span(start, match.end())
            use = Use("name", match[0].decode(), span, span, (), parsed.scope(start), "token")
            yield Hit("build/implicit-runtime-header", use, {"name": use.name})
            return
