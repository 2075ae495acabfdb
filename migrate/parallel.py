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
from typing import Any, NoReturn, TypeVar, cast

from cudamigrate.errors import LostWorkError
from cudamigrate.lazy_dataclasses import dataclass, field

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one item may take. The values are far above what real files need: they end what would not end.

    `cpu`: seconds of processor time. `memory`: bytes of address space beyond what a worker starts with. `wait`: seconds
    on the clock, which ends what waits without working. 0 is no limit. Systems that have no such limits for a process,
    as Windows, keep the clock alone.
    """

    cpu: int = 60
    memory: int = 4 << 30
    wait: int = 600


USUAL = Limits()
UNLIMITED = Limits(0, 0, 0)
"""For work that limits itself."""
_AHEAD = 64
"""Batches handed out before an earlier one is done: few results wait for it, so that memory does not grow."""
_always = False
_PAIR = 2
"""Processes that are started on one core, too, where they are asked for: one may wait for files."""
_POLL = 0.5
"""Seconds between a worker's looks for whether its parent is still there."""


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    weight: int = 1 << 30,
    batch: int = 16,
    lost: Callable[[Item, str], Result] | None = None,
    limits: Limits = USUAL,
) -> Iterator[Result]:
    """Results of `function` for each item, as they are ready and in order.

    Where one process is enough, it is this one, without limits, unless `isolate` was called.

    `jobs` is the number of processes, 0 for one per core; more than there are cores would wait for each other, and are
    not started. `weight` is the size of the work in bytes of source: a small
    amount is left to one process. `batch` is how many items at most a process is handed at once. `lost` makes the
    result of an item that ended its worker, from the item and a clause that says how; without it LostWorkError is
    raised. An exception of `function` is raised here.
    """
    if not items:
        return
    workers = min(jobs or available(), max(_PAIR, available()), len(items))
    if not jobs and weight < 600_000:
        workers = 1
    if workers == 1 and not _always:
        yield from map(function, items)
        return
    size = max(1, min(batch, len(items) // (workers * 8)))
    batches = [items[start : start + size] for start in range(0, len(items), size)]
    team = _Team(function, limits, workers, lost)
    try:
        for results in team.work_off(batches):
            yield from results
    finally:
        team.stop()


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
    if not _always or not hasattr(os, "fork") or not items:
        return map(function, items)
    made = _by_child(function, items, limits)
    return made if made is not None else run(function, items, 1, lost=lost, limits=limits)


def _by_child(function: Callable[[Item], Result], items: Sequence[Item], limits: Limits) -> list[Result] | None:
    """The results of all items, worked out by one child process; None where it died."""
    import pickle

    ours, theirs = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(ours)
        _answer(theirs, function, items, limits)
    os.close(theirs)
    try:
        with open(ours, "rb") as pipe:
            answer = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    if status:
        return None
    fine, made = pickle.loads(answer)
    if not fine:
        raise made
    return cast("list[Result]", made)


def _answer(
    pipe: int, function: Callable[[Any], Any], items: Sequence[Any], limits: Limits
) -> NoReturn:  # pragma: no cover - runs in a child
    """What the child of `_by_child` does: its exit code is 0 only where it has written all results."""
    import pickle

    try:
        _hush()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        _limit_memory(limits.memory)
        _limit_time(limits.cpu)
        signal.alarm(limits.wait)
        try:
            answer = pickle.dumps((True, list(map(function, items))))
        except MemoryError:
            os._exit(1)
        except Exception as error:  # noqa: BLE001 - it is raised on the other side
            answer = pickle.dumps((False, error))
        with open(pipe, "wb") as file:
            file.write(answer)
        os._exit(0)
    finally:
        os._exit(1)


def isolate() -> None:
    """Read every file in a worker from now on, also where one process is enough: what a command does.

    A program that uses this package as a library may have threads, which no worker can be forked beside.
    """
    global _always
    _always = True


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

        self.context: Any = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
        self.begun = self.context.Array("l", size, lock=False)
        """For each worker, which of its items it has begun: how this side knows what it died of."""
        self.function, self.limits, self.lost = function, limits, lost
        self.losses: dict[int, dict[int, Any]] = {}
        self.workers: list[_Worker] = []
        for number in range(size):
            self.workers.append(self._started(number))

    def _started(self, number: int) -> _Worker:
        ours, theirs = self.context.Pipe()
        given = (theirs, self.function, self.limits, self.begun, number, os.getpid())
        process = self.context.Process(target=_serve, args=given, daemon=False)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def work_off(self, batches: Sequence[Sequence[Any]]) -> Iterator[list[Any]]:
        """The results of each batch, in order."""
        ready: dict[int, list[Any]] = {}
        given = returned = 0
        while returned < len(batches):
            for number, worker in enumerate(self.workers):
                if worker.batch < 0 and given < len(batches) and given < returned + _AHEAD:
                    self._hand(number, given, list(enumerate(batches[given])))
                    given += 1
            ready.update(self._done())
            while returned in ready:
                yield ready.pop(returned)
                returned += 1

    def _hand(self, number: int, batch: int, items: list[tuple[int, Any]]) -> None:
        worker = self.workers[number]
        self.begun[number] = 0
        worker.batch, worker.items = batch, items
        worker.until = time.monotonic() + self.limits.wait * len(items) if self.limits.wait else 0.0
        with suppress(BrokenPipeError):  # it has died meanwhile, which is seen when its results are asked for
            worker.pipe.send([item for _, item in items])

    def _done(self) -> Iterator[tuple[int, list[Any]]]:
        """The batches that are done by now; waits for one worker to say something."""
        from multiprocessing.connection import wait

        busy: dict[Any, int] = {worker.pipe: number for number, worker in enumerate(self.workers) if worker.batch >= 0}
        ends = [self.workers[number].until for number in busy.values() if self.workers[number].until]
        answered = wait(list(busy), max(0.0, min(ends) - time.monotonic()) if ends else None)
        for pipe in answered:
            number = busy[pipe]
            worker = self.workers[number]
            try:
                fine, made = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._replaced(number, "")
                continue
            if not fine:
                raise made
            yield self._whole(worker, made)
            worker.batch = -1
        if not answered:
            for number in busy.values():
                if 0 < self.workers[number].until <= time.monotonic():
                    yield from self._replaced(number, f"takes more than {self.limits.wait:,} seconds")

    def _whole(self, worker: _Worker, made: Sequence[Any]) -> tuple[int, list[Any]]:
        """The number of a worker's batch and its results, with those of items that were lost."""
        results = self.losses.pop(worker.batch, {})
        results.update(zip((position for position, _ in worker.items), made, strict=True))
        return worker.batch, [results[position] for position in range(len(results))]

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
            yield self._whole(dead, ())

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


def _serve(
    pipe: Any, function: Callable[[Any], Any], limits: Limits, begun: Any, number: int, parent: int
) -> None:  # pragma: no cover - runs in workers
    """What a worker does until its parent ends it."""
    _prepare(limits, parent)
    while True:
        try:
            items = pipe.recv()
        except (EOFError, OSError):
            return
        made = []
        try:
            for position, item in enumerate(items):
                begun[number] = position
                _limit_time(limits.cpu)
                made.append(_uncollected(function, item))
            pipe.send((True, made))
        except BrokenPipeError:
            return
        except Exception as error:  # noqa: BLE001 - it is raised on the other side
            pipe.send((False, error))


def _uncollected(function: Callable[[Any], Any], item: Any) -> Any:  # pragma: no cover - runs in workers
    """The result for an item without a search for garbage: most of what a file brings is held until it is done."""
    gc.disable()
    try:
        return function(item)
    finally:
        gc.enable()


def _prepare(limits: Limits, parent: int) -> None:
    """Make this process a worker: its parent tells how it ended, cleans up after it, and outlives it."""
    import threading

    _hush()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    if hasattr(os, "getppid"):
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _limit_memory(limits.memory)


def _hush() -> None:
    """Let a library that crashes print nothing: the parent says what was lost."""
    if "faulthandler" in sys.modules:
        sys.modules["faulthandler"].disable()
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _leave(*_: object) -> None:
    """End this process so that `with` blocks put away what they made."""
    sys.exit(1)


def _end_with(parent: int) -> None:
    """End this process when its parent has ended, however that was."""
    while os.getppid() == parent:
        time.sleep(_POLL)
    os._exit(1)


def _limit_memory(more: int) -> None:
    """Let this process take `more` bytes of address space than it has; no crash leaves a dump of memory behind."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        with open("/proc/self/statm", "rb") as file:
            taken = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux: address space is no useful measure there
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if more and (hard == resource.RLIM_INFINITY or taken + more < hard):
        resource.setrlimit(resource.RLIMIT_AS, (taken + more, hard))


def _limit_time(seconds: int) -> None:
    """Let this process work for `seconds` more."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = int(time.process_time()) + 1 + seconds
    if seconds and (hard == resource.RLIM_INFINITY or until < hard):
        resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
