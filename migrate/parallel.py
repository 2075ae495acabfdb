"""Per-file work in this process or on several.

Result: one result per item, in the order of the items, whatever the number of processes.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_work: Callable[[Any], Any] | None = None


def run(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, weight: int = 1 << 30, batch: int = 16
) -> Iterator[Result]:
    """Results of `function` for each item, as they are ready and in order.

    `jobs` is the number of processes, 0 for one per core. `weight` is the size of the work in bytes of source:
    starting processes costs more than a small amount of work saves. `batch` is how many items at most a process is
    handed at once.
    """
    workers = min(jobs or available(), len(items))
    if workers <= 1 or (not jobs and weight < 600_000):
        yield from map(function, items)
        return
    method = "fork" if sys.platform.startswith("linux") else "spawn"
    chunk = max(1, min(batch, len(items) // (workers * 8)))
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(workers, context, initializer=_install, initargs=(function,)) as pool:
        yield from pool.map(_call, items, chunksize=chunk)


def available() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _install(function: Callable[[Any], Any]) -> None:
    global _work
    _work = function


def _call(item: Any) -> Any:
    assert _work is not None
    return _work(item)
