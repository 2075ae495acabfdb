"""Per-file work in worker processes that have limits.

Result: one result per item, in the order of the items, whatever the number of processes. A hostile file can crash a
parser, or keep it busy for hours. It then costs one worker: the worker is replaced, the file gets the result that the
caller makes of a loss, and the run goes on. Decision 24 says why this is no library's pool.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from cudamigrate.errors import LostWorkError
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.parallel.child import Child
from cudamigrate.parallel.worker import Limits, hush, limit_memory, limit_time, prepare, serve

__all__ = ["UNLIMITED", "USUAL", "Limits", "apart", "available", "few", "isolate", "meanwhile", "run"]

Item = TypeVar("Item")
Result = TypeVar("Result")


USUAL = Limits()
UNLIMITED = Limits(0, 0, 0)
"""For work that limits itself."""
_AHEAD = 64
"""Batches handed out before an earlier one is done: few results wait for it, so that memory does not grow."""
_SHARES = 32
"""Parts of the work of one process that it is handed one after the other at least."""
_TOGETHER = 16
"""Batches of which the heaviest is handed out first: what is handed out last is light, and no process works alone."""
_LIGHT = 600_000
"""Bytes of source that one process has read before others have started."""
_END = object()
_always = False
_meanwhile: list[Callable[[], Iterator[object] | None]] = []
"""What this process does when the workers of the next run have begun."""
_PAIR = 2
"""Processes that are started on one core, too, where they are asked for: one may wait for files."""


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    weight: int = 1 << 30,
    batch: int = 16,
    lost: Callable[[Item, str], Result] | None = None,
    limits: Limits = USUAL,
    size: Callable[[Item], int] | None = None,
) -> Iterator[Result]:
    """Results of `function` for each item, as they are ready and in order.

    Where one process is enough, it is this one, without limits, unless `isolate` was called.

    `jobs` is the number of processes, 0 for one per core; more than there are cores would wait for each other, and are
    not started. `weight` is the size of the work in bytes of source: a small amount is left to one process. `batch` is
    how many items at most a process is handed at once; with `size`, the bytes of source of an item, they are also no
    more than a small part of all, so that the processes end together. `lost` makes the result of an item that ended
    its worker, from the item and a clause that says how; without it LostWorkError is raised.
    An exception of `function` is raised here.
    """
    if not items:
        return
    workers = min(_processes(jobs, weight), len(items))
    if workers == 1 and not _always:
        _meanwhile.clear()
        yield from map(function, items)
        return
    batches, weights = _batches(items, max(1, min(batch, len(items) // (workers * 8))), workers, size)
    team = _Team(function, limits, workers, lost)
    try:
        for results in team.work_off(batches, weights):
            yield from results
    finally:
        team.stop()


def _processes(jobs: int, weight: int) -> int:
    """How many processes work at once, of so many that were asked for, on so many bytes of source."""
    return 1 if not jobs and weight < _LIGHT else min(jobs or available(), max(_PAIR, available()))


def apart(work: Callable[[], Result], jobs: int, weight: int = 1 << 30) -> Callable[[], Result]:
    """Begin some work and go on; what is returned waits for its result, or raises what the work raised.

    A child process does it, with all that this one has now; where that dies, this one. Where one process is enough, as
    `run` has it, where none can be forked, and without `isolate`, the work is done at once, here.
    """
    if not (_always and sys.platform.startswith("linux") and _processes(jobs, weight) > 1):
        made = work()
        return lambda: made
    child = Child(work, partial(prepare, UNLIMITED, os.getpid()))

    def result() -> Result:
        done = child.result()
        return done[0] if done is not None else work()

    return result


def _batches(
    items: Sequence[Item], most: int, workers: int, size: Callable[[Item], int] | None
) -> tuple[list[Sequence[Item]], list[int]]:
    """The items in batches, and how heavy each is: no more than `most` items, nor much more than a share of all."""
    sizes = [size(item) if size is not None else 1 for item in items]
    share = max(1, sum(sizes) // (workers * _SHARES))
    batches, weights, first, weight = list[Sequence[Item]](), list[int](), 0, 0
    for end, one in enumerate(sizes, 1):
        weight += one
        if end - first >= most or (size is not None and weight >= share) or end == len(items):
            batches.append(items[first:end])
            weights.append(weight)
            first, weight = end, 0
    return batches, weights


def few(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    lost: Callable[[Item, str], Result] | None = None,
    limits: Limits = USUAL,
) -> Iterable[Result]:
    """Results of `function` for little work, in order, as `run` gives them.

    One child process does all of it, which takes a hundredth of the time that workers take to start. Where it dies,
    workers begin again and tell which item it was. Without `isolate`, and on systems that cannot fork, this process
    does the work itself.
    """
    _meanwhile.clear()
    if not _always or not hasattr(os, "fork") or not items:
        return map(function, items)
    made = Child(lambda: list(map(function, items)), partial(_limited, limits)).result()
    return made[0] if made is not None else run(function, items, 1, lost=lost, limits=limits)


def _limited(limits: Limits) -> None:  # pragma: no cover - runs in a child
    """Keep this process, a child that is waited for, within limits."""
    hush()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    limit_memory(limits.memory)
    limit_time(limits.cpu)
    signal.alarm(limits.wait)


def isolate() -> None:
    """Read every file in a worker from now on, also where one process is enough: what a command does.

    A program that uses this package as a library may have threads, which no worker can be forked beside.
    """
    global _always
    _always = True


def meanwhile(do: Callable[[], Iterator[object] | None]) -> None:
    """Let this process do something when the workers of the next run have begun: it would only wait for them.

    What it does is needed later anyway, and needs none of their results. Where none are started it is left out. If it
    gives an iterator, that is asked for another step while no worker has answered, for none is to wait for more work;
    what is left of it when all results are there is left out.
    """
    _meanwhile[:] = [do]


def available() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True)
class _Worker:
    """A process, this side of its pipe, and what it works on: the number of a batch, and its items by position."""

    process: Any
    pipe: Any
    batch: int = -1
    items: list[tuple[int, Any]] = field(default_factory=list)
    until: float = 0.0


class _Team:
    """The workers of one run."""

    def __init__(
        self, function: Callable[[Any], Any], limits: Limits, size: int, lost: Callable[[Any, str], Any] | None
    ) -> None:
        import multiprocessing  # empty folders do without

        if _always and not gc.get_freeze_count():
            gc.freeze()  # of a command: what is there when its work begins is needed to the end
        self.context: Any = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
        self.begun = self.context.Array("l", size, lock=False)
        """For each worker, which of its items it has begun: how this side knows what it died of."""
        self.function, self.limits, self.lost = function, limits, lost
        self.losses: dict[int, dict[int, Any]] = {}
        self.left: list[tuple[int, Sequence[Any]]] = []
        """Batches that nobody has been handed, the next one last, each with its number."""
        self.returned = 0
        self.steps: Iterator[object] = iter(())
        """What this process does while no worker has answered."""
        self.workers: list[_Worker] = []
        for number in range(size):
            self.workers.append(self._started(number))

    def _started(self, number: int) -> _Worker:
        ours, theirs = self.context.Pipe()
        given = (theirs, self.function, self.limits, self.begun, number, os.getpid())
        process = self.context.Process(target=serve, args=given, daemon=False)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def work_off(self, batches: Sequence[Sequence[Any]], weights: Sequence[int]) -> Iterator[list[Any]]:
        """The results of each batch, in order."""
        self.left, self.returned = _order(batches, weights), 0
        for number in range(len(self.workers)):
            self._hand_next(number)
        while _meanwhile:
            self.steps = _meanwhile.pop()() or self.steps
        ready: dict[int, list[Any]] = {}
        while self.returned < len(batches):
            ready.update(self._done())
            while self.returned in ready:
                made = ready.pop(self.returned)
                self.returned += 1
                yield made
            for number, worker in enumerate(self.workers):
                if worker.batch < 0:
                    self._hand_next(number)

    def _hand_next(self, number: int) -> None:
        """Hand a worker a batch, unless too many wait for an earlier one."""
        if self.left and self.left[-1][0] < self.returned + _AHEAD:
            batch, items = self.left.pop()
            self._hand(number, batch, list(enumerate(items)))

    def _hand(self, number: int, batch: int, items: list[tuple[int, Any]]) -> None:
        worker = self.workers[number]
        self.begun[number] = 0
        worker.batch, worker.items = batch, items
        worker.until = time.monotonic() + self.limits.wait * len(items) if self.limits.wait else 0.0
        with suppress(BrokenPipeError):  # it has died meanwhile, which is seen when its results are asked for
            worker.pipe.send([item for _, item in items])

    def _done(self) -> Iterator[tuple[int, list[Any]]]:
        """The batches that are done by now; waits for one worker to say something."""
        import pickle
        from multiprocessing.connection import wait

        busy: dict[Any, int] = {worker.pipe: number for number, worker in enumerate(self.workers) if worker.batch >= 0}
        ends = [self.workers[number].until for number in busy.values() if self.workers[number].until]
        while not (answered := wait(list(busy), 0)) and next(self.steps, _END) is not _END:
            pass
        answered = answered or wait(list(busy), max(0.0, min(ends) - time.monotonic()) if ends else None)
        for pipe in answered:
            number = busy[pipe]
            worker = self.workers[number]
            try:
                answer = worker.pipe.recv_bytes()
            except (EOFError, OSError):
                yield from self._replaced(number, "")
                continue
            batch, items, worker.batch = worker.batch, worker.items, -1
            self._hand_next(number)  # before its answer is read, which takes a while: it works meanwhile
            fine, made = pickle.loads(answer)
            if not fine:
                raise made
            yield self._whole(batch, items, made)
        if not answered:
            for number in busy.values():
                if 0 < self.workers[number].until <= time.monotonic():
                    yield from self._replaced(number, f"takes more than {self.limits.wait:,} seconds")

    def _whole(self, batch: int, items: list[tuple[int, Any]], made: Sequence[Any]) -> tuple[int, list[Any]]:
        """The number of a batch and its results, with those of items that were lost."""
        results = self.losses.pop(batch, {})
        results.update(zip((position for position, _ in items), made, strict=True))
        return batch, [results[position] for position in range(len(results))]

    def _replaced(self, number: int, reason: str) -> Iterator[tuple[int, list[Any]]]:
        """A new worker for one that died, or that is ended for `reason`; it does what is left of the batch."""
        dead = self.workers[number]
        if reason:
            dead.process.kill()
        dead.process.join()
        dead.pipe.close()
        reason = reason or _reason(dead.process.exitcode, self.limits)
        position, item = dead.items.pop(self.begun[number])
        if self.lost is None:
            raise LostWorkError(f"{item}: {reason}")
        self.losses.setdefault(dead.batch, {})[position] = self.lost(item, reason)
        self.workers[number] = self._started(number)
        if dead.items:
            self._hand(number, dead.batch, dead.items)
        else:
            yield self._whole(dead.batch, [], ())

    def stop(self) -> None:
        """End all workers, and wait until they have ended."""
        for worker in self.workers:
            worker.process.terminate()
            worker.pipe.close()
        for worker in self.workers:
            worker.process.join(2.0)
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()


def _order(batches: Sequence[Sequence[Any]], weights: Sequence[int]) -> list[tuple[int, Sequence[Any]]]:
    """The batches, each with its number, the one to hand out first last: of those near each other, the heaviest.

    Only of those: results of what comes later wait in memory.
    """
    numbers = list(range(len(batches)))[::-1]
    groups = (numbers[at : at + _TOGETHER] for at in range(0, len(numbers), _TOGETHER))
    return [(one, batches[one]) for group in groups for one in sorted(group, key=lambda one: (weights[one], -one))]


def _reason(code: int, limits: Limits) -> str:
    """How a worker ended, as a clause."""
    if -code == getattr(signal, "SIGXCPU", None):
        return f"takes more than {limits.cpu:,} seconds of processor time"
    if -code == getattr(signal, "SIGKILL", None):
        return "its reader was killed, as the system does where memory runs out"
    try:
        return f"crashes its reader ({signal.Signals(-code).name})"
    except ValueError:
        return f"ends its reader (exit code {code})"
