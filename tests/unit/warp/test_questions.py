"""Questions that depend on each other: each is answered, and few are asked twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from cudamigrate.warp.questions import Questions

Calls = Mapping[str, Sequence[str]]


class _Leads:
    """Whether a function of a graph of calls leads to one that waits; `asked` counts how often each is looked at."""

    def __init__(self, calls: Calls, waiting: str) -> None:
        self.calls, self.waiting = calls, waiting
        self.asked, self.questions = Counter[str](), Questions()

    def leads(self, name: str) -> bool:
        def work() -> bool:
            self.asked[name] += 1
            return name == self.waiting or any(self.leads(one) for one in self.calls.get(name, ()))

        return self.questions.ask(name, first=False, work=work)


def _reaches(calls: Calls, start: str, wanted: str) -> bool:
    seen, left = set[str](), [start]
    while left:
        name = left.pop()
        if name == wanted:
            return True
        if name not in seen:
            seen.add(name)
            left.extend(calls.get(name, ()))
    return False


def _knot(size: int) -> dict[str, list[str]]:
    """Functions that all lead to each other: each calls the next ones, and the last ones call the first."""
    return {f"f{one}": [f"f{(one + step) % size}" for step in (1, 2, 5)] for one in range(size)}


@pytest.mark.parametrize("order", [1, -1])
def test_what_came_by_a_first_answer_that_held_is_kept(order: int) -> None:
    found = _Leads(_knot(60), "none")
    assert not any(found.leads(name) for name in list(found.calls)[::order])
    assert set(found.asked.values()) == {1}


@pytest.mark.parametrize("at", [0, 1, 30, 59])
@pytest.mark.parametrize("order", [1, -1])
def test_what_came_by_a_first_answer_that_did_not_hold_is_worked_out_again(at: int, order: int) -> None:
    calls = _knot(60) | {f"f{at}": ["wait", f"f{(at + 1) % 60}"]}
    found = _Leads(calls, "wait")
    answers = {name: found.leads(name) for name in list(calls)[::order]}
    assert answers == {name: _reaches(calls, name, "wait") for name in calls}


def test_an_answer_by_one_in_doubt_is_in_doubt() -> None:
    found = _Leads({"b": ["c", "wait"], "c": ["b", "root"], "d": ["c"]}, "wait")

    def root() -> bool:
        # While `b` is open `c` hears no from it, and `d` hears so of `c` when `b` is known to lead to `wait`.
        return not (found.leads("b") and not found.leads("d"))

    found.questions.ask("root", first=False, work=root)
    assert [found.leads(name) for name in "bcd"] == [True, True, True]


def test_one_thing_asked_in_another_way_says_nothing_of_the_first() -> None:
    questions = Questions()

    def of(how: str) -> bool:
        inner = questions.ask(("inner",), first=False, work=lambda: other() and how == "one", about="inner")
        return inner and how == "one"

    def other() -> bool:
        return questions.ask(("it", "other"), first=False, work=lambda: True, about="it")

    assert not questions.ask(("it", "one"), first=False, work=lambda: of("one"), about="it")
    assert questions.ask(("inner",), first=False, work=lambda: other(), about="inner")
