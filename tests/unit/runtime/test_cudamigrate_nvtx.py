"""Ranges with attributes, by a ROCTx that writes down what it is given."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

RUNTIME = Path(pipeline.__file__).parents[1] / "runtime"
ROCTX = """#pragma once
#include <stdint.h>
#include <stdio.h>
typedef uint64_t roctx_range_id_t;
inline int roctxRangePushA(const char *text) { return printf("push %s\\n", text); }
inline roctx_range_id_t roctxRangeStartA(const char *text) { printf("start %s\\n", text); return 7; }
inline void roctxMarkA(const char *text) { printf("mark %s\\n", text); }
inline void roctxRangeStop(roctx_range_id_t id) { printf("stop %d\\n", int(id)); }
"""
CODE = """#include <nvToolsExt.h>
#if NVTX_VERSION < 3
#error old
#endif
int main() {
    nvtxEventAttributes_t given = {0};
    given.version = NVTX_VERSION;
    given.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    given.colorType = NVTX_COLOR_ARGB;
    given.color = 0xff00ff00;
    nvtxRangePushEx(&given);
    given.messageType = NVTX_MESSAGE_TYPE_ASCII;
    given.message.ascii = "copy";
    given.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    given.payload.iValue = 3;
    nvtxMarkEx(&given);
    nvtxRangeId_t id = nvtxRangeStartEx(&given);
    nvtxRangeEnd(id);
}
"""


@pytest.mark.parametrize("header", ["rocprofiler-sdk-roctx", "roctracer"])
def test_the_message_arrives(tmp_path: Path, header: str) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    source, built = tmp_path / "in", tmp_path / "built"
    source.mkdir()
    (source / "a.cpp").write_text(CODE)
    made = pipeline.apply(source, Config(jobs=1))
    (built / header).mkdir(parents=True)
    (built / header / "roctx.h").write_text(ROCTX)
    text = made.conversions[0].after.decode().replace("rocprofiler-sdk-roctx", header)
    (built / "a.cpp").write_text(text)
    (built / "cudamigrate_nvtx.h").write_bytes(made.added["cudamigrate_nvtx.h"])
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-std=c++11", "-I."]
    subprocess.run([*command, "a.cpp", "-o", "a"], cwd=built, check=True)
    said = subprocess.run(["./a"], cwd=built, check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == ["push ", "mark copy", "start copy", "stop 7"]


def test_messages_without_a_form_in_roctx_stay(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(CODE.replace("_ASCII", "_REGISTERED"))
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.name for one in report.findings if not one.automatic] == ["NVTX_MESSAGE_TYPE_REGISTERED"]


def test_without_roctx_nothing_is_declared(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    (tmp_path / "a.cpp").write_text('#include "cudamigrate_nvtx.h"\nint main() { return 0; }\n')
    subprocess.run([compiler, "-I", str(RUNTIME), "-c", "a.cpp"], cwd=tmp_path, check=True)
