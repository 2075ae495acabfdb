"""A macro that pastes `cuda` to a name is changed where all its uses make names that HIP has with the same ending."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

HEADER = """#pragma once
#include <cuda_runtime.h>
#define CHECK(call) check(call, #call)
#define CALL(call) CHECK(cuda##call)
void check(cudaError_t code, const char *what);
"""
USER = '#include "calls.h"\nvoid run(float *p, int n) {{\n    {}\n}}\n'


def found(root: Path, body: str, more: str = "") -> Finding:
    """What is said of the macro."""
    written(root, {"calls.h": HEADER + more, "run.cu": USER.format(body)})
    findings = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    (one,) = (one for one in findings if one.path == "calls.h" and one.position.line == 4)
    return one


def test_names_with_the_same_ending_need_another_prefix(tmp_path: Path) -> None:
    one = found(tmp_path, "CALL(Malloc((void **)&p, n)); // CALL(Nothing(p));\n    CALL(Free(p));")
    assert (one.rule, one.support, one.effort) == ("build/pasted-prefix", "full", "none")
    assert one.fix is not None and one.fix.safety == "safe"
    (edit,) = one.fix.edits
    text = HEADER.encode()
    changed = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    assert changed == HEADER.replace("cuda##call", "hip##call").encode()


@pytest.mark.parametrize("name", ["ThreadSynchronizeAll", "ThreadSynchronize", "FuncSetAttribute"])
def test_a_name_that_hip_spells_otherwise_is_named(tmp_path: Path, name: str) -> None:
    one = found(tmp_path, f"CALL(Free(p));\n    CALL({name}());")
    assert (one.rule, one.fix) == ("build/pasted-name", None)
    assert f"`cuda{name}` in run.cu:4" in one.message


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("", ""),
        ("CALL(Free(p));", "#define TWICE(call) CALL(call), CALL(call)\n"),
        ("CALL(Free(p)); use(CALL);", ""),
        ("CALL(Free(p)); CALL((Free)(p));", ""),
    ],
)
def test_a_use_that_is_not_seen_leaves_it_open(tmp_path: Path, body: str, more: str) -> None:
    one = found(tmp_path, body, more)
    assert (one.rule, one.fix) == ("build/token-pasting", None)


@pytest.mark.parametrize(
    ("use", "made"),
    [("LANES(Size)", True), ("OF(warp, LANES)", False), ("LANES(Sum)()", False), ("TWICE(Size)", True)],
)
def test_half_of_the_wave_size_is_reported_where_the_other_half_is_given(tmp_path: Path, use: str, made: bool) -> None:
    header = "#define LANES(what) warp##what\n#define TWICE(what) (2 * LANES(what))\nint OF(int, int);\n"
    written(tmp_path, {"calls.h": header, "run.cu": f'#include "calls.h"\n__device__ int f() {{ return {use}; }}\n'})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [one.path for one in findings if one.rule == "warp/pasted-size"] == ["calls.h"] * made


@pytest.mark.parametrize(
    ("pasted", "rule"),
    [
        ("CU_DEVICE_ATTRIBUTE_##key", "build/token-pasting"),
        ("CUBLAS_STATUS_##key", "build/token-pasting"),
        ("CU_MINE_AND_ONLY_MINE_##key", ""),
        ("MY_DEVICE_ATTRIBUTE_##key", ""),
    ],
)
def test_constants_of_one_kind_that_a_macro_makes_are_reported(tmp_path: Path, pasted: str, rule: str) -> None:
    text = f"#include <cuda.h>\n#define ALL(F) F(WARP_SIZE)\n#define ONE(key) case {pasted}: return #key;\n"
    written(tmp_path, {"a.cu": text + 'const char *f(int a) { switch (a) { ALL(ONE) default: return ""; } }\n'})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    here = {one.rule for one in findings if one.position.line == 3} - {"library/unknown-name"}
    assert here == ({rule} if rule else set())


def test_a_host_file_that_has_nothing_else_of_cudas_is_read(tmp_path: Path) -> None:
    text = "#define ALL(F) F(WARP_SIZE)\n#define ONE(key) \\\n    case {}_##key: return #key;\n"
    text += "int f(int a) {{ switch (a) {{ ALL(ONE) }} }}\n"
    written(tmp_path, {"a.cpp": text.format("CU_DEVICE_ATTRIBUTE"), "b.cpp": text.format("CU_MINE_ALONE")})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [(one.path, one.rule) for one in findings] == [("a.cpp", "build/token-pasting")]


def test_a_prefix_is_no_unknown_name(tmp_path: Path) -> None:
    """`cudaDevAttr` is no name, `cudaFreeQuickly` is one that no release has."""
    text = """#include <cuda_runtime.h>
#define ATTRIBUTE(name) cudaDevAttr##name
int most(void *p) {
    int value;
    cudaDeviceGetAttribute(&value, ATTRIBUTE(MaxThreadsPerBlock), 0);
    cudaFreeQuickly(p);
    return value;
}
"""
    written(tmp_path, {"run.cu": text})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    unknown = [one.position.line for one in findings if one.rule == "library/unknown-name"]
    assert (unknown, [one.rule for one in findings if one.position.line == 2]) == ([6], ["build/pasted-prefix"])
