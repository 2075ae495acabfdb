"""Baselines and gates, from the command line: what is known, what is new, what is gone, and exit codes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import command_line
import pytest

SOURCE = "#include <cuda_runtime.h>\nvoid f(void **p) {\n  cudaMalloc(p, 4);\n}\n"


def run(cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return command_line.run(*words, cwd=cwd)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(SOURCE)
    done = run(tmp_path, "baseline")
    assert done.returncode == 0, done.stderr
    assert "2 findings known" in done.stderr
    return tmp_path


BASELINE = ("--baseline", ".cudamigrate-baseline.json")


def test_a_baseline_survives_moved_lines(project: Path) -> None:
    known = json.loads((project / ".cudamigrate-baseline.json").read_text())
    assert {entry["rule"] for entry in known["findings"].values()} == {"api/cuda_runtime.h", "api/cudaMalloc"}
    assert run(project, "check", "a.cu", *BASELINE).returncode == 0
    moved = (
        "// a remark\n\n" + SOURCE.replace("  cudaMalloc", "\n      cudaMalloc") + "void g() { cudaDeviceReset(); }\n"
    )
    (project / "a.cu").write_text(moved)
    done = run(project, "check", "a.cu", *BASELINE)
    assert done.returncode == 1
    assert [line.split(" ")[1] for line in done.stdout.splitlines()[:-1]] == ["api/cudaDeviceReset"]
    (project / ".cudamigrate.toml").write_text('baseline = ".cudamigrate-baseline.json"\n')
    assert run(project, "check", "a.cu").stdout == done.stdout


def test_scan_and_diff_know_the_baseline_and_say_what_is_gone(project: Path) -> None:
    assert run(project, "scan", "--format", "json", "-o", "old.json").returncode == 0
    (project / "a.cu").write_text(SOURCE.replace("cudaMalloc(p, 4)", "cudaFree(*p)"))
    done = run(project, "scan", "--format", "json", "-o", "new.json", *BASELINE)
    assert "1 new, 1 known, 1 gone" in done.stderr
    assert "new: a.cu:3: api/cudaFree" in done.stderr
    assert "gone: a.cu: api/cudaMalloc cudaMalloc(p, 4);" in done.stderr
    done = run(project, "diff", "old.json", "new.json", *BASELINE)
    assert "1 new, 1 known, 1 gone" in done.stderr
    assert run(project, "diff", "old.json", "new.json", "--fail-on", "new").returncode == 1
    assert run(project, "baseline").returncode == 0
    assert run(project, "diff", "old.json", "new.json", "--fail-on", "new", *BASELINE).returncode == 0


def test_scan_fails_on_an_outcome(project: Path) -> None:
    assert run(project, "scan").returncode == 0
    done = run(project, "scan", "--fail-on", "compile-error")
    assert done.returncode == 1
    assert "2 findings with outcome compile-error" in done.stderr
    assert run(project, "scan", "--fail-on", "wrong-result").returncode == 0
    assert run(project, "scan", "--fail-on", "compile-error", *BASELINE).returncode == 0
    assert run(project, "scan", "--fail-on", "sometimes").returncode == 2


def test_a_baseline_that_is_none_is_said(project: Path) -> None:
    (project / "old.json").write_text("{}")
    done = run(project, "check", "a.cu", "--baseline", "old.json")
    assert done.returncode == 2
    assert "is not a baseline of this version" in done.stderr
    assert "cannot be read" in run(project, "check", "a.cu", "--baseline", "none.json").stderr


def test_a_baseline_survives_renamed_files(project: Path) -> None:
    (project / "a.cu").rename(project / "renamed.cu")
    assert run(project, "check", "renamed.cu", *BASELINE).returncode == 0
    assert "0 new, 2 known, 0 gone" in run(project, "scan", *BASELINE).stderr
    (project / "copy.cu").write_text(SOURCE)
    assert "2 new, 2 known, 0 gone" in run(project, "scan", *BASELINE).stderr
    (project / "renamed.cu").rename(project / "a.cu")
    assert run(project, "check", "copy.cu", *BASELINE).returncode == 1, "a copy is new: its original is still there"


def test_scan_and_diff_know_suppressing_comments(project: Path) -> None:
    assert run(project, "scan", "--format", "json", "-o", "old.json").returncode == 0
    (project / "a.cu").write_text(SOURCE.replace("4);", "4);  // cudamigrate: ignore[api/cudaMalloc] NVIDIA alone"))
    done = run(project, "scan", "--fail-on", "compile-error")
    assert "1 finding suppressed by comments in the code" in done.stdout
    assert "1 finding with outcome" in done.stderr
    done = run(project, "scan", "--format", "json", "-o", "new.json", *BASELINE)
    assert "0 new, 1 known, 0 gone" in done.stderr
    report = json.loads((project / "new.json").read_text())
    assert len(report["silenced"]) == 1 and [one["rule"] for one in report["findings"]] == ["api/cuda_runtime.h"]
    told = run(project, "diff", "old.json", "new.json").stdout
    assert "0 gone, 0 new, 0 judged differently, 1 suppressed since, 1 as before" in told
    (project / "a.cu").write_text("// cudamigrate: ignore-file[api] NVIDIA alone runs this\n" + SOURCE)
    assert "2 findings suppressed by comments" in run(project, "scan").stdout
    assert run(project, "apply", "--diff", "--no-verify").stdout.count("+  hipMalloc") == 1, "apply converts it all"


def test_diff_knows_renamed_files(project: Path) -> None:
    run(project, "scan", "--format", "json", "-o", "old.json")
    (project / "a.cu").rename(project / "b.cu")
    run(project, "scan", "--format", "json", "-o", "new.json")
    assert "(0 gone, 0 new, 0 judged differently, 2 as before)" in run(project, "diff", "old.json", "new.json").stdout
