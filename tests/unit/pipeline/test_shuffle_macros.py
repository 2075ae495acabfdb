"""Macros that take the names of shuffles before HIP's header of cooperative groups calls these."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

MACRO = "#pragma once\n#define __shfl(v, l) __shfl_sync(0xffffffffu, v, l)\n"
GROUPS = "#include <cooperative_groups.h>\n"
KERNEL = "__global__ void k(int *a) { a[0] = __shfl(a[1], 0); }\n"
COMPAT = '#include "compat.h"\n'


@pytest.mark.parametrize(
    ("files", "where"),
    [
        pytest.param({"compat.h": MACRO, "k.cu": COMPAT + GROUPS + KERNEL}, "compat.h", id="a header's"),
        pytest.param(
            {"compat.h": MACRO, "all.h": COMPAT, "k.cu": COMPAT.replace("compat", "all") + GROUPS + KERNEL}, "compat.h",
            id="through another",
        ),
        pytest.param({"k.cu": MACRO + GROUPS + KERNEL}, "k.cu", id="its own"),
        pytest.param({"compat.h": MACRO, "k.cu": GROUPS + COMPAT + KERNEL}, "", id="behind"),
        pytest.param({"compat.h": GROUPS + MACRO, "k.cu": COMPAT + GROUPS + KERNEL}, "", id="included already"),
        pytest.param({"k.cu": MACRO.replace("(v, l)", "(v, l, w)") + GROUPS + KERNEL}, "", id="with a width"),
        pytest.param({"k.cu": MACRO.replace("define __shfl", "define SHFL") + GROUPS + KERNEL}, "", id="another name"),
        pytest.param({"k.cu": f"#ifdef __NVCC__\n{MACRO}#endif\n" + GROUPS + KERNEL}, "", id="not for HIP"),
    ],
)  # fmt: skip
def test_a_macro_before_the_header(tmp_path: Path, files: dict[str, str], where: str) -> None:
    found = [one for one in scanned(tmp_path, files).findings if one.rule == "warp/macro-before-groups"]
    assert [f"macro of {where} " in one.message for one in found] == [True] * bool(where)
    assert all(one.excerpt == GROUPS.strip() for one in found)
