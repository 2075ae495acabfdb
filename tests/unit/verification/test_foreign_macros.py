"""A header outside of the tree that a macro of the tree breaks: the code does not compile, whatever reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation.engines import clang
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Target
from cudamigrate.model.verification import OF_MACRO, Diagnostic, Flags, Place, Unit
from cudamigrate.pipeline import prove
from cudamigrate.verification import doubts
from cudamigrate.verification.newer_releases import Release

KERNEL = "#include <hip/hip_runtime.h>\n__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"
MACRO = "#ifndef WITHOUT_CODES\n#define T 3\n#endif\n"
BROKEN = Diagnostic("error", Place("/opt/x.h", 9, 1), "expected a type", "device")


@pytest.mark.parametrize(
    ("text", "word", "lines"),
    [
        pytest.param(MACRO + KERNEL, "failed", {2}, id="before the header"),
        pytest.param(KERNEL + MACRO, "checked", set(), id="behind it"),
        pytest.param(MACRO.replace("T", "NUMBER_OF_CODES") + KERNEL, "checked", set(), id="no name of the header's"),
    ],
)
def test_a_macro_of_the_code_in_hips_headers_stops_the_file(
    tmp_path: Path, text: str, word: str, lines: set[int]
) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    (tmp_path / "a.hip").write_text(text)
    (found,) = prove.verify(tmp_path, Config(jobs=1, arch=("gfx942",)), "clang").verdicts
    assert (found.word, {one.place.line for one in found.diagnostics if one.message.endswith(OF_MACRO)}) == (
        word,
        lines,
    )
    assert not found.headers


def test_only_errors_at_a_macro_of_the_tree_take_the_doubt_away() -> None:
    unit = Unit("a.cu", "/tree", Flags("c++17"), ("gfx942",))
    aim = doubts.Aim(Release("7.1", "7.1"), lambda _: False, lambda _: b"")
    (alone,) = doubts.judged([BROKEN], (), unit, aim)
    assert (alone.kind, alone.certain) == ("missing-header", False)
    at_macro = replace(BROKEN, message="expected a type" + OF_MACRO, notes=(Place("a.cu", 2, 11),))
    (found,) = doubts.judged([BROKEN, at_macro], (), unit, aim)
    assert (found.kind, found.place, found.certain) == ("error", Place("a.cu", 2, 11), True)
