"""Worker processes with limits: what one item does to its worker costs that item alone."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cudamigrate import parallel
from cudamigrate.errors import LostWorkError
from cudamigrate.parallel import Limits

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limits are those of Linux")


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers for one process too, as in a command."""
    monkeypatch.setattr(parallel, "_always", True)


_QUICK = Limits(cpu=1, memory=1 << 30, wait=60)


def _work(item: tuple[str, int]) -> int:
    kind, number = item
    if kind == "segfault":
        ctypes.string_at(0)
    if kind == "abort":
        os.abort()
    if kind == "busy":
        while True:
            pass
    if kind == "wait":
        time.sleep(60)
    if kind == "pause":
        time.sleep(0.1)
    if kind == "memory":
        return len(bytearray(4 << 30))
    if kind == "error":
        raise ValueError("as asked")
    return number * number


def _lost(item: tuple[str, int], reason: str) -> int | str:
    return f"{item[0]}: {reason}"


def _all(kinds: list[str], jobs: int = 2, limits: Limits = _QUICK) -> list[int | str]:
    items = list(zip(kinds, range(len(kinds)), strict=True))
    return list(parallel.run(_work, items, jobs, batch=8, lost=_lost, limits=limits))


def test_results_are_in_order_for_any_number_of_processes() -> None:
    want = [number * number for number in range(2_000)]
    assert _all(["fine"] * 2_000, 1) == want
    assert _all(["fine"] * 2_000, 3) == want


def test_nothing_to_do_starts_nothing() -> None:
    assert _all([]) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_item_that_crashes_costs_itself_alone(jobs: int) -> None:
    kinds = ["fine"] * 100
    kinds[3], kinds[4], kinds[99] = "segfault", "abort", "segfault"
    made = _all(kinds, jobs)
    want: list[int | str] = [number * number for number in range(100)]
    want[3] = want[99] = "segfault: crashes its reader (SIGSEGV)"
    want[4] = "abort: crashes its reader (SIGABRT)"
    assert made == want


def test_an_item_that_never_ends_is_ended() -> None:
    assert _all(["fine", "busy", "fine"]) == [0, "busy: takes more than 1 seconds of processor time", 4]


def test_an_item_that_waits_is_ended() -> None:
    assert _all(["fine", "wait", "fine"], limits=Limits(wait=1)) == [0, "wait: takes more than 1 seconds", 4]


def test_an_item_may_not_take_all_memory() -> None:
    with pytest.raises(MemoryError):
        _all(["fine", "memory"])


def test_an_exception_is_the_caller_s() -> None:
    with pytest.raises(ValueError, match="as asked"):
        _all(["fine", "error"])


def test_a_loss_that_nobody_expects_is_named() -> None:
    with pytest.raises(LostWorkError, match=r"\('abort', 1\): crashes its reader \(SIGABRT\)"):
        list(parallel.run(_work, [("fine", 0), ("abort", 1)], 1))


def _few(*kinds: str) -> list[int | str]:
    items = list(zip(kinds, range(len(kinds)), strict=True))
    return list(parallel.few(_work, items, _lost, _QUICK))


def test_little_work_is_lost_like_much() -> None:
    assert _few() == []
    assert _few("fine", "fine", "fine") == [0, 1, 4]
    assert _few("fine", "segfault", "fine") == [0, "segfault: crashes its reader (SIGSEGV)", 4]
    assert _few("fine", "busy") == [0, "busy: takes more than 1 seconds of processor time"]
    with pytest.raises(ValueError, match="as asked"):
        _few("fine", "error")


def test_little_work_leaves_no_process_and_no_pipe() -> None:
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    gc.collect()  # what other tests left open is closed now, and not in between
    before = set(os.listdir("/proc/self/fd")), children.read_text()
    _few("fine", "segfault")
    with pytest.raises(ValueError, match="as asked"):
        _few("error")
    assert (set(os.listdir("/proc/self/fd")), children.read_text()) == before


def test_a_library_does_little_work_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_always", False)
    assert list(parallel.few(lambda item: os.getpid(), [1])) == [os.getpid()]


_PARENT = """
import os, sys, time
from cudamigrate import parallel

def work(number):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(600)

list(parallel.run(work, [1, 2], 2, batch=1))
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        deadline = time.monotonic() + 30  # far more than it takes: only a worker that stays fails
        while (alive := [pid for pid in workers if _alive(pid)]) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert alive == []


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize(("cores", "jobs", "started"), [(2, 9, 2), (2, 2, 2), (8, 4, 4), (8, 0, 8), (1, 4, 2)])
def test_no_more_processes_than_cores_are_started(cores, jobs, started, monkeypatch):
    counts = []

    class Team(parallel._Team):
        def __init__(self, function, limits, workers, lost):
            counts.append(workers)
            super().__init__(function, limits, 1, lost)

    monkeypatch.setattr(parallel, "_Team", Team)
    monkeypatch.setattr(parallel, "available", lambda: cores)
    assert list(parallel.run(abs, range(-20, 0), jobs)) == list(range(20, 0, -1))
    assert counts == [started]


def test_this_process_does_something_once_when_the_workers_of_the_next_run_have_begun() -> None:
    done: list[str] = []
    parallel.meanwhile(lambda: done.append("replaced"))
    parallel.meanwhile(lambda: done.append("while they work"))
    items = [("square", number) for number in range(6)]
    results = parallel.run(_work, items, 2, limits=_QUICK)
    assert not done  # nothing begins before somebody asks
    assert next(results) == 0 and done == ["while they work"]
    assert list(results) == [1, 4, 9, 16, 25]
    assert list(parallel.run(_work, items, 2, limits=_QUICK)) == [0, 1, 4, 9, 16, 25]
    assert done == ["while they work"]


def test_steps_are_taken_while_no_worker_answers_and_none_waits_for_more_work() -> None:
    taken: list[float] = []

    def steps() -> Iterator[None]:
        while len(taken) < 1_000:
            taken.append(time.monotonic())
            time.sleep(0.01)
            yield

    parallel.meanwhile(steps)
    items = [("pause", number) for number in range(40)]  # two seconds of work for two workers, and ten of steps
    assert list(parallel.run(_work, items, 2, batch=1, limits=_QUICK)) == [number**2 for number in range(40)]
    assert 20 < len(taken) < 900  # what is left is left out


def test_nothing_is_done_meanwhile_where_no_worker_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_always", False)
    done: list[str] = []
    parallel.meanwhile(lambda: done.append("alone"))
    assert list(parallel.run(_work, [("square", 3)], 1)) == [9]
    monkeypatch.setattr(parallel, "_always", True)
    assert list(parallel.run(_work, [("square", 3)], 1)) == [9]
    assert not done


def test_what_fails_meanwhile_is_raised_and_ends_the_workers() -> None:
    def fail() -> None:
        raise ValueError("as asked")

    parallel.meanwhile(fail)
    with pytest.raises(ValueError, match="as asked"):
        list(parallel.run(_work, [("square", 3), ("wait", 1)], 2, limits=_QUICK))


def _frozen(_item: int) -> int:
    return gc.get_freeze_count()


def test_a_worker_looks_for_no_garbage_in_what_it_was_started_with() -> None:
    held = [[] for _ in range(1000)]
    assert all(count >= len(held) for count in parallel.run(_frozen, [1, 2, 3], 1))


def test_the_program_around_the_library_is_searched_for_garbage_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_always", False)
    before = gc.get_freeze_count()
    assert list(parallel.run(_frozen, list(range(40)), 2, weight=1 << 30))
    assert gc.get_freeze_count() == before
