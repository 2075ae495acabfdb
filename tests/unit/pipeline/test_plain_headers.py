"""A header without CUDA that a CUDA file reads is asked for names that are macros in HIP's headers."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

HEADER = "#pragma once\nstruct Packer { int MASK1; };\n"
UNIT = '#include "mid.hpp"\n__global__ void k() {}\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"mid.hpp": HEADER, "k.cu": UNIT}, ["mid.hpp"], id="read"),
        pytest.param({"mid.hpp": '#include "c.hpp"\n', "c.hpp": HEADER, "k.cu": UNIT}, ["c.hpp"], id="by another"),
        pytest.param({"mid.hpp": "", "c.hpp": HEADER, "k.cu": UNIT}, [], id="not read"),
        pytest.param({"mid.hpp": HEADER.replace("MASK1", "MASK7"), "k.cu": UNIT}, [], id="no macro of HIP's"),
        pytest.param({"mid.hpp": f"#undef MASK1\n{HEADER}", "k.cu": UNIT}, [], id="taken back already"),
    ],
)
def test_names_in_a_header_without_cuda(tmp_path: Path, files: dict[str, str], told: list[str]) -> None:
    found = [one for one in scanned(tmp_path, files).findings if one.rule == "build/hip-macro-name"]
    assert [one.path for one in found] == told
