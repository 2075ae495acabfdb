"""Routines that wait for the block or in a loop, or call by any name what may: by name, before a closer look."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cudamigrate.warp import sources
from cudamigrate.warp.function_objects import CALL
from cudamigrate.warp.function_pointers import FunctionPointers
from cudamigrate.warp.transfer import Evaluator


def names_that_may_wait(evaluator: Evaluator, pointers: FunctionPointers) -> frozenset[str]:
    """The names of routines that wait or call, by any name, what may: all others need no closer look."""
    callers: dict[str, set[str]] = {}
    of_any, waiting = set[str](), list[str]()
    known_to_wait = {"", "sync", *sources.barriers(), *sources.waits(), *sources.waiting_members()}
    for owner, ends in evaluator.classes.ending.items():
        for one in ends:
            callers.setdefault(one.routine.name, set()).add(owner)
    for place in evaluator.places:
        for site in place.routine.sites:
            for handed in (one for one in site.arguments if one[0] == "v"):
                callers.setdefault(handed[1], set()).add(site.callee)
            if site.kind != "call" or site.callee in known_to_wait:
                waiting.append(place.routine.name)
            callers.setdefault(site.callee, set()).add(place.routine.name)
            if not (pointers.is_defined(site) and pointers.is_named(place, site)):
                of_any.add(place.routine.name)  # it may reach each of those whose address something has
    return _reached(waiting, callers, of_any, {*pointers.taken, CALL, ""}) | sources.waits()


def _reached(
    waiting: list[str], callers: Mapping[str, set[str]], of_any: Collection[str], pointed: Collection[str]
) -> frozenset[str]:
    """Some names and those of all that call them; those `of_any` may call each that is `pointed` to."""
    found = set[str]()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting += callers.get(name, ())
        if name in pointed:
            waiting += of_any
            of_any = ()
    return frozenset(found)
