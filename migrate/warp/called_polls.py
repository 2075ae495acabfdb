"""Loops that wait for memory by functions of other files: one file alone shows a call, which may do anything.

`while (shared::peek(&slot) == EMPTY) shared::pause(turn++);` looks at memory that other threads write where `peek`
loads it past the caches, and changes nothing where `pause` does not. Several lanes of a wave that wait so may wait for
each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Set

from cudamigrate.analysis import loop_texts
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, SourceFile, Span, Use
from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp.expressions import below
from cudamigrate.warp.memory_effects import MemoryEffects, atomic, calls, calls_in
from cudamigrate.warp.places import Place
from cudamigrate.warp.transfer import Evaluator
from cudamigrate.warp.waiting_turns import Alone, WaitingTurns

Read = Callable[[str], SourceFile | None]
RULE = "memory/block-spin"
_DEPTH = 4
"""Functions that call one another which are followed."""
_PAST_CACHES = re.compile(
    rb"\"\s*ld\.(?:\w+\.)*?(?:acquire|relaxed|volatile|mmio|cg|cv)\b|\(\s*(?:const\s+)?volatile\b[^()]*\*\s*\)"
    rb"|(?<!asm )\bvolatile\s+(?:[\w:]+\s+)*?[\w:]+(?:\s+const)?\s*\*"
)
"""A load that sees what other blocks write: in PTX, or by a pointer to volatile memory."""
_LOADS = frozenset(("__ldcg", "__ldcv", "__hip_atomic_load"))
_FENCES = frozenset(("__threadfence", "__threadfence_system"))
_SAID = {
    "name": "loop",
    "whom": "threads of its own wave, or another block or GPU",
    "missing": "See that none of them is in the same wave of 64 lanes. For another block {}",
}
_FENCE, _FIT = "put fences on both sides", "launch no more blocks than run at once"


def hits(
    evaluator: Evaluator, alone: Alone, read: Read, known: Collection[tuple[str, int]]
) -> Iterator[tuple[Place, Site, Hit]]:
    """Such loops that several lanes of a wave may be in, with their places; `known` ones are found already."""
    polls = _Polls(evaluator, alone, read)
    for place in evaluator.places:
        for site in place.routine.sites:
            if site.kind == "spin" and (place.path, site.start) not in known and polls.waits(place, site):
                source = read(place.path)
                if source is not None:
                    yield place, site, _hit(place, site, source.data[site.start : site.end])


def _hit(place: Place, site: Site, loop: bytes) -> Hit:
    sides = [one.start < site.start for one in place.routine.sites if one.callee in _FENCES]
    needs = _FIT if True in sides and False in sides else f"{_FENCE}, and {_FIT}"
    words = {**_SAID, "text": loop_texts.quoted(loop), "missing": _SAID["missing"].format(needs)}
    span = Span(site.start, site.end)
    use = Use("name", "loop", span, span, (), "device", "syntax")
    return Hit(RULE, use, words, facts=(("needs", needs), ("fences", _FENCE if _FENCE in needs else "")))


class _Polls:
    """Answers for the loops of one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, alone: Alone, read: Read) -> None:
        self._evaluator, self._read = evaluator, read
        self._effects = MemoryEffects(evaluator)
        self._turns = WaitingTurns(evaluator, self._effects, alone)
        self._loading: dict[tuple[str, int], bool] = {}

    def waits(self, place: Place, site: Site) -> bool:
        """Whether a loop only looks at memory by what other files define, and several lanes may be in it."""
        asked = [one for one in self._deciding(place, site) if self._is_of_others(place, one)]
        if not any(self._loads(place, one) for one in asked):
            return False
        effects, turns = self._effects, self._turns
        return (
            effects.polls(place, site) and not turns.is_shared(place, site, is_idle=True) and turns.is_open(place, site)
        )

    def _deciding(self, place: Place, site: Site) -> list[Expression]:
        """The calls of a loop that its end rests on, by what they return or are given, alike in each turn.

        What is given something that the loop sets itself, as the next place to look at, gets the loop on by itself.
        """
        tests = (site.receiver or ())[1:]
        done = [*(one for one in site.arguments if one[0] == "c"), *(one for t in tests for one in calls_in(t))]
        made = [one for one in place.routine.definitions if site.start <= one.start < site.end]
        own = {_plain(one.name) for one in made if not calls_in(one.value)}
        names, found = {name for one in tests for name in _names(one)}, list[Expression]()
        while more := [one for one in done if one not in found and _has_part(one, names, tests, made)]:
            found += more
            names |= {name for one in more for name in _names(one)}
        return [one for one in found if own.isdisjoint(_names(one))]

    def _is_of_others(self, place: Place, call: Expression) -> bool:
        return any(one.path != place.path for one in self._reached(place, call))

    def _loads(self, place: Place, call: Expression) -> bool:
        """Whether a call loads what other threads write, by itself or in what it calls."""
        if atomic(call) or call[1] in _LOADS:
            return True
        return any(map(self._is_load, self._reached(place, call)))

    def _is_load(self, routine: Place) -> bool:
        key = routine.path, routine.routine.start
        if key not in self._loading:
            source = self._read(routine.path)
            found = source and _PAST_CACHES.search(source.data, routine.routine.start, routine.routine.end)
            self._loading[key] = bool(found) or any(atomic(one) or one[1] in _LOADS for one in calls(routine))
        return self._loading[key]

    def _reached(self, place: Place, call: Expression) -> Iterator[Place]:
        """The functions that a call may reach, each once, nearest first: it calls them, or what it calls does."""
        seen, asked = set[int](), [(place, call)]
        for _ in range(_DEPTH):
            found = [one for at, made in asked for one in self._called(at, made) if id(one) not in seen]
            seen.update(map(id, found))
            yield from found
            asked = [(one, inner) for one in found for inner in calls(one)]

    def _called(self, place: Place, call: Expression) -> Iterable[Place]:
        callee, arguments, receiver = call[1:]
        return self._evaluator.called(place, Site("call", callee, arguments, receiver, (), 0, 0, 0)) if callee else ()


def _has_part(call: Expression, names: Set[str], tests: Iterable[Expression], made: Iterable[Definition]) -> bool:
    """Whether what a loop asks rests on a call: it is in it, or one of some variables is given to it or made by it."""
    if any(call in below(one) for one in tests) or not names.isdisjoint(_names(call)):
        return True
    return any(call in below(one.value) and _plain(one.name) in names for one in made)


def _names(what: Expression) -> set[str]:
    return {_plain(one[1]) for one in below(what) if one[0] == "v"}


def _plain(name: str) -> str:
    """A variable's name, whichever of that name it is."""
    return name.partition("#")[0]
