"""CUDA names put together by token pasting: the pieces are seen, the names are not."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

WORDS = (b"##",)

_LIBRARY = re.compile(r"(?:cuda|cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvrtc|CUBLAS|CUFFT|CURAND|CUDA|CU)_?")
"""What names of CUDA's libraries begin with, pasted to the rest: `cublas`, `CU_`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`cuda##name` and the like; a piece that only looks like a word of the project's own stays silent."""
    for use in parsed.uses:
        if use.kind == "paste" and _is_cuda(use.name.partition(" ## ")[0]):
            yield Hit("build/token-pasting", use, {"pasted": use.name})


def _is_cuda(piece: str) -> bool:
    return _LIBRARY.fullmatch(piece) is not None or re.match(r"(?:cuda|cublas|cufft|curand)[A-Z]", piece) is not None
