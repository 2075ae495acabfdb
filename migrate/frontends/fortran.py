"""Fortran: whether a file binds functions of CUDA by name, as `bind(C, name="cudaMalloc")` does.

Nothing is rewritten, one place stands for a file, and nothing else of Fortran is read. A file that binds functions of
HIP too is ported already.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import cuda_functions, utf8
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = dict.fromkeys(
    (".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".f", ".F", ".for", ".FOR"), "fortran"
)
PART = "code"
TRIGGER = re.compile(rb"[\"'](?:" + cuda_functions.BEGINS.encode() + rb")")
"""A text that begins as names of CUDA's functions do."""

_FIXED = (".f", ".for")
"""How files end in which a line is a remark by its first letter."""
_TOKEN = re.compile(
    rb"![^\n]*|\bbind[\s&]*\([\s&]*c[\s&]*,[\s&]*name[\s&]*=[\s&]*(?P<quote>[\"'])[ ]*(?P<name>\w+)[ ]*(?P=quote)"
    rb"|\"[^\"\n]*\"|'[^'\n]*'",
    re.IGNORECASE,
)
"""A remark, the name that a procedure has for C, or a text."""
_REMARK = re.compile(rb"^[c*][^\n]*", re.IGNORECASE | re.MULTILINE)
_OF_HIP = re.compile(r"hip(?:blas|fft|rand|sparse|solver)?[A-Z]\w*|roc(?:blas|fft|rand|sparse|solver)_\w+")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    return ProjectFile(source, list(_bound(source))[:1])


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _bound(source: SourceFile) -> Iterator[Use]:
    """The functions of CUDA that a file binds, where it binds none of HIP."""
    data = source.data
    if source.path.lower().endswith(_FIXED):
        data = _REMARK.sub(lambda remark: b" " * len(remark[0]), data)
    names = [(match.span("name"), utf8.text(match["name"])) for match in _TOKEN.finditer(data) if match["name"]]
    if any(_OF_HIP.fullmatch(name) for _, name in names):
        return
    for span, name in names:
        if cuda_functions.NAME.fullmatch(name):
            yield use_at("function of CUDA in Fortran", *span)
