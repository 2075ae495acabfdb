"""Work of one child process, which starts with all that this process has, so that nothing is sent to it.

Result: what the work returns, or raises, when it is asked for; None where the child died.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, NoReturn


class Child:
    """A process that has begun some work; `prepare` is what it does before."""

    def __init__(self, work: Callable[[], Any], prepare: Callable[[], None]) -> None:
        self._pipe, theirs = os.pipe()
        sys.stdout.flush()
        self._process = os.fork()
        if not self._process:
            os.close(self._pipe)
            _answer(theirs, work, prepare)
        os.close(theirs)

    def result(self) -> tuple[Any] | None:
        """Wait for what the work returns, and raise what it raised."""
        import pickle

        try:
            with open(self._pipe, "rb") as pipe:
                answer = pipe.read()
        except BaseException:
            os.kill(self._process, signal.SIGKILL)
            raise
        finally:
            _, status = os.waitpid(self._process, 0)
        if status:
            return None
        fine, made = pickle.loads(answer)
        if not fine:
            raise made
        return (made,)


def _answer(
    pipe: int, work: Callable[[], Any], prepare: Callable[[], None]
) -> NoReturn:  # pragma: no cover - runs in a child
    """What a child does: its exit code is 0 only where it has written all of the answer."""
    import pickle

    try:
        prepare()
        try:
            answer = pickle.dumps((True, work()))
        except MemoryError:
            os._exit(1)
        except Exception as error:  # noqa: BLE001 - it is raised on the other side
            answer = pickle.dumps((False, error))
        with open(pipe, "wb") as file:
            file.write(answer)
        os._exit(0)
    finally:
        os._exit(1)
