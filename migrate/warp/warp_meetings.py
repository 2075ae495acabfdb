"""Calls at which lanes of a warp meet: functions across lanes, `sync` of a tile, and what leads to one; for whom.

`__activemask()` and `coalesced_threads()` name the lanes that are there: those of a branch where they are in it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.branch_regions import Spans
from cudamigrate.warp.lane_answers import tile
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cudamigrate.warp.function_pointers import FunctionPointers
    from cudamigrate.warp.transfer import Evaluator

_SYNCWARP, _ACROSS, _SYNC = "__syncwarp", "_sync", "sync"
_ALL, _WARP = 0xFFFFFFFF, 32
_ACTIVE = ("__activemask", "coalesced_threads")
_PARTITIONS = frozenset(("coalesced_group", "labeled_partition", "binary_partition", "coalesced_threads"))


class Meeting(NamedTuple):
    """A function of CUDA's across lanes, and the lanes that it is for, -1 where that is not seen.

    `size` is how many lanes in a row meet each other.
    """

    name: str
    lanes: int
    size: int = _WARP

    @property
    def exchanges(self) -> bool:
        """Whether it gives values of other lanes."""
        return self.name != _SYNCWARP

    @property
    def is_for_all(self) -> bool:
        """Whether it is for all lanes of a warp."""
        return self.lanes == _ALL and self.size == _WARP

    def needs_others(self, lanes: tuple[bool, ...] | None) -> bool:
        """Whether it is for lanes beside some of its group; not seen is taken for yes."""
        if lanes is None:
            return True
        for start in range(0, len(lanes), self.size):
            asked = [bool(self.lanes >> (start + at) % _WARP & 1) for at in range(self.size)]
            there = lanes[start : start + self.size]
            if any(there) and any(one and not other for one, other in zip(asked, there, strict=False)):
                return True
        return False


class WarpMeetings:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, pointers: FunctionPointers) -> None:
        self.evaluator, self.pointers = evaluator, pointers
        self._questions = Questions()
        self._sites: dict[int, list[Site]] = {}

    def sites(self, place: Place) -> list[Site]:
        """The calls of a routine that are or may lead to such a meeting."""
        if id(place) not in self._sites:
            found = [one for one in place.routine.sites if one.kind == "call" and self._may_meet(place, one)]
            self._sites[id(place)] = found
        return self._sites[id(place)]

    def is_sync(self, place: Place, site: Site) -> bool:
        """Whether a call does nothing but wait for lanes of the warp."""
        if site.callee == _SYNCWARP:
            return site.receiver is None and not self.evaluator.by_name.get(_SYNCWARP)
        return self._tile(place, site) is not None

    def pointed(self, place: Place, site: Site) -> list[Place]:
        """The routines with meetings that a call through a pointer or of an object may reach."""
        if _crosses(site.callee) or self.is_sync(place, site) or self.evaluator.called(place, site):
            return []
        return [one for one in self.pointers.reached(place, site) if one.routine.name in self._names]

    def of_site(self, place: Place, site: Site, spans: Spans = ()) -> frozenset[Meeting]:
        """The meetings that a call is or leads to, in a part of a routine."""
        if (group := self._tile(place, site)) is not None:
            return frozenset((self._of_group(place, group, spans),))
        if _crosses(site.callee) and site.receiver is None and not self.evaluator.by_name.get(site.callee):
            return frozenset((Meeting(site.callee, self._lanes(place, site, spans)),))
        found = self.evaluator.called(place, site) or self.pointed(place, site)
        return frozenset[Meeting]().union(*map(self.of_routine, found))

    def of_routine(self, place: Place) -> frozenset[Meeting]:
        """The meetings in a routine, and in what it calls."""
        first, spans = frozenset[Meeting](), ((place.routine.start, place.routine.end),)
        return self._questions.ask(
            id(place), first, lambda: first.union(*(self.of_site(place, one, spans) for one in self.sites(place)))
        )

    def _may_meet(self, place: Place, site: Site) -> bool:
        if _crosses(site.callee) or site.callee in self._names:
            return True
        if site.callee == _SYNC:
            return self._tile(place, site) is not None
        seen = self._names and self.pointers.taken & self._names and self.pointers.may_be(place, site)
        return bool(seen and self.pointed(place, site))

    def _tile(self, place: Place, site: Site) -> Expression | None:
        """The tile or group of lanes of a warp that `g.sync()` or `sync(g)` is for."""
        if site.callee != _SYNC:
            return None
        group = (*(() if site.receiver is None else (site.receiver,)), *site.arguments)
        found = self.evaluator.classes.of(place, group[0]) if len(group) == 1 else ()
        return group[0] if any(sources.groups().get(one) == "tile" for one in found) else None

    def _of_group(self, place: Place, group: Expression, spans: Spans) -> Meeting:
        """What `sync` of a group waits for: all lanes of a tile, and of those that were there where it was made."""
        classes = self.evaluator.classes.of(place, group)
        if not classes & _PARTITIONS:
            size = tile(place, group[1]) if group[0] == "v" else 0
            return Meeting(_SYNCWARP, _ALL, size if 0 < size < _WARP else _WARP)
        return Meeting(_SYNCWARP, self._active(place, group, spans))

    def _active(self, place: Place, what: Expression, spans: Spans) -> int:
        """The lanes of a mask or group that is made of those there: all, or those of a part where it is made in it."""
        if what[0] != "v":
            return -1
        known = self.evaluator.definitions(place).get(what[1], ())
        made = [place.routine.definitions[at] for at in known]
        if len(made) != 1 or made[0].value[0] != "c" or made[0].value[1] not in _ACTIVE:
            return -1
        return -1 if any(start <= made[0].start < end for start, end in spans) else _ALL

    def _lanes(self, place: Place, site: Site, spans: Spans) -> int:
        if not site.arguments:
            return _ALL if site.callee == _SYNCWARP else -1
        value = self.evaluator.value(place, site.arguments[0]).value
        return self._active(place, site.arguments[0], spans) if value is None else value & _ALL

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of routines with such a meeting, or that call what may have one."""
        callers: dict[str, set[str]] = {}
        found, waiting = set[str](), list[str]()
        for place in self.evaluator.places:
            name = place.routine.name
            for site in place.routine.sites:
                callers.setdefault(site.callee, set()).add(name)
                waiting += [name] if _crosses(site.callee) or self._tile(place, site) is not None else []
        while waiting:
            name = waiting.pop()
            if name and name not in found:
                found.add(name)
                waiting += callers.get(name, ())
        return frozenset(found)


def _crosses(callee: str) -> bool:
    return callee == _SYNCWARP or (callee.startswith("__") and callee.endswith(_ACROSS))


def masks(place: Place) -> Iterator[Expression]:
    """The masks of a routine's operations."""
    return (one.arguments[0] for one in place.routine.sites if _crosses(one.callee) and one.arguments)
