"""Products of cuBLAS that give the compute type as a data type, as before CUDA 11."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use

WORDS = (b"cublasGemm",)
INSTEAD = True  # the data type's own name would be written otherwise

_CALL = re.compile(r"cublasGemm(?:Batched|StridedBatched)?Ex(?:_64)?")
"""Products that take a type to compute in: `cublasGemmEx`, `cublasGemmStridedBatchedEx_64`."""
_DATA_TYPE = re.compile(rb"(?:CUDA|HIP)_(?:R_(?:16F|32F|64F|32I)|C_(?:32F|64F))")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls whose last argument but one is written as a data type; a variable there may hold either."""
    for use in parsed.uses:
        if use.kind != "call" or not _CALL.fullmatch(use.name) or len(use.args) < 19:
            continue
        given = use.args[-2]
        match = _DATA_TYPE.fullmatch(parsed.data, given.start, given.end)
        if match is not None:
            place = Use("name", match[0].decode(), given, given, (), use.scope, use.certainty)
            yield Hit("library/blas-compute-type", place)
