"""Products of matrices whose types hipBLAS for AMD does not multiply, by `rules/matrix-products.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cudamigrate.analysis.argument_constants import constant_argument
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.shipped_data import table

WORDS = (b"cublasGemm",)

_PLACES = {
    "cublasGemmEx": (19, 8, 11, 15),
    "cublasGemmBatchedEx": (20, 8, 11, 15),
    "cublasGemmStridedBatchedEx": (23, 8, 12, 17),
}
"""How many arguments each takes, and the places of the types of A, B and C; the compute type is the last but one."""
_TYPE = re.compile(rb"(?:CUDA|HIP)_([RC]_\d+\w*)")
_COMPUTE = re.compile(rb"(?:CUBLAS_COMPUTE_|(?:CUDA|HIP)_[RC]_)(\d+[FI])(?:_PEDANTIC|_FAST_\w+)?")
"""The type to compute in, of whose forms hipBLAS gets the plain one: `CUBLAS_COMPUTE_32F_FAST_TF32`, `CUDA_R_32F`."""
_OTHERS = (
    ("R_8I", "Take C as `R_32I`, compute in `32I`, and convert C after it"),
    ("", "Convert a matrix to a type that it multiplies"),
)
"""What to do, by the type of A."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each call with types that no product has; one that is not seen may be any, and may save the call."""
    for use in parsed.uses:
        count, *places = _PLACES.get(use.name.removesuffix("_64"), (0,))
        if use.kind != "call" or not count or len(use.args) != count:
            continue
        asked = [_named(parsed, use.args[place], _TYPE) for place in places]
        asked.append(_named(parsed, use.args[-2], _COMPUTE))
        if not any(all(one in ("", has) for one, has in zip(asked, known, strict=True)) for known in _products()):
            yield _hit(use, asked)


@cache
def _products() -> tuple[tuple[str, str, str, str], ...]:
    """The types of A, B and C, and the compute type, of each product that there is."""
    return tuple((one["a"], one["b"], one["c"], one["compute"]) for one in table("matrix-products")["gemm_ex"])


def _named(parsed: ParsedFile, given: Span, form: re.Pattern[bytes]) -> str:
    """What a type is called behind its enumeration's name; empty where the constant is not seen."""
    match = form.fullmatch(constant_argument(parsed, given))
    return match[1].decode() if match is not None else ""


def _hit(use: Use, asked: list[str]) -> Hit:
    """The hit, at the compute type."""
    a, b, c, compute = (f"`{one}`" if one else "any type" for one in asked)
    at = use.args[-2]
    place = Use("name", use.name, at, at, (), use.scope, use.certainty)
    other = next(words for begin, words in _OTHERS if asked[0].startswith(begin))
    return Hit("library/gemm-types", place, {"a": a, "b": b, "c": c, "compute": compute, "other": other})
