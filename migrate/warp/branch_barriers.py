"""What barriers the answers to a condition come to: one answer alone, or each to its own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol

from cudamigrate.model.warp_graph import Site
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions
from cudamigrate.warp.transfer import Evaluator


class Waiting(Protocol):
    """Who knows which calls wait for the block."""

    evaluator: Evaluator

    def is_met(self, place: Place, site: Site) -> bool:
        """Whether a site is a barrier of the block or leads to one."""

    def is_barrier(self, place: Place, site: Site, given: None) -> bool:
        """Whether a site is a barrier itself."""


class BranchBarriers:
    """The barriers that the branches of conditions come to."""

    def __init__(self, waits: Waiting) -> None:
        self._waits, self._questions = waits, Questions()
        self._sites: dict[int, dict[int, list[Site]]] = {}
        self._met: dict[int, list[int]] = {}

    def meet_apart(self, place: Place, guard: int) -> bool:
        """Whether more than one answer to a condition may come to a barrier of its own: a wave in both comes to each.

        Where one answer alone does, threads that answer otherwise are not waited for on either vendor's GPUs once they
        have ended; if they have not, a program ends on NVIDIA's only where there are none. That rests on CUDA's rule
        that a barrier waits for all threads of the block that have not ended.
        """
        asked = place.routine.conditions[guard]
        if not asked.regions or asked.rejoined:
            return True
        met = self._met_in(place)
        within = (any(bisect_left(met, start) < bisect_left(met, end) for start, end in one) for one in asked.regions)
        return sum(within) > 1

    def _met_in(self, place: Place) -> list[int]:
        """Where the barriers of a routine are, in order: looked for once for all of its conditions."""
        known = self._met.get(id(place))
        if known is None:
            known = sorted(one.start for one in place.routine.sites if self._waits.is_met(place, one))
            self._met[id(place)] = known
        return known

    def have_as_many(self, place: Place, guard: int) -> bool:
        """Whether both branches of a condition are seen to have the same number of barriers."""
        other = place.routine.conditions[guard].other
        waiting = [site for site in self._under(place, guard) if self._waits.is_met(place, site)] if other else []
        if len({site.guards for site in waiting}) != 1:
            return False
        found = {False: 0, True: 0}
        for site in waiting:
            number = self._barriers(place, site)
            if number is None:
                return False
            found[site.start >= other] += number
        return found[True] == found[False]

    def _under(self, place: Place, guard: int) -> Sequence[Site]:
        """The sites of a routine under a condition; a routine is gone through once for all of its conditions."""
        known = self._sites.get(id(place))
        if known is None:
            known = self._sites[id(place)] = {}
            for site in place.routine.sites:
                for one in set(site.guards):
                    known.setdefault(one, []).append(site)
        return known.get(guard, ())

    def _barriers(self, place: Place, site: Site) -> int | None:
        """How many barriers a site comes to; None where that depends on a condition, or is not seen."""
        if self._waits.is_barrier(place, site, None):
            return 1
        found = {self._barriers_of(one) for one in self._waits.evaluator.called(place, site)}
        return found.pop() if len(found) == 1 else None

    def _barriers_of(self, place: Place) -> int | None:
        return self._questions.ask((id(place), "barriers"), None, lambda: self._sum(place))

    def _sum(self, place: Place) -> int | None:
        sites = [one for one in place.routine.sites if self._waits.is_met(place, one)]
        numbers = [None if one.guards else self._barriers(place, one) for one in sites]
        known = [one for one in numbers if one is not None]
        return sum(known) if len(known) == len(numbers) else None
