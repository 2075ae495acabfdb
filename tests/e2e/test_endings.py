"""How a run ends that cannot do its work: one line, the right exit code, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="devices and signals are those of Linux")

_TOOL = f"{sys.executable} -m cudamigrate"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.cu").write_text("__global__ void f(int* p) { p[0] = __shfl_sync(~0u, p[1], 0); }\n")
    return folder


def _said(command: str, folder: Path) -> tuple[int, str]:
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("command", "code", "line"),
    [
        ("scan . > /dev/full", 2, "cudamigrate: cannot write the result: No space left on device\n"),
        ("check --all a.cu > /dev/full", 2, "cudamigrate: cannot write the result: No space left on device\n"),
        ("scan . >&-", 2, "cudamigrate: cannot write the result: Bad file descriptor\n"),
        ("scan . -o /dev/null >&-", 0, "Report written to /dev/null\n"),
        ("scan . 2>&- > /dev/null", 0, ""),
        ("scan . -o gone/a.txt", 2, "cudamigrate: cannot write gone/a.txt: the folder gone does not exist\n"),
    ],
)
def test_output_that_cannot_be_written_is_one_line(tree: Path, command: str, code: int, line: str) -> None:
    assert _said(f"{_TOOL} {command}", tree) == (code, line)


@pytest.mark.parametrize(
    "command", ["scan .", "scan . --format json", "check --all a.cu", "explain cudaMalloc", "rules"]
)
def test_a_reader_that_ends_first_is_neither_success_nor_a_finding(tree: Path, command: str) -> None:
    assert _said(f'{_TOOL} {command} | :; exit "${{PIPESTATUS[0]}}"', tree) == (141, "")


@pytest.mark.parametrize("command", ["scan .", "check"])
def test_a_folder_that_is_gone_is_one_line(tree: Path, command: str) -> None:
    code, said = _said(f'mkdir gone; cd gone; rmdir "$PWD"; {_TOOL} {command}', tree)
    assert (code, said) == (2, "cudamigrate: the current folder no longer exists; change to one that does\n")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_the_run_and_its_workers(tmp_path: Path, name: str) -> None:
    number = signal.Signals[name]
    script = tmp_path / "long.py"
    script.write_text(_LONG)
    with subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None and run.stderr is not None
        worker = int(os.read(run.stdout.fileno(), 20))
        run.send_signal(number)
        said = run.stderr.read().decode()
    assert (run.returncode, said) == (
        128 + number,
        f"cudamigrate: interrupted by {name}; nothing was left half-written\n",
    )
    deadline = time.monotonic() + 30
    while Path(f"/proc/{worker}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


_LONG = """
import os, signal, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a suite in the background ignores both, and so would this
signal.signal(signal.SIGINT, signal.default_int_handler)
from cudamigrate import parallel
from cudamigrate.cli import console

def work(number):
    os.write(1, b"%d" % os.getpid())
    time.sleep(600)

console.end(lambda: len(list(parallel.run(work, [1], 1))))
"""


def test_a_file_that_crashes_its_reader_is_named_and_the_rest_is_read(tree: Path) -> None:
    deep = "".join(f"{' ' * depth}a{depth}:\n" for depth in range(300)) + " " * 300 + "image: nvidia/cuda:12\n"
    (tree / ".gitlab-ci.yml").write_text(deep)
    done = subprocess.run(
        [sys.executable, "-m", "cudamigrate", "scan", "."], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.stderr == ".gitlab-ci.yml: skipped (limit): crashes its reader (SIGSEGV)\n"
    assert done.returncode == 3
    assert "1 file read" in done.stdout
    done = subprocess.run(
        [sys.executable, "-m", "cudamigrate", "check", "--all", "."],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ".gitlab-ci.yml: skipped (limit): crashes its reader (SIGSEGV)\n"
    assert done.returncode == 1
    assert "a.cu:1:" in done.stdout
