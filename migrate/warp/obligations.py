"""What must hold on a wave of 64 lanes as on a warp of 32, and where it fails: with the chain of facts.

A barrier of the block is met by full wavefronts: no condition around it, in any function that leads to it, may part
one. A loop that only waits must not wait for lanes of its own wave, nor must a function that calls itself to wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Set
from functools import cached_property
from typing import NamedTuple

from cudamigrate.model import Hit, Span, Step, Use
from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp import ending_branches, sources
from cudamigrate.warp.branch_barriers import BranchBarriers
from cudamigrate.warp.divided_warps import DividedWarps
from cudamigrate.warp.expressions import is_number
from cudamigrate.warp.facts import SAME, WARP
from cudamigrate.warp.function_objects import CALL
from cudamigrate.warp.function_pointers import FunctionPointers
from cudamigrate.warp.lane_answers import LaneAnswers
from cudamigrate.warp.memory_effects import MemoryEffects, leaves_memory
from cudamigrate.warp.object_classes import Given
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions
from cudamigrate.warp.shown_calls import shown_call
from cudamigrate.warp.template_constants import NOTHING, Constants, TemplateConstants, off
from cudamigrate.warp.transfer import Evaluator
from cudamigrate.warp.waiting_names import names_that_may_wait
from cudamigrate.warp.waiting_turns import Alone, WaitingTurns
from cudamigrate.warp.warp_meetings import masks

Expressions = tuple[Expression, ...]
_FOR_THE_BLOCK = frozenset(("barrier", "call", "indirect", "object"))
_IN_LOOPS = frozenset(("spin", "leads"))


class Failure(NamedTuple):
    """An obligation that does not hold: at a site of a routine, under a condition, for these reasons.

    `sure` says that all was seen which the condition comes from, `both` that its two branches have as many barriers.
    """

    kind: str
    place: Place
    site: Site
    condition: str
    steps: tuple[Step, ...]
    sure: bool = True
    both: bool = False


def failures(evaluator: Evaluator, alone: Alone | None = None) -> Iterator[Failure]:
    """Barriers and waiting loops, and calls that lead to one, under conditions that part a wave; one for each.

    `alone` tells where one lane of a wave is by itself: without it nothing is said of loops that wait for a turn.
    """
    waits = _Waits(evaluator)
    branches = BranchBarriers(waits)
    every = [
        (place, site, kind)
        for place in (evaluator.places if _any_waits(evaluator) else ())
        for site in place.routine.sites
        for kind in waits.kinds_in(place, site)
    ]
    waiting = [(place, site, kind) for place, site, kind in every if site.guards or kind == "indirect"]
    guards = dict.fromkeys((place, guard) for place, site, _ in waiting for guard in site.guards)
    called = [(place, waits.pointers.chosen(place, site)) for place, site, kind in waiting if kind == "indirect"]
    divided = DividedWarps(evaluator, waits.pointers)
    parted, chosen = divided.conditions, [(one[0], one[2]) for one in divided.chosen]
    masked = [(at, one) for at in evaluator.places for one in masks(at)] if parted or chosen else []
    evaluator.solve(guards | dict.fromkeys(parted), [*called, *masked, *chosen])
    reported: set[tuple[int, str, tuple[int, ...]]] = set()
    for place, site, kind in waiting:
        failed = _parted(
            branches, waits, place, site, kind, () if kind in _IN_LOOPS else waits.left_for_good(place, site)
        )
        if failed is None or (id(place), failed.kind, site.guards) in reported:
            continue
        reported.add((id(place), failed.kind, site.guards))
        yield failed
    for place, met, said, fact, sure in divided.found():
        last = Step(place.path, met.line, f"`{met.callee}()` is for lanes that run another part")
        yield Failure("divided", place, met, said, (*fact.steps, last), sure)
    if alone is not None:
        turns = WaitingTurns(evaluator, waits.effects, alone)
        idle = frozenset((id(place), site) for place, site, kind in every if kind == "spin")
        done = frozenset((at, guards) for at, kind, guards in reported if kind == "spin")
        yield from _turns(evaluator, turns, idle, done)


def _any_waits(evaluator: Evaluator) -> bool:
    """Whether any routine has a barrier, a loop that waits, or a call that is known to wait: else none leads to one."""
    known = {"sync", *sources.barriers(), *sources.waits(), *sources.waiting_members()}
    return any(one.kind != "call" or one.callee in known for at in evaluator.places for one in at.routine.sites)


def _turns(
    evaluator: Evaluator,
    turns: WaitingTurns,
    idle: frozenset[tuple[int, Site]],
    done: frozenset[tuple[int, tuple[int, ...]]],
) -> Iterator[Failure]:
    """Loops in which lanes of a wave wait for their turn: those that change nothing, `idle`, and others; none twice."""
    for place, site in [(at, one) for at in evaluator.places for one in at.routine.sites]:
        is_idle = (id(place), site) in idle
        seen = (site.kind == "call" and not is_idle) or (id(place), site.guards) in done
        if not seen and turns.is_shared(place, site, is_idle):
            yield _turn(place, site)


_VERBS = {
    "spin": "waits in a loop",
    "leads": "leads to a loop that waits",
    "barrier": "waits for the block",
    "object": "calls a function object whose class is not seen, and one of the project waits for the block",
}


def _parted(
    branches: BranchBarriers, waits: _Waits, place: Place, site: Site, kind: str, passed: Collection[int]
) -> Failure | None:
    """The failure of one site, by the condition that parts most of a wave; those that are `passed` part none."""
    evaluator = waits.evaluator
    facts = [(evaluator.condition(place, guard), guard) for guard in site.guards if guard not in passed]
    if kind == "indirect":
        facts.append((evaluator.value(place, waits.pointers.chosen(place, site)), -1))
    spins = kind in _IN_LOOPS
    if spins:  # single lanes may wait for other blocks, as in CUDA
        facts = [one for one in facts if one[0].level == WARP and waits.divides(place, site, one[1])]
    if evaluator.is_of_one_warp(place) or (spins and waits.is_called_by_one_warp(place)):
        facts = [one for one in facts if one[0].level != WARP]
    worst, guard = max(facts, key=lambda one: (one[0].level >= WARP, one[0].sure, one[0].level), default=(SAME, -1))
    if worst.level < WARP:
        return None
    condition = place.routine.conditions[guard].text if guard >= 0 else ""
    verb = _VERBS.get(kind, "leads to a barrier of the block")
    last = Step(place.path, site.line, f"`{site.callee}()` {verb}" if site.callee else f"the code here {verb}")
    steps = (*worst.steps, last)
    if spins:
        return Failure("spin", place, site, condition, steps, worst.sure)
    if not worst.sure and guard >= 0 and not branches.meet_apart(place, guard):
        return Failure("asked", place, site, condition, steps, sure=False)
    both = guard >= 0 and branches.have_as_many(place, guard)
    return Failure("barrier", place, site, condition, steps, worst.sure, both)


def _turn(place: Place, site: Site) -> Failure:
    asked = (site.receiver or ())[1:]
    found = (one.text for one in place.routine.conditions if one.test in asked)
    last = Step(place.path, site.line, "the code here waits for its turn")
    return Failure("turn", place, site, next(found, ""), (last,))


RULES = {
    "barrier": "launch/barrier-in-branch",
    "asked": "launch/conditional-barrier",
    "spin": "warp/waits-for-own-wave",
    "turn": "warp/waits-for-turn",
    "divided": "warp/meets-in-branches",
}
"""The rules of what fails, by kind."""


def hit(failure: Failure, text: bytes) -> Hit:
    """What a detector returns for a failure; `text` is that of its site."""
    site = failure.site
    name = " ".join(text.decode("latin-1").split())
    called = site.start + max(1, len(text.partition(b"(")[0].rstrip()))
    end = site.end if failure.kind in ("barrier", "asked") else called
    span = Span(site.start, end)
    use = Use("name", name, span, span, (), "device", "syntax")
    asked = failure.condition or (name if failure.kind == "turn" else "")  # a loop is shown as a whole
    words = {
        "name": name,
        "call": shown_call(name),
        "condition": f"`{asked}`" if asked else _CHOICE,
        "under": f"is under `{failure.condition}`" if failure.condition else _CHOSEN,
        "cure": _OUT if failure.condition else _ALIKE,
        "differs": "is not the same for all threads" if failure.sure else "may not be the same for all threads",
        "divides": "divides" if failure.sure else "may divide",
        "why": _COUNTED + _TWICE if failure.both else _COUNTED,
        "there": _ABSENT if failure.sure else _JOINED,
    }
    return Hit(RULES[failure.kind], use, words, failure.steps)


_CHOICE = "the choice of the function that is called"
_CHOSEN = "calls a function that a value chooses"
_OUT, _ALIKE = "Move it out of the branch", "Let all threads of the block call the same function"
_ABSENT = "A wave runs one part after the other: those lanes are not there"
_JOINED = "Nothing makes a wave wait for them: whether they are there is the compiler's choice, as it joins the jumps"
_COUNTED = "AMD counts waves at a barrier"
_TWICE = ", and a wave with threads in both branches comes to one in each"


class _Waits:
    """Which calls wait for the block or in a loop, by themselves or by what they call."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._questions = Questions()
        self._kinds: dict[tuple[int, int], tuple[str, ...]] = {}
        self.effects = MemoryEffects(evaluator)
        self.pointers, self.answers = FunctionPointers(evaluator), LaneAnswers(evaluator)
        self.constants = TemplateConstants(evaluator, self.pointers)

    @cached_property
    def _waiting(self) -> Set[str]:
        return names_that_may_wait(self.evaluator, self.pointers)

    @cached_property
    def _objects_wait(self) -> bool:
        return not self.evaluator.objects.names.isdisjoint(self._waiting)

    def kinds_in(self, place: Place, site: Site) -> Iterator[str]:
        """What a site is for any of the constants that the routine is given as a template; nothing where it is dead."""
        alive = (one for one in self.constants.every(place) if not self.constants.is_dead(place, site, one))
        every = (self.kinds(place, site, None, one) if one else self._plain_kinds(place, site) for one in alive)
        yield from dict.fromkeys(kind for kinds in every for kind in kinds)

    def _plain_kinds(self, place: Place, site: Site) -> tuple[str, ...]:
        """What a site is where nothing is known of what its routine is called with; asked for by many conditions.

        Kept is what no question in the middle of being answered has a part in.
        """
        key = id(place), id(site)
        known = self._kinds.get(key)
        if known is None:
            known = tuple(self.kinds(place, site))
            if not self._questions.is_asked:
                self._kinds[key] = known
        return known

    def kinds(self, place: Place, site: Site, given: Given = None, constants: Constants = NOTHING) -> Iterator[str]:
        """What a site is: `barrier`, `call` for one that leads to a barrier, `indirect`; `spin`, `leads` to a loop."""
        if site.kind != "call":
            yield from () if self.effects.changes_asked(place, site) else ("spin",)
        elif self.is_barrier(place, site, given):
            yield "barrier"
        elif self._is_objects(place, site, given):
            yield "leads"
        elif site.callee in self._waiting or self._may_be_object(place, site) or self.pointers.may_be(place, site):
            found = self.evaluator.called(place, site, given)
            pointed = () if found else self.pointers.reached(place, site, given)
            yield from ("indirect",) if any(map(self.waits, pointed)) else ()
            yield from ("leads",) if any(self.waits(one, how=_IN_LOOPS) for one in pointed) else ()
            yield from ("leads",) if not found and site.callee in sources.waits() else ()
            handed = self.evaluator.classes.of_arguments(place, site, given) if found else ()
            ways = [(one, off(one, site), self.constants.given(place, site, one, constants)) for one in found]
            yield from ("call",) if any(self.waits(one, handed, _FOR_THE_BLOCK, *way) for one, *way in ways) else ()
            objects = self.evaluator.objects
            chosen = site.receiver is not None and not objects.is_itself(place, site.receiver)
            chosen = chosen and objects.may_be_virtual(found)
            yield from ("indirect",) if chosen and any(self.waits(one, handed) for one in found) else ()
            yield from ("leads",) if any(self.waits(one, handed, _IN_LOOPS, *way) for one, *way in ways) else ()
            unseen = self.evaluator.objects.unseen(place, site, given)
            yield from ("object",) if any(self.waits(one, handed) for one in unseen) else ()

    def _is_objects(self, place: Place, site: Site, given: Given) -> bool:
        """Whether a call is of a member by which a library's object waits."""
        if site.receiver is None or site.callee not in sources.waiting_members():
            return False
        found = self.evaluator.classes.of(place, site.receiver, given) - self.evaluator.classes.known
        return any(site.callee in sources.waiting().get(one, ()) for one in found)

    def _may_be_object(self, place: Place, site: Site) -> bool:
        return self._objects_wait and self.evaluator.objects.object(place, site) is not None

    def is_met(self, place: Place, site: Site) -> bool:
        """Whether a site is a barrier of the block or leads to one."""
        return not _FOR_THE_BLOCK.isdisjoint(self._plain_kinds(place, site))

    def divides(self, place: Place, site: Site, guard: int) -> bool:
        """Whether a condition parts lanes of a wave into some that wait and others that may end it.

        Where the other conditions let one warp of a wave in, all that are there answer it alike.
        """
        others = [one for one in site.guards if one != guard]
        return not self._is_one_of_wave(place, others) and not self.is_ended_elsewhere(place, site, guard)

    def is_ended_elsewhere(self, place: Place, site: Site, guard: int) -> bool:
        """Whether nothing that the other lanes of a wave have to do in a kernel can end a wait under a condition.

        What they wrote before a barrier is written, and they neither write nor call anything after it. At the next
        barrier they wait for who waits here.
        """
        routine = place.routine
        condition = routine.conditions[guard]
        lone = routine.kernel and condition.is_lone and not routine.taken
        if not lone or any(one.start < condition.start and site.start < one.end for one in routine.loops):
            return False
        branches = {at for at, one in enumerate(routine.conditions) if one.is_lone or one.other}
        barriers = (one for one in routine.sites if one.callee in sources.barriers() and one.receiver is None)
        common = [one for one in barriers if branches.isdisjoint(one.guards)]  # all threads come by them
        passed = [one for one in common if one.start < site.start]
        ahead = min((one.start for one in common if one.start > site.end and not one.guards), default=routine.end)
        made = Counter(one.name for one in routine.definitions)
        local = routine.types.keys() - routine.shared - routine.aliases - routine.references
        numbers = {name for name in routine.held if is_number(routine.types.get(name, ""))}
        private = numbers | {name for name in local if made[name] == 1}  # a pointer's or an object's first value
        stores = [one for one in routine.definitions if not {one.name, one.name.partition("#")[0]} & private]
        calls = [one for one in routine.sites if one.kind == "call" and not leaves_memory(one)]
        changes: list[Definition | Site] = [*stores, *calls]
        writes = [(one.start, one.guards) for one in changes if one.start < ahead]
        return all(
            any(start < barrier.start and set(barrier.guards) <= set(guards) for barrier in passed)
            for start, guards in writes
            if guard not in guards and not self.answers.is_within(place, guards, guard)
        )

    def is_called_by_one_warp(self, place: Place) -> bool:
        """Whether of each wave at most one warp comes to a routine: there is none that a condition could part it from.

        What the other warp of the wave does meanwhile is a question for the call.
        """
        if place.routine.kernel or place.around is not None:
            return False
        is_object = place.routine.name == CALL
        calls = self.evaluator.objects.calls_of(place) if is_object else self.evaluator.calls_of(place) or ()
        return bool(calls) and all(self._is_one_of_wave(caller, site.guards) for caller, site in calls)

    def _is_one_of_wave(self, place: Place, guards: Collection[int]) -> bool:
        return self.evaluator.has_rows_of_waves(place) and self.answers.is_one_of_wave(place, guards)

    def left_for_good(self, place: Place, site: Site) -> frozenset[int]:
        """The conditions of a loop or a branch around a site whose end is that of the kernel: no barrier is met behind.

        Lanes outside have ended, and a barrier waits for no thread that has, on either vendor's GPUs. The others
        of their wave go on with every barrier of the loop.
        """
        routine = place.routine
        if place.around is not None or not (routine.kernel or self.evaluator.is_launched(place)):
            return frozenset()
        first: frozenset[int] = frozenset()
        last = self._questions.ask((id(place), "last"), first, lambda: ending_branches.last(routine))
        last = frozenset() if ending_branches.asks_for_more(site) else last
        around = next((one for one in routine.loops if one.start <= site.start < one.end), None)
        if around is None or any(self.is_met(place, one) for one in routine.sites if one.start >= around.end):
            return last
        return last | frozenset(around.ends)

    def waits(
        self,
        place: Place,
        given: Given = None,
        how: frozenset[str] = _FOR_THE_BLOCK,
        false: frozenset[Expression] = frozenset(),
        constants: Constants = NOTHING,
    ) -> bool:
        """Whether a routine comes to a barrier, or a loop, when it is called with objects of some classes.

        The parameters `false` are so in the call, and a template is given `constants`.
        """

        def work() -> bool:
            conditions = place.routine.conditions
            never = {number for number, one in enumerate(conditions) if one.is_lone and one.test in false}
            sites = (one for one in place.routine.sites if never.isdisjoint(one.guards))
            left = (one for one in sites if not self.constants.is_dead(place, one, constants))
            return any(not how.isdisjoint(self.kinds(place, one, given, constants)) for one in left)

        return self._questions.ask((id(place), given, how, false, constants), first=False, work=work)

    def is_barrier(self, place: Place, site: Site, given: Given) -> bool:
        if site.callee != "sync":
            return site.receiver is None and site.callee in sources.barriers()
        group = (*(() if site.receiver is None else (site.receiver,)), *site.arguments)  # `g.sync()`, `sync(g)`
        found = self.evaluator.classes.of(place, group[0], given) if len(group) == 1 else ()
        return any(sources.groups().get(one) == "block" for one in found)
