"""Answers to questions that may depend on themselves, each kept once all that it depends on is answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Questions:
    """What is asked again while it is worked out has a first answer, and so adds nothing to itself.

    What came by such a first answer is less than the whole: it serves until the question that it waits for is
    answered, and is worked out again when it is asked by itself.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._open: dict[Hashable, int] = {}
        self._passing: dict[Hashable, tuple[Any, int]] = {}
        self._waiting: dict[int, list[Hashable]] = {}
        self._reached = 0

    @property
    def is_asked(self) -> bool:
        """Whether a question is being answered just now."""
        return bool(self._open)

    def ask(self, key: Hashable, first: Answer, work: Callable[[], Answer], about: Hashable = None) -> Answer:
        """The answer to a question: known, `first` while it is worked out, or what `work` finds.

        `about` is what the question is about, where questions about one thing are asked in several ways: none of them
        is worked out within another.
        """
        if key in self._known:
            known: Answer = self._known[key]
            return known
        about = key if about is None else about
        if about in self._open:
            self._reached = min(self._reached, self._open[about])
            return first
        if key in self._passing:
            passing: Answer = self._passing[key][0]
            self._reached = min(self._reached, self._passing[key][1])
            return passing
        return self._worked_out(key, work, about)

    def _worked_out(self, key: Hashable, work: Callable[[], Answer], about: Hashable) -> Answer:
        depth = self._open[about] = len(self._open)
        around, self._reached = self._reached, depth
        try:
            made = work()
        finally:
            del self._open[about]
        reached = self._reached
        if reached < depth:
            self._passing[key] = made, reached
            self._waiting.setdefault(reached, []).append(key)
            self._reached = min(around, reached)
            return made
        self._known[key], self._reached = made, around
        for one in [one for one in self._waiting if one >= depth]:
            for done in self._waiting.pop(one):
                self._passing.pop(done, None)
        return made
