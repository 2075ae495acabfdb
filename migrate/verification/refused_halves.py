"""Errors about halves that a macro of the build makes: HIP's headers leave out their conversions and operators for it.

PyTorch's build of an extension gives both macros for ROCm, whatever is taken out of the list for nvcc
(torch/utils/cpp_extension.py, `COMMON_HIPCC_FLAGS`).
"""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic, Unit

_HALF = r"'(?:const )?(?:__)?half'"
_CONVERSION = re.compile(rf"no (?:matching|viable) conversion\b.*\b(?:from|to) {_HALF}")
"""`no matching conversion for C-style cast from 'half' (aka '__half') to 'float'`."""
_OPERATOR = re.compile(rf"(?:invalid operands to binary expression|invalid argument type).*{_HALF}")
"""`invalid operands to binary expression ('__half' and '__half')`."""
_MACROS = {"__HIP_NO_HALF_CONVERSIONS__": _CONVERSION, "__HIP_NO_HALF_OPERATORS__": _OPERATOR}


def advised(entry: Diagnostic, unit: Unit) -> Diagnostic:
    """The complaint with the macro that the unit was compiled with, where that makes it."""
    given = unit.flags.macros
    macro = next((name for name, says in _MACROS.items() if name in given and says.match(entry.message)), "")
    if entry.kind != "error" or not macro:
        return entry
    return replace(
        entry,
        advice=f"the build defines `{macro}`: take it out of PyTorch's `COMMON_HIPCC_FLAGS`, or undefine it with `-U`, "
        "where the code was written without such a macro for nvcc",
    )
