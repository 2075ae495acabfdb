"""Write a function of `cudamigrate_ptx.h` for one of CUDA's that HIP lacks or rounds otherwise: the same arguments."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use

_ROUNDED = re.compile(r"__(?P<type>[fd])(?P<operation>add|sub|mul|div|ma|maf|maf_ieee|rcp|sqrt)_(?P<mode>rn|rz|rd|ru)")
"""Arithmetic with its rounding in the name: `__fadd_rz`, `__dmul_ru`, `__fmaf_ieee_rn`; `__fma_rn` is `f` and `ma`."""

_ROOTS = ("sqrt", "div", "rcp")
"""What an option of clang makes less exact for floats."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit, of the name: `__fadd_rz` becomes `cudamigrate::add_rz`, `__dmul_rn` `cudamigrate::mul_rn<double>`."""
    match = _ROUNDED.fullmatch(use.name)
    if match is None:
        return []
    operation = "fma" if match["operation"].startswith("ma") else match["operation"]
    double = match["type"] == "d" or match["operation"] == "ma"
    if match["mode"] != "rn":
        made = f"cudamigrate::{'d' * double}{operation}_{match['mode']}"
    elif operation == "fma":
        made = "fmaf"
    elif operation in _ROOTS and not double:
        made = f"cudamigrate::{operation}_rn"
    else:
        made = f"cudamigrate::{operation}_rn<{'double' if double else 'float'}>"
    return [Edit(use.span, made.encode())]
