"""How exactly cuBLAS computes, where hipBLAS computes in one way only.

hipBLASLt takes the compute types that hipBLAS refuses, and a list of all of them, as in a `switch`, keeps them all. So
what is written depends on where the name stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use

_TAKES = re.compile(r"cublasGemm(?:Batched|StridedBatched)?Ex(?:_64)?|cublasSetMathMode")
"""Functions that are given how to compute: `cublasGemmStridedBatchedEx_64`, `cublasSetMathMode`."""
_LOOSE = re.compile(r"_(?:FAST_\w+|PEDANTIC)$")
"""Endings of names that the functions of hipBLAS refuse: `CUBLAS_COMPUTE_32F_PEDANTIC`."""
_GIVEN = (b"=", b"?", b"return")
_DATA_TYPE = re.compile(r"(?:CUDA|HIP)_[RC]_(\w+)")
"""A data type where a compute type stands, `CUDA_C_32F`: cuBLAS computes in what its parts are, here 32F."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit: what hipBLAS computes with where the name is given to it, else the name that hipBLAS declares."""
    data_type = _DATA_TYPE.fullmatch(use.name)
    if data_type is not None:
        return [Edit(use.span, f"HIPBLAS_COMPUTE_{data_type[1]}".encode())]
    return [Edit(use.span, (_plain(use.name) if _is_given(parsed, use) else f"HIP{use.name[2:]}").encode())]


def _plain(name: str) -> str:
    return "HIPBLAS_DEFAULT_MATH" if "_MATH" in name else _LOOSE.sub("", f"HIP{name[2:]}")


def _is_given(parsed: ParsedFile, use: Use) -> bool:
    """Whether the name is an argument of the function that refuses it, or the value of what may become one."""
    starts, ends = parsed.once(_arguments)
    at = bisect_right(starts, use.span.start) - 1
    if at >= 0 and use.span.start < ends[at]:
        return True
    if b"cublasLt" in parsed.data:
        return False
    before = parsed.lexed.before(use.span.start)
    word = parsed.lexed.text(before)
    if word == b":":
        line = parsed.data[parsed.data.rfind(b"\n", 0, use.span.start) + 1 : use.span.start]
        return b"?" in line and b"case" not in line
    return word in _GIVEN


def _arguments(parsed: ParsedFile) -> tuple[list[int], list[int]]:
    """Where the arguments of such functions start and end, in order; those within another are part of it."""
    takers = (one for one in parsed.uses if one.kind == "call" and _TAKES.fullmatch(one.name))
    starts, ends = list[int](), list[int]()
    for given in sorted(given for one in takers for given in one.args):
        if not ends or given.end > ends[-1]:
            starts.append(given.start)
            ends.append(given.end)
    return starts, ends
