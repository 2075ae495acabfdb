"""TF32 in CUDA's warp matrix functions, where the header that has it does not take the place of CUDA's."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"tf32",)
_RULE = "math/tensor-float-fragment"
_NAME = re.compile(rb"(?<![\w:])(?:nvcuda\s*::\s*)?wmma\s*::\s*(?:precision\s*::\s*tf32|__float_to_tf32)\b")
"""The type, `wmma::precision::tf32`, and the conversion to it, `wmma::__float_to_tf32`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each of them for the full wavefront, which CUDA's names do not mean, and beside rocWMMA.

    Elsewhere `cudamigrate_wmma.h` takes the place of CUDA's header, and has both.
    """
    if not parsed.native and not any(include.path.startswith("rocwmma/") for include in parsed.includes):
        return
    for match in parsed.lexed.matches(_NAME, b"tf32"):
        if parsed.hip(match.start()) is None:
            name = b"".join(match[0].split()).decode("latin-1")
            yield Hit(_RULE, parsed.named_use(name, Span(*match.span())), {"name": name})
