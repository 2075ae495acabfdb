"""Work of a child process beside this one: its result, what it raises, and what is left of it when anything ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cudamigrate import parallel

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children are forked on Linux alone")
HERE = os.getpid()


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a command, on a machine with two cores."""
    monkeypatch.setattr(parallel, "_always", True)
    monkeypatch.setattr(parallel, "available", lambda: 2)


def _children() -> str:
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()


def test_a_child_does_the_work_with_what_there_is_when_it_begins() -> None:
    held = ["before"]
    wait = parallel.apart(lambda: (os.getpid(), list(held)), 2)
    held[:] = ["after"]
    number, seen = wait()
    assert number != os.getpid() and seen == ["before"]
    assert str(number) not in _children().split()


@pytest.mark.parametrize(("jobs", "weight"), [(1, 1 << 30), (0, 1000)])
def test_one_process_does_it_at_once(jobs: int, weight: int) -> None:
    held = ["before"]
    wait = parallel.apart(lambda: (os.getpid(), list(held)), jobs, weight)
    held[:] = ["after"]
    assert wait() == (os.getpid(), ["before"])


def test_a_library_does_it_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_always", False)
    assert parallel.apart(os.getpid, 2)() == os.getpid()


def test_what_the_work_raises_is_raised_where_it_is_waited_for() -> None:
    def work() -> None:
        raise ValueError("as asked")

    wait = parallel.apart(work, 2)
    with pytest.raises(ValueError, match="as asked"):
        wait()


def test_work_of_a_child_that_dies_is_done_here() -> None:
    def work() -> int:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    assert parallel.apart(work, 2)() == HERE


_PARENT = """
import os, sys, time
from cudamigrate import parallel

parallel.isolate()
parallel.available = lambda: 2

def work():
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(600)

wait = parallel.apart(work, 2)
if sys.argv[1] == "fail":
    time.sleep(0.5)
    raise SystemExit(3)
wait()
"""


@pytest.mark.parametrize("way", ["kill", "fail", "interrupt", "terminate"])
def test_a_child_ends_with_its_parent(way: str, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    command = [sys.executable, str(script), way]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        if way != "fail":
            parent.send_signal({"kill": signal.SIGKILL, "interrupt": signal.SIGINT}.get(way, signal.SIGTERM))
        parent.wait()
        deadline = time.monotonic() + 30  # far more than it takes: only a child that stays fails
        while _is_alive(child) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert not _is_alive(child)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
