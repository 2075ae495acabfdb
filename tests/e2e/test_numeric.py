"""`verify --numeric` as a user meets it: the report, the harness, and that nothing is said to have passed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import command_line
import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures" / "projects"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return command_line.run(*words)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Nothing to type-check, so that the harness is all that takes time."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "main.cpp").write_text('#include <cstdio>\nint main() { std::printf("1.5\\n"); }\n')
    (folder / "ext.cpp").write_text(
        'at::Tensor f(const at::Tensor &x) { return x; }\nPYBIND11_MODULE(ext, m) { m.def("f", &f); }\n'
    )
    return folder


def test_the_harness_is_written_and_said_to_be_unverified(tree: Path, tmp_path: Path) -> None:
    done = run("verify", tree, "--numeric", tmp_path / "n")
    printed = done.stdout + done.stderr
    assert "1 exported function (1 with every argument guessed) and 1 program" in printed
    assert f"run: python {tmp_path / 'n'}/run.py --record" in printed
    assert "\nnumeric: UNVERIFIED (not run: " in printed
    assert "PASS" not in printed
    assert (tmp_path / "n" / "cases.py").is_file() and (tmp_path / "n" / "programs.py").is_file()


def test_what_is_written_runs_without_this_tool(tree: Path, tmp_path: Path) -> None:
    run("verify", tree, "--numeric", tmp_path / "n")
    if os.path.exists("/dev/kfd") or os.path.exists("/dev/nvidia0"):
        pytest.skip("this machine has a GPU")
    for words in (["run.py", "--record", "r.pt"], ["run_program.py", "--record", "o.json", "--command", "./main"]):
        done = subprocess.run([sys.executable, *words], cwd=tmp_path / "n", capture_output=True, text=True)
        assert done.returncode == 3, done.stderr
        assert "UNVERIFIED" in done.stdout and "PASS" not in done.stdout
    assert not (tmp_path / "n" / "r.pt").exists() and not (tmp_path / "n" / "o.json").exists()


def test_a_folder_that_is_not_empty_is_refused_before_anything_runs(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    (tmp_path / "n" / "mine").write_text("mine")
    for words in ((), ("--force",)):
        done = run("verify", tree, "--numeric", tmp_path / "n", *words)
        assert done.returncode == 2 and "not empty" in done.stderr and done.stdout == ""
    assert [path.name for path in (tmp_path / "n").iterdir()] == ["mine"]
    run("verify", tree, "--numeric", tmp_path / "m")
    assert "--force" in run("verify", tree, "--numeric", tmp_path / "m").stderr
    assert "--force" not in run("verify", tree, "--numeric", tmp_path / "m", "--force").stderr


def test_json_stays_json(tree: Path, tmp_path: Path) -> None:
    done = run("verify", tree, "--numeric", tmp_path / "n", "--format", "json")
    assert done.stdout == "" or json.loads(done.stdout)  # empty where no engine is installed
    assert "numeric: UNVERIFIED" in done.stderr


def test_a_tree_with_nothing_to_run_is_reported_so(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("void f();\n")
    done = run("verify", tmp_path, "--numeric", tmp_path / "n")
    assert "numeric: UNVERIFIED (nothing to run" in done.stdout + done.stderr
    assert not (tmp_path / "n").exists()


def test_a_fixture_project_has_its_program() -> None:
    from cudamigrate.config import Config
    from cudamigrate.pipeline import prove

    folder = FIXTURES / "reduction" / "after"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cudamigrate.numeric.write", lambda files, place, force: None)
        lines = prove.write_numeric(folder, Config(), "n")
    assert lines[0].startswith("numeric: 1 program in n; run: ")
