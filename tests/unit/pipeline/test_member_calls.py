"""An argument of a macro that comes to stand behind `->` is a member, and no function of CUDA's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HELPER = "#include <cuda.h>\n{}\n"
CODE = '#include "helper.h"\nint run(struct table *t, CUdeviceptr *p) {{\n  {}\n  return 0;\n}}\n'
ARROW = "#define CALL(t, C) do { const CUresult e = (t)->C; if (e) return e; } while (0)"


def after(folder: Path, macros: str, call: str, more: dict[str, str] | None = None) -> str:
    written(folder, {"helper.h": HELPER.format(macros), "a.c": CODE.format(call), **(more or {})})
    made = pipeline.apply(folder, Config(jobs=1))
    return {one.path: one.after.decode() for one in made.conversions}["a.c"]


@pytest.mark.parametrize(
    ("macros", "call"),
    [
        (ARROW, "CALL(t, cuMemAlloc(p, 4));"),
        (ARROW, "CALL(t ,cuMemAlloc(p, 4));"),
        ("#define CALL(t, C) (t.C)", "CALL(*t, cuMemAlloc(p, 4));"),
        ("#define CALL(t, ...) ((t)->__VA_ARGS__)", "CALL(t, cuMemAlloc(p, 4));"),
        (ARROW + "\n#define MINE(C) CALL(t, C)", "MINE(cuMemAlloc(p, 4));"),
        ('#define CALL(t, C) do { if ((t)->C) puts("failed: " #C); } while (0)', "CALL(t, cuMemAlloc(p, 4));"),
    ],
)
def test_a_call_behind_a_member_access_stays(tmp_path: Path, macros: str, call: str) -> None:
    assert call in after(tmp_path, macros, call)


@pytest.mark.parametrize(
    ("macros", "call", "made"),
    [
        ("#define CALL(C) do { CUresult e = C; (void)e; } while (0)", "CALL(cuMemAlloc(p, 4));", "CALL(hipMalloc("),
        (ARROW, "CALL(cuMemAlloc(p, 4), run);", "CALL(hipMalloc("),  # the table, and not the member
        ("#define CALL(t, C) (C, t->run)", "CALL(t, cuMemAlloc(p, 4));", "CALL(t, hipMalloc("),
        ("#define CALL(t, C) ((t)->C, C)", "CALL(t, cuMemAlloc(p, 4));", "CALL(t, hipMalloc("),
        ("#define CALL(t, C) run_all(t, ... C)", "CALL(t, cuMemAlloc(p, 4));", "CALL(t, hipMalloc("),
        (ARROW, "cuMemAlloc(p, 4);", "hipMalloc("),
    ],
)
def test_a_call_that_stays_one_is_converted(tmp_path: Path, macros: str, call: str, made: str) -> None:
    assert made in after(tmp_path, macros, call)


def test_a_macro_that_the_file_does_not_see_says_nothing(tmp_path: Path) -> None:
    plain = "#define CALL(t, C) (C)"
    assert "CALL(t, hipMalloc(" in after(
        tmp_path, plain, "CALL(t, cuMemAlloc(p, 4));", {"other/table.h": HELPER.format(ARROW)}
    )
