"""Macros with one instruction each that pass on the carry: all change with the functions that use them, or none."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import edits, pipeline
from cudamigrate.config import Config

HEADER = """#pragma once
#define LOW(d, a, b) asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b) : "memory")
#define NEXT(d, a) asm volatile("addc.cc.u32 %0, %0, %1;" : "+r"(d) : "r"(a) : "memory")
#define LAST(d) asm volatile("addc.u32 %0, 0, 0;" : "=r"(d))
#define TWO(d, a) { LOW(d[0], d[0], a[0]); NEXT(d[1], a[1]); }
"""
KERNEL = """#include "words.cuh"
__global__ void sum(unsigned *d, const unsigned *a) {
    TWO(d, a)
    for (int i = 2; i < 8; i++) NEXT(d[i], a[i]);
    LAST(d[8]);
}
"""
DECLARED = "{\n    bool cudamigrate_carry = false;\n"


def converted(root: Path, header: str, kernel: str, **more: str) -> tuple[str, str, list[str]]:
    """The two files afterwards, and what is said of carries that stay."""
    written(
        root, {"words.cuh": header, "sum.cu": kernel, **{name.replace("_", "."): text for name, text in more.items()}}
    )
    findings = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    after = []
    for path in ("words.cuh", "sum.cu"):
        fixes = [one.fix for one in findings if one.path == path and one.fix is not None]
        after.append(edits.apply((root / path).read_bytes(), fixes).data.decode())
    left = [one for one in findings if one.rule == "ptx/split-statement" and one.path == "words.cuh"]
    return after[0], after[1], [one.message for one in left]


def test_macros_and_the_functions_that_expand_them_change_together(tmp_path: Path) -> None:
    header, kernel, left = converted(tmp_path, HEADER, KERNEL)
    assert left == []
    assert "asm" not in header
    assert (
        "#define LOW(d, a, b) d = cudamigrate::add_carry(unsigned(a), unsigned(b), false, cudamigrate_carry)" in header
    )
    assert "#define LAST(d) d = 0u + 0u + cudamigrate_carry" in header
    assert DECLARED in kernel


def test_the_variable_is_a_finding_of_the_function_that_gets_it(tmp_path: Path) -> None:
    written(tmp_path, {"words.cuh": HEADER, "sum.cu": KERNEL})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    found = [one for one in findings if one.rule == "ptx/carry-variable"]
    assert [one.path for one in found] == ["sum.cu"] and found[0].message.startswith("`sum` uses `TWO`")


def test_a_place_that_is_read_and_written_is_worked_out_once(tmp_path: Path) -> None:
    header, _, _ = converted(tmp_path, HEADER, KERNEL)
    line = next(line for line in header.splitlines() if line.startswith("#define NEXT"))
    assert "auto &place0_ = d;" in line


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        pytest.param("__device__ void f(unsigned *d) { LAST(d[0]); }", "in `f` of sum.cu", id="read and never set"),
        pytest.param(
            "__device__ void f(unsigned *d) { LOW(d[0], 1, 2); g(); LAST(d[0]); }", "in `f` of sum.cu", id="a call"
        ),
        pytest.param(
            "__device__ void f(unsigned *d) { LOW(d[0], 1, 2); goto end; end: LAST(d[0]); }", "`goto`", id="a jump"
        ),
        pytest.param(
            "__device__ void f(unsigned *d) { auto g = [&] { LOW(d[0], 1, 2); }; g(); }", "a lambda", id="a lambda"
        ),
        pytest.param("#ifdef LAST\n#endif", "`#ifdef` asks for `LAST`", id="asked for"),
        pytest.param("__device__ unsigned x = LAST(1);", "where no function is seen", id="no function"),
        pytest.param(
            'static __device__ void f(unsigned *d) { LOW(d[0], 1, 2); asm("addc.u32 %0, 0, 0;" : "=r"(d[1])); }',
            "asm statements of its own", id="both ways"
        ),
        pytest.param(
            '#undef LAST\n#define LAST(d) asm("addc.u32 %0, 1, 1;" : "=r"(d))', "`LAST`", id="two definitions"
        ),
    ],
)  # fmt: skip
def test_one_use_that_is_not_followed_leaves_all_as_they_are(tmp_path: Path, more: str, reason: str) -> None:
    header, kernel, left = converted(tmp_path, HEADER, f"{KERNEL}{more}\n")
    assert header.count("asm") == HEADER.count("asm")
    assert "cudamigrate_carry" not in kernel
    assert len(left) == 3
    assert all(reason in one for one in left), left


def test_what_does_not_see_the_macros_has_names_of_its_own(tmp_path: Path) -> None:
    own = "struct Words { void NEXT(int); unsigned LAST(int); };\n"
    header, kernel, left = converted(tmp_path, HEADER, f'#include "own.h"\n{KERNEL}', own_h=own)
    assert left == []
    assert "asm" not in header
    assert DECLARED in kernel


def test_macros_that_nobody_uses_stay(tmp_path: Path) -> None:
    """Who uses one later has no variable for the carry; asm that is left shows itself."""
    kernel = '#include "words.cuh"\n__global__ void sum(unsigned *d) { d[0] = 1; }\n'
    header, kernel, left = converted(tmp_path, HEADER, kernel)
    assert "cudamigrate_carry" not in header + kernel
    assert len(left) == 3 and all("no function here uses it" in one for one in left), left


def test_one_macro_that_nobody_uses_changes_with_the_others(tmp_path: Path) -> None:
    header, kernel, left = converted(tmp_path, f'{HEADER}#define MORE(d) asm("addc.u32 %0, 1, 1;" : "=r"(d))\n', KERNEL)
    assert left == [] and "asm" not in header
    assert DECLARED in kernel
