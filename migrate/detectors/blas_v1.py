"""Calls of cuBLAS's interface without a handle, which hipBLAS does not have.

A call belongs to the old interface where it has as many arguments as the old function takes, which is one less than the
new one, or two where the new one returns its result through a pointer. A name without a call, as a macro stands for it,
belongs to it where its file includes `<cublas.h>`, which declares that interface, and not `<cublas_v2.h>`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

WORDS = (b"cublas",)

INSTEAD = True
"""What is found here is not reported by the rule for the name as well."""
_ARGUMENTS = {
    "scal": 4, "axpy": 6, "copy": 5, "swap": 5, "dot": 5, "dotu": 5, "dotc": 5, "nrm2": 3, "asum": 3, "amax": 3,
    "amin": 3, "rot": 7, "rotg": 4, "rotm": 6, "rotmg": 5, "gemv": 11, "gbmv": 13, "trmv": 8, "tbmv": 9, "tpmv": 7,
    "trsv": 8, "tpsv": 7, "tbsv": 9, "symv": 10, "hemv": 10, "sbmv": 11, "hbmv": 11, "spmv": 9, "hpmv": 9, "ger": 9,
    "geru": 9, "gerc": 9, "syr": 7, "her": 7, "spr": 6, "hpr": 6, "syr2": 9, "her2": 9, "spr2": 8, "hpr2": 8,
    "gemm": 13, "syrk": 10, "herk": 10, "syr2k": 12, "her2k": 12, "symm": 12, "hemm": 12, "trsm": 11, "trmm": 11,
}  # fmt: skip
"""By operation: the arguments of the function without a handle. Source: cuBLAS documentation, legacy API."""
_NAME = re.compile(
    r"cublas(?:I?[sdcz]|I?[SDCZ]|Cs|Zd|Sc|Dz)(" + "|".join(sorted(_ARGUMENTS, key=len, reverse=True)) + r")"
)
"""Type letters and operation: `cublasSgemm`, `cublasIsamax`, `cublasCsscal`; longer operations first."""
_OLD, _NEW = "cublas.h", ("cublas_v2.h", "cublas_api.h")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call, and each such name in a file of the old interface."""
    is_old = _OLD in (headers := {include.path for include in parsed.includes}) and headers.isdisjoint(_NEW)
    for use in parsed.uses:
        if use.kind not in ("call", "name") or not use.name.startswith("cublas"):
            continue
        match = _NAME.fullmatch(use.name)
        if match is not None and (is_old if use.kind == "name" else len(use.args) == _ARGUMENTS[match[1]]):
            yield Hit("api/blas-without-handle", use, {"name": use.name, "hip": f"hip{use.name[2:]}"})
