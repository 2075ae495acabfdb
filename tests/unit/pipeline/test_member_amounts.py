"""A request for the shared memory that a member says is judged by the one value that the files give the member."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = "#pragma once\nstruct Params {\n    int blocks;\n    unsigned lds_bytes;\n};\n"
KERNEL = """#include <cuda_runtime.h>
#include "params.h"
__global__ void walk(Params p) {}
void prepare(const Params &p) {
    cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, p.lds_bytes);
}
"""
HOST = '#include <cuda_runtime.h>\n#include "params.h"\nvoid fill(Params *p) {{\n    {}\n}}\n'


def found(root: Path, body: str, header: str = HEADER) -> list[tuple[str, int, str]]:
    """What is said of the request, and the line of the assignment that it rests on."""
    written(root, {"params.h": header, "walk.cu": KERNEL, "fill.cpp": HOST.format(body)})
    findings = pipeline.scan(root, Config(jobs=1, cache=False, arch=("gfx942",))).findings
    mine = [one for one in findings if one.path == "walk.cu" and "shared-memory" in one.rule]
    return [(one.rule.partition("/")[2], one.trace[0].line if one.trace else 0, one.message) for one in mine]


@pytest.mark.parametrize("body", ["p->lds_bytes = 98 * 1024;", "if (p->lds_bytes == 0) p->lds_bytes = 98 * 1024;"])
def test_the_one_value_of_a_member_is_more_than_a_block_may_have(tmp_path: Path, body: str) -> None:
    ((rule, line, message),) = found(tmp_path, body)
    assert (rule, line) == ("dynamic-shared-memory", 4)
    assert "100352 bytes" in message and "64 KiB" in message and "the launch fails" in message


@pytest.mark.parametrize(
    "body",
    [
        "p->lds_bytes = 48 * 1024;",
        "p->lds_bytes = 98 * 1024; p->lds_bytes = 32 * 1024;",
        "p->lds_bytes = 98 * 1024; p->lds_bytes -= 65536;",
        "p->lds_bytes = 98 * 1024; read(&p->lds_bytes);",
        "p->lds_bytes = p->blocks * 1024;",
        "p->lds_bytes = p->blocks ? 98 * 1024 : 0;",
        "int lds_bytes = 3; p->lds_bytes = 98 * 1024;",
        "\n#ifndef __HIPCC__\n    p->lds_bytes = 98 * 1024;\n#endif",
    ],
)
def test_a_member_with_another_value_is_still_to_be_looked_at(tmp_path: Path, body: str) -> None:
    assert [rule for rule, _, _ in found(tmp_path, body)] == ["shared-memory-request"]


@pytest.mark.parametrize(
    "header",
    [HEADER + "struct Other {\n    unsigned lds_bytes;\n};\n", "#pragma once\n#include <params/of_others.h>\n"],
)
def test_a_member_of_two_classes_or_of_none_that_is_seen_is_still_to_be_looked_at(tmp_path: Path, header: str) -> None:
    assert [rule for rule, _, _ in found(tmp_path, "p->lds_bytes = 98 * 1024;", header)] == ["shared-memory-request"]
