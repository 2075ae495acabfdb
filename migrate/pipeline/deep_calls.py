"""Work that follows chains of calls as deep as code has them -> its result, on a stack that is large enough.

A template library has chains of hundreds of functions, and each link takes several frames of the interpreter: more than
its own limit allows. A thread with a stack of its own has room for them; the limit is as before when it ends.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
STACK = 256 * 1024 * 1024
"""Bytes of address space for the stack; only what is touched takes memory."""
FRAMES = 30_000
"""Frames that fit into it: about eight kilobytes for each, more than one takes."""


def run(work: Callable[[], Result]) -> Result:
    """The result of `work`, whose own exceptions are raised here; RecursionError where even this stack is too small."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  it is raised again where the thread is waited for
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
    try:
        sys.setrecursionlimit(max(limit, FRAMES))
        thread = threading.Thread(target=body, daemon=True)
        _started(thread, body, limit)
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def _started(thread: threading.Thread, body: Callable[[], None], limit: int) -> None:
    """Run a thread to its end; without room for its stack the work is done on the stack that is there."""
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        sys.setrecursionlimit(limit)
        body()
    else:
        thread.join()
