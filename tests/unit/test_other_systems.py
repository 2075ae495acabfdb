"""What Windows or macOS lack is taken away here: fork, `resource`, `fcntl`, users' ids. The commands must still work.

Nothing in this file has seen those systems themselves.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

ROOT = Path(__file__).parents[2]
WITHOUT = """
import os, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "setsid", "killpg", "getuid", "geteuid", "getppid", "sched_getaffinity",
             "mkfifo", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_TMPFILE"):
    if hasattr(os, name):
        delattr(os, name)
import signal, types
for name in ("SIGKILL", "SIGXCPU", "SIGHUP"):
    delattr(signal, name)
os.supports_dir_fd = set()
from cudamigrate import parallel
parallel.sys = types.SimpleNamespace(**{**vars(sys), "platform": "darwin"})  # workers are spawned there, as on Windows
from cudamigrate.__main__ import main
main()
"""
SOURCE = b"#include <cuda_runtime.h>\r\nvoid f(void *p) {\r\n  cudaFree(p);\r\n}\r\n"


def run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    author = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path), "HOME": str(place / "home"), **author}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], cwd=place, env=environment, capture_output=True, text=True
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_bytes(SOURCE)
    return tmp_path


def test_scan_without_what_only_linux_has(project):
    done = run(project, "scan", "src", "--jobs", "1")
    assert done.returncode == 0 and "2 findings" in done.stdout, done.stdout + done.stderr


def test_check_without_what_only_linux_has(project):
    done = run(project, "check", "--all", "src/a.cu")
    assert done.returncode == 1 and "src/a.cu:3:3: api/cudaFree" in done.stdout, done.stdout + done.stderr


def test_apply_without_what_only_linux_has_keeps_line_ends(project):
    done = run(project, "apply", "src", "--output", "out", "--no-verify", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    made = (project / "out" / "a.cu").read_bytes()
    assert made == b"#include <hip/hip_runtime.h>\r\nvoid f(void *p) {\r\n  hipFree(p);\r\n}\r\n"


def test_apply_without_what_only_linux_has_makes_a_branch_and_a_patch(project):
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=project, check=True)
    done = [
        run(project, *words)
        for words in (
            ("init", "--yes", "--no-workflow", "--no-hook"),
            ("apply", "src", "--patch", "a.patch", "--no-verify", "--jobs", "1"),
        )
    ]
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert b"+  hipFree(p);\r\n" in (project / "a.patch").read_bytes()
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "add", "src"], cwd=project, check=True)
    subprocess.run(["git", *name, "commit", "-q", "-m", "first"], cwd=project, check=True)
    made = run(project, "apply", ".", "--no-verify", "--jobs", "1")
    assert made.returncode == 0 and "Branch hip/main: 2 commits" in made.stdout, made.stdout + made.stderr


def test_programs_are_not_run_where_processes_have_no_limits(project):
    done = run(project, "verify", "src", "--run", "--engine", "clang", "--jobs", "1")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "Programs cannot be run on this system" in done.stderr


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_byte_order_marks_and_windows_line_ends_survive(mark, tmp_path):
    made = find_in_text((mark + SOURCE).decode(), "a.cu", Config())
    assert made.after.encode() == (mark + SOURCE).replace(b"cuda_runtime.h", b"hip/hip_runtime.h").replace(
        b"cuda", b"hip"
    )
