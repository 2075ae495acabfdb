"""Files that are made to end, hang or fill what reads them: each is named, the others are converted and judged."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import command_line
import pytest

KERNEL = "__global__ void {name}(float* p) {{ p[threadIdx.x] = {value}; }}\n"
DEEP = 20_000
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limits are those of Linux")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """One good file among bad ones."""
    root = tmp_path / "tree"
    root.mkdir()
    nested = "(" * DEEP + "1" + ")" * DEEP
    files = {
        "good.cu": KERNEL.format(name="good", value="1"),
        "nest.cu": KERNEL.format(name="nest", value=nested.replace("1", "clock()")),
        "crash.cu": "#pragma clang __debug crash\n" + KERNEL.format(name="crash", value="1"),
        "pipe.cu": '#include "pipe.h"\n' + KERNEL.format(name="pipe", value="1"),
        "setup.py": f"from torch.utils import cpp_extension as e\nx = {nested}\ne.CUDAExtension('a', ['good.cu'])\n",
        "compile_commands.json": "[" * 100_000 + "]" * 100_000,
        "CMakeLists.txt": "project(p LANGUAGES CXX CUDA)\n" + "if(A)\n" * 3_000 + "endif()\n" * 3_000,
        "notes.ipynb": '{"cells":' + "[" * 100_000 + "]" * 100_000 + "}",
        "pyproject.toml": "[project]\ndependencies = ['cupy-cuda12x']\na = " + "[" * DEEP + "]" * DEEP + "\n",
    }
    for name, text in files.items():
        (root / name).write_text(text)
    os.mkfifo(root / "pipe.h")
    return root


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cudamigrate", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_scan_reads_what_can_be_read(tree: Path) -> None:
    done = run("scan", tree)
    assert done.returncode == 3
    assert "nest.cu: skipped (limit): nests deeper than can be read" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert "internal" not in done.stderr


def test_apply_converts_and_judges_the_others(tree: Path, tmp_path: Path) -> None:
    pytest.importorskip("clang", reason="the extra `verify` is not installed")
    done = run("apply", tree, "--output", tmp_path / "out")
    assert "Traceback" not in done.stderr + done.stdout
    assert "libclang" not in done.stderr
    assert "hip_runtime.h" in (tmp_path / "out" / "good.cu").read_text()
    assert "1 file not judged (left out: crashes the compiler): crash.cu" in done.stdout + done.stderr
    assert (tmp_path / "out" / "nest.cu").read_text() == (tree / "nest.cu").read_text()


def test_a_staged_file_that_is_called_like_an_option_is_a_file(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "--output=x.cu").write_text("void f() { cudaFree(0); }\n")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    for words in (["--output=x.cu"], ["--rocm", "6.2", "--output=x.cu"], ["--", "--output=x.cu"]):
        done = command_line.run("check", *words, cwd=tmp_path, env={**os.environ, "PRE_COMMIT": "1"})
        assert done.returncode == 1 and "--output=x.cu:1" in done.stdout
        assert not (tmp_path / "x.cu").exists()
    env = {name: value for name, value in os.environ.items() if name != "PRE_COMMIT"}
    command_line.run("check", "--output=report.txt", cwd=tmp_path, env=env)
    assert (tmp_path / "report.txt").exists(), "an option is one elsewhere"


def test_a_lock_that_is_there_is_explained(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f() { cudaFree(0); }\n")
    commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], commit):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    lock = tmp_path / ".git" / "refs" / "heads" / "hip" / "main.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    done = command_line.run("apply", "--no-verify", tmp_path)
    assert done.returncode == 2 and "remove that file" in done.stderr and lock.exists()


def test_modules_of_the_current_folder_are_not_run(tmp_path: Path) -> None:
    """`python -m` looks for modules where it is started."""
    (tmp_path / "a.cu").write_text("void f() { cudaFree(0); }\n")
    for name in ("typer", "msgspec", "tree_sitter"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    command = [sys.executable, "-m", "cudamigrate", "scan", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and not (tmp_path / "ran").exists()


def test_why_nothing_was_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"\0\1")
    done = run("apply", tmp_path / "a.cu", "--no-verify")
    assert done.stdout == "Nothing to change: a.cu was not read (binary data: it holds NUL bytes).\n"
    assert done.returncode == 3
