"""A shift by an element of a header's table is too wide where that header alone has the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

TABLE = "__constant__ int by[2] = {0, 32};\n"
USE = '#include "tables.h"\n__global__ void k(unsigned *a) { a[0] = a[1] >> by[threadIdx.x & 1]; }\n'
TOLD = [("use.cu", 2)]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"tables.h": TABLE}, TOLD, id="included"),
        pytest.param({"tables.h": '#include "more.h"\n', "more.h": TABLE}, TOLD, id="through another"),
        pytest.param({"tables.h": "static constexpr int by[] = {4 * 8, 1 << 3};\n"}, TOLD, id="worked out"),
        pytest.param({"tables.h": "__constant__ int by[2] = {0, 31};\n"}, [], id="not too wide"),
        pytest.param({"tables.h": "int by[2] = {0, 32};\n"}, [], id="no constant"),
        pytest.param({"tables.h": "", "more.h": TABLE}, [], id="not included"),
        pytest.param(
            {"tables.h": '#include "more.h"\n' + TABLE, "more.h": "__constant__ int by[1] = {8};\n"}, [], id="two"
        ),
        pytest.param(
            {"tables.h": f"#ifdef A\n{TABLE}#else\n__constant__ int by[2] = {{0, 8}};\n#endif\n"}, [], id="branches"
        ),
    ],
)
def test_the_numbers_are_those_of_the_header(
    files: dict[str, str], told: list[tuple[str, int]], tmp_path: Path
) -> None:
    written(tmp_path, {"use.cu": USE, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    found = [one for one in findings if one.rule == "warp/wide-shift"]
    assert [(one.path, one.position.line) for one in found] == told
    assert {step.path for one in found for step in one.trace} <= files.keys()


def test_a_variable_of_the_table_s_name_is_no_table(tmp_path: Path) -> None:
    use = USE.replace("{ a[0]", "{ int by[2] = {0, 8}; a[0]")
    written(tmp_path, {"use.cu": use, "tables.h": TABLE})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one for one in findings if one.rule == "warp/wide-shift"] == []
