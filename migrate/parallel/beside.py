"""Work of one child process while this one goes on with other work.

Result: what the work returns, when it is asked for. A child starts with all that this process has, so that nothing is
sent to it. Where it dies this process does the work itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

from cudamigrate.parallel.worker import Limits, prepare

Result = TypeVar("Result")


def beside(work: Callable[[], Result]) -> Callable[[], Result]:
    """Begin in a child process; what is returned waits for the result, and raises what the work raised."""
    import multiprocessing

    context: Any = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    sys.stdout.flush()
    child = context.Process(target=_answer, args=(theirs, work, os.getpid()), daemon=True)
    child.start()
    theirs.close()

    def result() -> Result:
        import pickle

        try:
            answer = ours.recv_bytes()
        except (EOFError, OSError):
            answer = b""
        finally:
            ours.close()
        child.join()
        if not answer:
            return work()
        fine, made = pickle.loads(answer)
        if not fine:
            raise made
        return cast("Result", made)

    return result


def _answer(pipe: Any, work: Callable[[], Any], parent: int) -> None:  # pragma: no cover - runs in a child
    prepare(Limits(0, 0, 0), parent)
    try:
        made = True, work()
    except Exception as error:  # noqa: BLE001 - it is raised on the other side
        made = False, error
    pipe.send(made)
