"""A size of the wave that is kept to be printed is that of the GPU; one that code counts with is 32."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

HEADER = "#pragma once\nstruct Info { int lanes; int clock; };\n"
FILL = """\
#include <cuda_runtime.h>
#include "info.h"
Info about() {
    Info info;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    info.lanes = prop.warpSize;
    return info;
}
"""
SHOW = '#include <iostream>\n#include "info.h"\nvoid show(const Info &info) {{ {}; }}\n'
STREAM = 'std::cout << "lanes: " << info.lanes << "\\n"'


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"show.cpp": SHOW.format(STREAM)}, False, id="printed"),
        pytest.param({"show.cpp": SHOW.format('printf("%d", info.lanes)')}, False, id="printed by a function"),
        pytest.param(
            {"show.cpp": SHOW.format(STREAM), "run.cpp": SHOW.format("run(256 / info.lanes)")}, True, id="counted with"
        ),
        pytest.param({"show.cpp": SHOW.format("int bits = 1 << info.lanes")}, True, id="shifted by"),
        pytest.param({}, True, id="read nowhere"),
        pytest.param({"show.cpp": SHOW.format(STREAM), "use.py": "n = info.lanes\n"}, True, id="read by Python"),
    ],
)
def test_a_size_that_is_kept(tmp_path: Path, files: dict[str, str], reported: bool) -> None:
    found = scanned(tmp_path, {"info.h": HEADER, "fill.cu": FILL, **files}).findings
    assert any(one.rule == "warp/queried-size" for one in found) is reported


KEYED = """\
#include <cuda_runtime.h>
void about(Dict &all) {{
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    all["lanes"] = {};
}}
"""


@pytest.mark.parametrize(
    ("value", "files", "reported"),
    [
        pytest.param("prop.warpSize", {}, False, id="listed"),
        pytest.param("prop.warpSize", {"use.py": "show(all)\n"}, False, id="shown by Python as a whole"),
        pytest.param("prop.warpSize", {"use.py": "a = {'lanes': 32}\n"}, False, id="written in Python"),
        pytest.param("prop.warpSize", {"use.py": "n = 256 // all['lanes']\n"}, True, id="asked for by Python"),
        pytest.param("prop.warpSize", {"use.cu": 'int n(Dict &d) { return d["lanes"]; }\n'}, True, id="asked for"),
        pytest.param("256 / prop.warpSize", {}, True, id="counted with"),
    ],
)
def test_a_size_that_is_kept_under_a_key(tmp_path: Path, value: str, files: dict[str, str], reported: bool) -> None:
    found = scanned(tmp_path, {"fill.cu": KEYED.format(value), **files}).findings
    assert any(one.rule == "warp/queried-size" for one in found) is reported
