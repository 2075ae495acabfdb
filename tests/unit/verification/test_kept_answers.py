"""Answers of earlier runs count while all that they rest on is as it was."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate.model import Target
from cudamigrate.model.verification import Toolchain, Verdict
from cudamigrate.verification import run as verification

pytestmark = pytest.mark.usefixtures("embedded_clang")
_LOCAL_CLASS = """#include <hip/hip_runtime.h>
template <typename T> __global__ void f(T *p) {
  struct same { __device__ T operator()(T a) const { return a; } };
  *p = same()(*p) + none;
}
template __global__ void f<float>(float *);
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder


def judged(root: Path, files: Mapping[str, str], cache: bool = True, **more: object) -> dict[str, Verdict]:
    for name, text in files.items():
        (root / name).write_text(text)
    job = verification.Job(str(root), list(files), cache=cache)
    chosen = verification.toolchain("clang", Target())
    assert isinstance(chosen, Toolchain)
    done = verification.run(job, replace(chosen, headers=(*chosen.headers, *map(str, more.values()))), 1)
    return {verdict.path: verdict for verdict in done.verdicts}


def test_a_verdict_does_not_depend_on_the_files_beside_it(root: Path) -> None:
    beside = {"a.hip": _LOCAL_CLASS, "b.hip": "#include <hip/hip_runtime.h>\n", "c.hip": _LOCAL_CLASS}
    for cache in (False, True, False, True):
        alone = judged(root, {"a.hip": _LOCAL_CLASS}, cache)["a.hip"]
        among = judged(root, beside, cache)["a.hip"]
        assert (alone.word, alone.headers) == (among.word, among.headers) == ("failed", ())
        assert [one.message for one in alone.diagnostics] == ["use of undeclared identifier 'none'"]
        assert alone.diagnostics == among.diagnostics


def test_no_answer_of_an_earlier_run_counts_without_the_cache(root: Path, tmp_path: Path) -> None:
    judged(root, {"a.hip": "int a;\n"})
    for file in (tmp_path / "cache").rglob("*.json"):
        os.utime(file, (1_000, 1_000))  # as one of an hour ago would be
    assert judged(root, {"a.hip": "int a;\n"})["a.hip"].cached
    assert not judged(root, {"a.hip": "int a;\n"}, cache=False)["a.hip"].cached


def test_a_header_that_was_missing_is_read_once_it_is_there(root: Path, tmp_path: Path) -> None:
    files = {"a.hip": '#include "late.h"\n#include <later.h>\nint a = LATE + LATER;\n'}
    outside = tmp_path / "outside"
    outside.mkdir()
    assert judged(root, files, outside=outside)["a.hip"].headers == ("late.h", "later.h")
    (root / "late.h").write_text("#define LATE 1\n")
    assert judged(root, files, outside=outside)["a.hip"].headers == ("later.h",)
    assert judged(root, files, outside=outside)["a.hip"].cached
    (outside / "later.h").write_text("#define LATER 1\n")
    assert judged(root, files, outside=outside)["a.hip"].word == "checked"
