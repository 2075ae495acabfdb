"""`explain FILE:LINE` says what was found, what becomes of it, and the facts behind it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cudamigrate.cli.app import app


def _said(place: str) -> str:
    """What `explain` of a place that is none says."""
    done = CliRunner().invoke(app, ["explain", place])
    assert done.exit_code == 2
    return done.stderr


def test_a_place_says_what_becomes_of_it_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "__global__ void k(int *a) {\n  int lane = threadIdx.x % 32;\n  a[0] = __shfl_sync(~0u, lane, 0);\n"
        "  if (lane < 8)\n    __syncthreads();\n  a[1] = 0; }\n"
    )
    (tmp_path / "k.cu").write_text(code)
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    changed = run.invoke(app, ["explain", "k.cu:3"]).output
    assert "    - a[0] = __shfl_sync(~0u, lane, 0);\n    + a[0] = __shfl(lane, 0, 32);\n" in changed
    assert "Without a change it does not build for AMD. `cudamigrate apply` changes it:" in changed
    assert "Function `k` " in changed and "cudamigrate explain warp/sync-shuffle" in changed
    manual = run.invoke(app, ["explain", "k.cu:5"]).output
    assert "It is to be changed manually." in manual
    assert "k.cu:2  `lane` is different between threads\n      | int lane = threadIdx.x % 32;\n" in manual
    assert _said("k.cu:7") == "cudamigrate: k.cu has 6 lines, and no line 7\n"
    assert _said("none.cu:7") == "cudamigrate: none.cu is not a file\n"
    assert run.invoke(app, ["explain", "k.cu:1"]).output.startswith(("Nothing was found in k.cu:1.", "k.cu:1\n"))


def test_only_the_project_of_the_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "__global__ void k(int *a) {\n  *a = __ballot_sync(0xffffffffu, *a);\n}\n"
    port = "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#endif\n"
    for name, text in (("one/src/k.cu", code), ("other/k.cu", port + code)):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    for name in ("one", "other"):
        (tmp_path / name / "Makefile").write_text("all:\n\tnvcc k.cu\n")
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(app, ["explain", "one/src/k.cu:2"]).output
    assert said.startswith("src/k.cu:2") and "port" not in said
    monkeypatch.chdir(tmp_path / "one/src")
    assert CliRunner().invoke(app, ["explain", "k.cu:2"]).output.startswith("k.cu:2")
