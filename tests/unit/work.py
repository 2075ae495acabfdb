"""How much work a function does, in figures that no other load of the machine changes."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

STEPS = 6.0
"""The work on four times the input, at most: it is 4 where the work grows with the input, and 16 with its square."""


def calls(work: Callable[[], Any]) -> int:
    """How many functions, of Python and of C, are called."""
    count = 0

    def counted(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def peak(work: Callable[[], Any]) -> int:
    """The most bytes that are held at a time, beside those held before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
