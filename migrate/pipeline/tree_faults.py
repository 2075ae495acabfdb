"""A fault of ours in what is asked of all files together: the file that brings it about is left out and named.

Result: the report of the others. Which file it is, is found by halves, as nothing in an error says it: some ten reports
are made for a thousand files. That is rare, and a run without a result costs the user more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cudamigrate.errors import MigrateError
from cudamigrate.model import FileResult, Report, Skip

_MOST = 3
"""Files that are left out at most: what fails for more of them is a fault for all."""
_OWN = (MigrateError, OSError, MemoryError)
"""What says something about the input or the machine, and nothing about one file."""
Results = list[FileResult]


def survived(
    inspected: Callable[[], tuple[Results, Any]], report: Callable[[Results, Any], Report], debug: bool
) -> tuple[Report, Results]:
    """The report of what `inspected` finds, and the results of all files, those that are left out among them.

    `report` may change the results that it is given, so what it is made of comes from `inspected` again after a fault.
    The second part of what that gives is passed on to `report`. With `debug`, and where no file is found by itself, the
    fault is raised.
    """
    results, spool = inspected()
    made = _attempt(report, results, spool)
    if not isinstance(made, Exception):
        return made, results
    if debug:
        raise made
    whole, spool = inspected()
    for _ in range(_MOST):
        at = _culprit(whole, lambda some: isinstance(_attempt(report, some, spool), Exception))
        if at is None:
            break
        whole[at] = _left_out(whole[at], made)
        results = list(whole)
        made = _attempt(report, results, spool)
        if not isinstance(made, Exception):
            return made, results
    raise made


def _attempt(report: Callable[[Results, Any], Report], results: Results, spool: Any) -> Report | Exception:
    """The report, or the fault of ours that there is none for."""
    try:
        return report(results, spool)
    except Exception as error:  # as with one file: what one of many brings about must not end the run
        if isinstance(error, _OWN):
            raise
        return error


def _culprit(whole: Results, fails: Callable[[Results], bool]) -> int | None:
    """The first file that brings a fault about together with those before it; None where none does."""
    low, high = 0, len(whole)
    empty = [_without(one) for one in whole]
    if fails(list(empty)):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if fails(whole[:middle] + empty[middle:]):
            high = middle
        else:
            low = middle
    return high - 1


def _without(result: FileResult, skip: Skip | None = None) -> FileResult:
    skip = skip or Skip(result.path, "internal", "")
    return FileResult(result.path, result.language, 0, result.size, cuda=False, skip=skip)


def _left_out(result: FileResult, fault: Exception) -> FileResult:
    shown = f"{type(fault).__name__}: {fault}"
    said = f"cudamigrate failed where it reads this file together with others, please report it: {shown}"
    return _without(result, Skip(result.path, "internal", said))
