"""Answers to questions that may depend on themselves, each kept once all that it depends on is answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class _Passing:
    """An answer that waits for a question of a lower depth; `doubtful` where a first answer in it proved wrong."""

    __slots__ = ("answer", "doubtful", "key", "reached")

    def __init__(self, key: Hashable, answer: Any, reached: int, *, doubtful: bool) -> None:
        self.key, self.answer, self.reached, self.doubtful = key, answer, reached, doubtful


class Questions:
    """What is asked again while it is worked out has a first answer, and so adds nothing to itself.

    What came by such a first answer may be less than the whole: it serves until the question that it waits for is
    answered. Where every first answer in it was the answer in the end it is the whole, and is kept; else it is worked
    out again when it is asked by itself.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._open: dict[Hashable, tuple[int, Hashable]] = {}
        self._passing: dict[Hashable, _Passing] = {}
        self._sound: list[_Passing] = []
        self._doubtful: list[_Passing] = []
        self._otherwise = set[int]()
        self._reached, self._doubts = 0, False

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
            depth, asked = self._open[about]
            self._reached = min(self._reached, depth)
            if asked != key:
                self._otherwise.add(depth)  # its answer says nothing about this one
            return first
        if key in self._passing:
            passing = self._passing[key]
            self._reached = min(self._reached, passing.reached)
            self._doubts = self._doubts or passing.doubtful
            answer: Answer = passing.answer
            return answer
        return self._worked_out(key, first, work, about)

    def _worked_out(self, key: Hashable, first: Answer, work: Callable[[], Answer], about: Hashable) -> Answer:
        depth = len(self._open)
        self._open[about] = depth, key
        around, self._reached, doubts, self._doubts = self._reached, depth, self._doubts, False
        sound, doubtful = len(self._sound), len(self._doubtful)
        try:
            made = work()
        finally:
            del self._open[about]
        reached, doubted = self._reached, self._doubts
        if doubted or made != first or depth in self._otherwise:
            self._doubt(sound)
        self._otherwise.discard(depth)
        self._reached, self._doubts = min(around, reached) if reached < depth else around, doubts
        if reached < depth:
            self._doubts = doubts or doubted
            self._pass(_Passing(key, made, reached, doubtful=doubted))
            return made
        self._known[key] = made
        self._settle(sound, doubtful)
        return made

    def _pass(self, passing: _Passing) -> None:
        self._passing[passing.key] = passing
        (self._doubtful if passing.doubtful else self._sound).append(passing)

    def _doubt(self, start: int) -> None:
        """What came since by a first answer of a question is in doubt: its answer is another."""
        for one in self._sound[start:]:
            one.doubtful = True
        self._doubtful += self._sound[start:]
        del self._sound[start:]

    def _settle(self, sound: int, doubtful: int) -> None:
        """Nothing is waited for any more by what came since: keep what is sure of it, and let the rest go."""
        for one in self._sound[sound:]:
            self._known[one.key] = one.answer
        for one in (*self._sound[sound:], *self._doubtful[doubtful:]):
            del self._passing[one.key]
        del self._sound[sound:], self._doubtful[doubtful:]
