"""Odd input that somebody tried who had not read the tests: one line and the right exit code, never a traceback."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import command_line
import pytest

KERNEL = "__global__ void k(float* p) { p[threadIdx.x] = 1; }\nvoid f() { cudaFree(0); }\n"


def run(root: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder with one CUDA file."""
    if not (root / "a.cu").exists():
        (root / "a.cu").write_text(KERNEL)
    done = command_line.run(*words, cwd=root, env={**os.environ, **settings})
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.mark.parametrize("epoch", ["9" * 30, "-1", "\u00b2", "x", ""])
def test_a_strange_day_is_no_matter(tmp_path: Path, epoch: str) -> None:
    assert run(tmp_path, "scan", SOURCE_DATE_EPOCH=epoch).returncode == 0


def test_a_very_long_name_is_not_compared_with_all_others(tmp_path: Path) -> None:
    done = run(tmp_path, "explain", "x" * 100_000)
    assert done.returncode == 2
    assert "did you mean" not in done.stderr.lower()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
@pytest.mark.parametrize("key", ["rules", "baseline"])
@pytest.mark.parametrize("name", ["/dev/zero", "pipe"])
def test_what_a_configuration_names_is_a_regular_file(tmp_path: Path, key: str, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    value = f'["{name}"]' if key == "rules" else f'"{name}"'
    (tmp_path / ".cudamigrate.toml").write_text(f"{key} = {value}\n")
    done = run(tmp_path, "check", "a.cu")
    assert done.returncode == 2
    assert "not a regular file" in done.stderr


def test_folders_that_nest_deeper_than_anybody_s_are_named(tmp_path: Path) -> None:
    place = os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(1_200):
            os.mkdir("d")
            os.chdir("d")
        Path("b.cu").write_text(KERNEL)
    finally:
        os.chdir(place)
    done = run(tmp_path, "scan", "-f", "csv")
    while (tmp_path / "d" / "d").exists():  # the test's own folder is removed by a function that calls itself
        (tmp_path / "d").rename(tmp_path / "x")
        (tmp_path / "x" / "d").rename(tmp_path / "d")
        (tmp_path / "x").rmdir()
    assert done.returncode == 3
    assert "b.cu: skipped (limit): is in more than 200 folders" in done.stderr


def test_a_build_file_that_nobody_can_follow_is_named(tmp_path: Path) -> None:
    pytest.importorskip("clang", reason="the extra `verify` is not installed")
    (tmp_path / "tree").mkdir()
    entry = '[{"directory": ".", "file": "a.cu", "command": "nvcc \'unclosed"}]'
    (tmp_path / "tree" / "compile_commands.json").write_text(entry)
    (tmp_path / "tree" / "a.cu").write_text(KERNEL)
    done = run(tmp_path, "apply", "tree", "--output", "out")
    assert done.returncode in (0, 3)
    assert "compile_commands.json" in done.stderr + done.stdout


def test_a_link_of_the_repository_is_no_place_for_a_baseline(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".cudamigrate-baseline.json").symlink_to("../kept")
    done = run(tmp_path / "tree", "baseline")
    assert done.returncode == 2 and "is a link" in done.stderr
    assert (tmp_path / "kept").read_text() == "kept"


def test_a_folder_that_claims_to_be_a_copy_is_named(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / ".cudamigrate-output").touch()
    (tmp_path / "src" / "b.cu").write_text(KERNEL)
    done = run(tmp_path, "scan")
    assert done.returncode == 0 and "src: skipped (copy): it holds .cudamigrate-output" in done.stderr
