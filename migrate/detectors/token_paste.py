"""CUDA names put together by token pasting: the pieces are seen, the names are not."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.code_files import pasted_sizes
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"##", (b"warp", b"Size"))

_LIBRARY = re.compile(r"(?:cuda|cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvrtc|CUBLAS|CUFFT|CURAND|CUDA|CU)_?")
"""What names of CUDA's libraries begin with, pasted to the rest: `cublas`, `CU_`."""

_BEGINNING = re.compile(r"(?:CU|CUDA|CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER|CUDNN|NCCL|NVRTC|NVML|NPP)_[A-Z\d]\w*_")
"""How constants of one kind begin: `CU_DEVICE_ATTRIBUTE_`. All files together tell whether CUDA has such names."""
_TWO_PIECES = re.compile(rb"[(,]\s*(?P<pieces>warp\s*,\s*Size)\s*[),]")
"""The halves of `warpSize` as arguments of a macro: `PASTE(warp, Size)`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`cuda##name` and the like; a piece that only looks like a word of the project's own stays silent.

    So does half of `warpSize` where no code of the repository gives the macro the other half: all files together tell.
    """
    halves = {start for start, _ in pasted_sizes(parsed.data)}
    for use in parsed.uses:
        if use.kind == "paste" and _is_cuda(use.name.partition(" ## ")[0]):
            yield Hit("build/token-pasting", use, {"pasted": use.name})
        elif use.kind == "paste" and any(use.span.start <= at < use.span.end for at in halves):
            yield Hit("warp/pasted-size", use)
    for match in parsed.lexed.matches(_TWO_PIECES, b"Size"):
        span = Span(*match.span("pieces"))
        yield Hit("warp/pasted-size", parsed.named_use("warpSize", span))


def _is_cuda(piece: str) -> bool:
    is_name = re.match(r"(?:cuda|cublas|cufft|curand)[A-Z]", piece) is not None
    return is_name or _LIBRARY.fullmatch(piece) is not None or _BEGINNING.fullmatch(piece) is not None
