"""The side of a worker: what it may take, and what it does until its parent ends it."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import keep

_POLL = 0.5
"""Seconds between a worker's looks for whether its parent is still there."""
_GARBAGE = 100_000
"""Objects after which a worker looks for garbage at the latest: what a file leaves is not piled up for long."""


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


def serve(
    pipe: Any, function: Callable[[Any], Any], limits: Limits, begun: Any, number: int, parent: int
) -> None:  # pragma: no cover - runs in workers
    """What a worker does until its parent ends it."""
    prepare(limits, parent)
    while True:
        try:
            items = pipe.recv()
        except (EOFError, OSError):
            return
        made = []
        try:
            for position, item in enumerate(items):
                begun[number] = position
                limit_time(limits.cpu)
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


def prepare(limits: Limits, parent: int) -> None:
    """Make this process a worker: its parent tells how it ended, cleans up after it, and outlives it."""
    import threading

    hush()
    gc.freeze()  # what it was started with stays: a search for garbage would go through all of it, and copy it
    first, *rest = gc.get_threshold()
    gc.set_threshold(min(first, _GARBAGE), *rest)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    if hasattr(os, "getppid"):
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    limit_memory(limits.memory)


def hush() -> None:
    """Let a library that crashes print nothing: the parent says what was lost."""
    if "faulthandler" in sys.modules:
        sys.modules["faulthandler"].disable()
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _leave(*_: object) -> None:
    """End this process so that `with` blocks put away what they made."""
    try:
        keep()
    finally:  # whatever this interrupts, and however deep that is in calls
        sys.exit(1)


def _end_with(parent: int) -> None:
    """End this process when its parent has ended, however that was."""
    while os.getppid() == parent:
        time.sleep(_POLL)
    os._exit(1)


def limit_memory(more: int) -> None:
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


def limit_time(seconds: int) -> None:
    """Let this process work for `seconds` more."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = int(time.process_time()) + 1 + seconds
    if seconds and (hard == resource.RLIM_INFINITY or until < hard):
        resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
