"""What HIP's headers refuse of halves for a macro of the build is told with that macro."""

from __future__ import annotations

import pytest

from cudamigrate.model.verification import Diagnostic, Flags, Place, Unit
from cudamigrate.verification import refused_halves

CONVERSIONS, OPERATORS = "__HIP_NO_HALF_CONVERSIONS__", "__HIP_NO_HALF_OPERATORS__"


@pytest.mark.parametrize(
    ("message", "macro"),
    [
        ("no matching conversion for C-style cast from 'half' (aka '__half') to 'float'", CONVERSIONS),
        ("no matching conversion for static_cast from 'const __half' to 'float'", CONVERSIONS),
        ("no matching conversion for functional-style cast from 'float' to '__half'", CONVERSIONS),
        ("no viable conversion from '__half' to 'float'", CONVERSIONS),
        ("invalid operands to binary expression ('__half' and 'half' (aka '__half'))", OPERATORS),
        ("invalid argument type '__half' to unary expression", OPERATORS),
        ("no matching conversion for C-style cast from 'Pair' to 'float'", ""),
        ("invalid operands to binary expression ('float2' and 'float')", ""),
        ("use of undeclared identifier 'half'", ""),
        ("no member named 'x' in '__half'", ""),
    ],
)
def test_the_macro_that_makes_an_error_is_told_where_the_build_gives_it(message: str, macro: str) -> None:
    def advice(*defines: str) -> str:
        unit = Unit("a.cu", "/t", Flags("c++17", defines), ("gfx942",))
        entry = Diagnostic("error", Place("a.cu", 1, 1), message, "device", "gfx942")
        return refused_halves.advised(entry, unit).advice

    told = advice(f"{CONVERSIONS}=1", f"{OPERATORS}=1")
    assert (f"the build defines `{macro}`" in told) if macro else told == ""
    assert advice("USE_ROCM=1") == ""
