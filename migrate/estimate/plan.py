"""Parts of the effort -> ordered steps, the longest chain, and how long it takes with more people.

Result: `Step`s, whose days are those of their items, and a `Staffing` for one to four people. Days of blockers are not
in it: a step says that a way must be chosen first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from cudamigrate.estimate.effort import PLACES
from cudamigrate.estimate.totals import total
from cudamigrate.model.estimate import CostItem, Days, Staffing, Step

MOST_PEOPLE = 6
"""More people than this do not share one step."""
LEAST_EACH = 2.0
"""Days that a step holds at least for each of those who share it: who joins has to read into the code first."""
TEAMS = (1, 2, 3, 4)
FASTER = 0.1
"""The part of the days that one more person has to save at least; a team that saves less is not named."""
STEPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("decide", "Choose a way around each blocker", ()),
    ("environment", "Machines, drivers, containers, packages", ()),
    ("mechanical", "Apply the safe changes and read them", ()),
    ("build", "Make it build for ROCm", ("environment", "mechanical")),
    ("repair", "Repair what is left manually, until it runs", ("build",)),
    ("redesign", "Rewrite what has no equivalent", ("decide", "mechanical")),
    ("ci", "Build and test on AMD GPUs with every change", ("build",)),
    ("numeric", "Compare numbers with the CUDA build", ("repair", "redesign")),
    ("tuning", "Measure and tune", ("numeric",)),
    ("benchmark", "Benchmark the workloads on AMD", ("tuning", "ci")),
)
"""Steps in order: name, what is done, and what it waits for."""
_SHARED = ("mechanical", "repair", "redesign", "numeric", "tuning")


def steps(items: Sequence[CostItem], blocked: bool, common: float) -> list[Step]:
    """The steps that there is work for, with the critical ones marked."""
    by_step: dict[str, list[CostItem]] = {}
    for item in items:
        by_step.setdefault(item.step, []).append(item)
    names = frozenset(name for name, _, _ in STEPS if name in by_step or (name == "decide" and blocked))
    found = {}
    for name, title, _ in STEPS:
        if name in names:
            mine = by_step.get(name, [])
            days = total([item.days for item in mine], common)
            found[name] = Step(name, title, days, _after(name, names), _people(name, mine))
    chain = _chain(found)
    return [
        Step(step.name, step.title, step.days, step.after, step.people, step.name in chain) for step in found.values()
    ]


@lru_cache(1024)
def _after(name: str, names: frozenset[str]) -> tuple[str, ...]:
    """What a step waits for; a step without work is replaced by what it waits for itself."""
    waits = {step: after for step, _, after in STEPS}
    found: list[str] = []
    for before in waits[name]:
        found += [before] if before in names else _after(before, names)
    order = [step for step, _, _ in STEPS if step in found]
    return tuple(step for step in order if not any(step in _before(other, names) for other in found))


@lru_cache(1024)
def _before(name: str, names: frozenset[str]) -> frozenset[str]:
    """All that a step waits for, near and far."""
    near = _after(name, names)
    return frozenset(near).union(*(_before(step, names) for step in near))


def _people(name: str, items: Sequence[CostItem]) -> int:
    """As many as there are files to share and days to fill; what is done once is done by one."""
    files = len({item.path for item in items if item.path})
    filled = int(math.fsum(item.days.p50 for item in items) / LEAST_EACH)
    return max(1, min(MOST_PEOPLE, files, filled)) if name in _SHARED else 1


def _chain(found: Mapping[str, Step]) -> set[str]:
    """The longest chain of steps, each shared by as many as it takes."""
    ends: dict[str, float] = {}
    before: dict[str, str] = {}
    for name, step in found.items():
        best = max(step.after, key=lambda after: ends[after], default="")
        ends[name] = (ends[best] if best else 0.0) + step.days.p50 / step.people
        before[name] = best
    name = max(ends, key=lambda step: ends[step], default="")
    chain = set()
    while name:
        chain.add(name)
        name = before[name]
    return chain


def staffing(plan: Sequence[Step], days: Days) -> list[Staffing]:
    """Working days from first to last for teams of each size that is faster; its spread is that of the effort."""
    found: list[Staffing] = []
    for people in TEAMS:
        length = _length(plan, people)
        if found and length > (1 - FASTER) * found[-1].days.p50:
            break  # more people wait for each other
        scale = length / days.p50 if days.p50 else 0.0
        spread = Days(round(days.p10 * scale, PLACES), round(length, PLACES), round(days.p90 * scale, PLACES))
        found.append(Staffing(people, spread))
    return found


def _length(plan: Sequence[Step], people: int) -> float:
    """Steps are begun as soon as they may; each gets one person, then those to spare go to the longest."""
    left = {step.name: step.days.p50 for step in plan}
    now = 0.0
    while left:
        ready = [step for step in plan if step.name in left and not any(after in left for after in step.after)]
        ready.sort(key=lambda step: -left[step.name] / step.people)
        hands = _hands(ready, people)
        pace = min(left[name] / count for name, count in hands.items())
        now += pace
        for name, count in hands.items():
            left[name] -= pace * count
            if left[name] <= 1e-9:
                del left[name]
    return now


def _hands(ready: Sequence[Step], people: int) -> dict[str, int]:
    hands = {step.name: 1 for step in ready[:people]}
    spare = people - len(hands)
    for step in ready[:people]:
        more = min(spare, step.people - 1)
        hands[step.name] += more
        spare -= more
    return hands
