"""`struct` before a type that CUDA declares under that tag, and HIP by a `typedef` alone."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"cudaGraphicsResource", b"cudaLaunchParams", b"cudaLaunchAttribute", b"cudaExternal", b"CU")
_TAGGED = re.compile(
    rb"\b(?P<word>struct|union|enum)\s+(?:::\s*)?(?P<name>cudaGraphicsResource|cudaLaunchParams|cudaLaunchAttribute"
    rb"|cudaExternalMemory(?:BufferDesc|HandleDesc|HandleType|MipmappedArrayDesc)"
    rb"|cudaExternalSemaphore(?:HandleDesc|HandleType|SignalParams(?:_v1)?|WaitParams(?:_v1)?)"
    rb"|CU(?:graphicsResource|externalMemory|externalSemaphore)_st|CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st)"
    rb"(?!\w)(?!\s*[;{:])"
)
"""A type with its kind: `struct cudaGraphicsResource *`. What declares the tag, `struct T;`, is of another type."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such word in C++, where the type is found without it; C knows CUDA's only by it."""
    if parsed.source.path.endswith(".c"):
        return
    for match in parsed.lexed.starting(_TAGGED, b"struct", b"union", b"enum"):
        if parsed.hip(match.start()) is None:
            span, name = Span(*match.span("word")), match["name"].decode()
            use = parsed.named_use(match["word"].decode(), span, "token")
            yield Hit("build/elaborated-type", use, {"type": name})
