"""What must hold on a wave of 64 lanes as on a warp of 32, and where it fails: with the chain of facts.

A barrier of the block is met by full wavefronts: no condition around it, in any function that leads to it, may part
one. A loop that only waits must not wait for lanes of its own wave.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cudamigrate.model import Hit, Span, Step, Use
from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.facts import SAME, WARP
from cudamigrate.warp.object_classes import Given
from cudamigrate.warp.transfer import Evaluator, Place


class Failure(NamedTuple):
    """An obligation that does not hold: at a site of a routine, under a condition, for these reasons."""

    kind: str
    place: Place
    site: Site
    condition: str
    steps: tuple[Step, ...]


def failures(evaluator: Evaluator) -> Iterator[Failure]:
    """Barriers, calls that lead to one, and waiting loops under conditions that part a wave; one for each condition."""
    waits = _Waits(evaluator)
    every = ((place, site, waits.kind(place, site)) for place in evaluator.places for site in place.routine.sites)
    waiting = [(place, site, kind) for place, site, kind in every if kind and (site.guards or kind == "indirect")]
    guards = dict.fromkeys((place, guard) for place, site, _ in waiting for guard in site.guards)
    called = [
        (place, site.receiver) for place, site, kind in waiting if kind == "indirect" and site.receiver is not None
    ]
    evaluator.solve(guards, called)
    reported: set[tuple[int, str, tuple[int, ...]]] = set()
    for place, site, kind in waiting:
        failed = _parted(evaluator, place, site, kind)
        if failed is None or (id(place), failed.kind, site.guards) in reported:
            continue
        reported.add((id(place), failed.kind, site.guards))
        yield failed


def _parted(evaluator: Evaluator, place: Place, site: Site, kind: str) -> Failure | None:
    """The failure of one site, by the condition that parts most of a wave."""
    facts = [(evaluator.condition(place, guard), guard) for guard in site.guards]
    if kind == "indirect":
        facts.append((evaluator.value(place, site.receiver or ("n", 0)), -1))
    if kind == "spin":
        facts = [one for one in facts if one[0].level == WARP]  # single lanes may wait for other blocks, as in CUDA
    worst, guard = max(facts, key=lambda one: one[0].level, default=(SAME, -1))
    if worst.level < WARP:
        return None
    condition = place.routine.conditions[guard].text if guard >= 0 else "which function is called"
    verb = {"spin": "waits in a loop", "barrier": "waits for the block"}.get(kind, "leads to a barrier of the block")
    last = Step(place.path, site.line, f"`{site.callee}()` {verb}" if site.callee else f"the code here {verb}")
    return Failure("spin" if kind == "spin" else "barrier", place, site, condition, (*worst.steps, last))


def hit(failure: Failure, text: bytes) -> Hit:
    """What a detector returns for a failure; `text` is that of its site."""
    site = failure.site
    name = " ".join(text.decode("latin-1").split())
    end = site.end if failure.kind == "barrier" else site.start + max(1, len(text.partition(b"(")[0].rstrip()))
    span = Span(site.start, end)
    use = Use("name", name, span, span, (), "device", "syntax")
    rule = "warp/waits-for-own-wave" if failure.kind == "spin" else "launch/barrier-in-branch"
    return Hit(rule, use, {"name": name, "condition": failure.condition}, failure.steps)


class _Waits:
    """Which calls wait for the block, by themselves or by what they call."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._known: dict[tuple[int, Given], bool] = {}

    def kind(self, place: Place, site: Site, given: Given = None) -> str:
        """What a site is: `barrier`, `call` for one that leads to a barrier, `indirect`, `spin`; empty for others."""
        if site.kind == "spin":
            return "" if self._changes(place, site) else "spin"
        if self._is_barrier(place, site, given):
            return "barrier"
        if not site.callee:
            return "indirect" if self._through_pointer(place, site) else ""
        found = self.evaluator.called(place, site, given)
        handed = self.evaluator.classes.of_arguments(place, site, given) if found else ()
        return "call" if any(self.waits(one, handed) for one in found) else ""

    def waits(self, place: Place, given: Given = None) -> bool:
        """Whether a routine comes to a barrier when it is called with objects of some classes."""
        key = (id(place), given)
        if key not in self._known:
            self._known[key] = False
            sites = place.routine.sites
            self._known[key] = any(self.kind(place, site, given) not in ("", "spin") for site in sites)
        return self._known[key]

    def _changes(self, place: Place, site: Site) -> bool:
        """Whether the conditions of a waiting loop call something that changes what they look at."""
        tests = [place.routine.conditions[guard].test for guard in site.guards]
        calls = [one for test in tests for one in _calls(test)]
        for _, callee, arguments, receiver in calls:
            made = Site("call", callee, arguments, receiver, (), 0, 0, 0)
            for target in self.evaluator.called(place, made) if callee else ():
                if any(one.name == "*" or one.name in self._members(target) for one in target.routine.definitions):
                    return True
        return False

    def _members(self, place: Place) -> set[str]:
        owner = place.routine.owner
        return {name for cls, name in self.evaluator.fields if cls == owner} - {"return"} if owner else set()

    def _is_barrier(self, place: Place, site: Site, given: Given) -> bool:
        if site.receiver is None:
            return site.callee in sources.barriers()
        if site.callee != "sync" or site.arguments:
            return False
        found = self.evaluator.classes.of(place, site.receiver, given)
        return any(sources.groups().get(one) == "block" for one in found)

    def _through_pointer(self, place: Place, site: Site) -> bool:
        """Whether a call through a table or a pointer may reach a function that waits."""
        names = set(_names(site.receiver)) if site.receiver is not None else set()
        for definition in place.routine.definitions:
            if definition.name in names:
                names |= set(_names(definition.value))
        return any(self.waits(one) for name in names for one in self.evaluator.by_name.get(name, ()))


def _calls(what: Expression) -> Iterator[Expression]:
    """The calls in an expression."""
    if what[0] == "c":
        yield what
    for part in what[1:]:
        inner = part if isinstance(part, tuple) and part and isinstance(part[0], tuple) else (part,)
        for one in inner:
            if isinstance(one, tuple) and one:
                yield from _calls(one)


def _names(what: Expression) -> Iterator[str]:
    """The variables of an expression."""
    if what[0] == "v":
        yield what[1]
    for part in what[1:]:
        for inner in part if isinstance(part, tuple) and part and isinstance(part[0], tuple) else (part,):
            if isinstance(inner, tuple) and inner:
                yield from _names(inner)
