"""Memory that blocks hand to each other by a counter or a lock, where no fence orders it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.fences import has_fence
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.model.warp_graph import Site
from cudamigrate.warp.counted_arrivals import arrivals
from cudamigrate.warp.guarded_memory import GuardedMemory
from cudamigrate.warp.last_block_tickets import tickets
from cudamigrate.warp.places import Place
from cudamigrate.warp.shared_accesses import Access, Accesses
from cudamigrate.warp.transfer import evaluator_of

WORDS = (b"atomic",)

_ORDERED = re.compile(rb"\bvolatile\b|\bmemory_order|\b__hip_atomic_")
"""What reads and writes past caches, or with an order of its own."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first of each kind in a function: an arrival that is counted, and a lock."""
    evaluator = evaluator_of(parsed)
    guarded = GuardedMemory(evaluator)
    for place in evaluator.places:
        routine = place.routine
        if routine.is_macro or not routine.end or parsed.hip(routine.start) is not None:
            continue
        if _ORDERED.search(parsed.data, routine.start, routine.end) is None:
            accesses = Accesses.of(parsed, place)
            yield from _arrival(parsed, place, accesses)
            yield from _lock(parsed, guarded, place, accesses)


def _arrival(parsed: ParsedFile, place: Place, accesses: Accesses) -> Iterator[Hit]:
    for one in arrivals(place, accesses):
        if not has_fence(parsed, Span(one.site.start, one.read.start)):
            stored = one.stored.start if one.stored.start < one.site.start else place.routine.start  # a turn before
            is_fenced = has_fence(parsed, Span(stored, one.site.start))
            if is_fenced and one.site.start in parsed.once(_tickets):
                return  # the rule for the last block says it
            where = "behind it, before the reads" if is_fenced else "before it and behind it"
            yield _hit(parsed, "memory/unfenced-arrival", one.site, one.read, where)
            return


def _lock(parsed: ParsedFile, guarded: GuardedMemory, place: Place, accesses: Accesses) -> Iterator[Hit]:
    for one in guarded.of(place, accesses):
        if not has_fence(parsed, Span(one.taken.start, one.read.start)):
            is_fenced = has_fence(parsed, Span(one.read.start, one.released.end))
            where = "after taking it" if is_fenced else "after taking it and before the release"
            yield _hit(parsed, "memory/unfenced-lock", one.taken, one.changed, where)
            return
        if not has_fence(parsed, Span(one.changed.start, one.released.end)):
            yield _hit(parsed, "memory/unfenced-lock", one.taken, one.changed, "before the release")
            return


def _hit(parsed: ParsedFile, rule: str, site: Site, data: Access, where: str) -> Hit:
    use = parsed.named_use(site.callee, Span(site.start, site.end))
    return Hit(rule, use, {"name": site.callee, "data": data.key.lstrip("."), "where": where})


def _tickets(parsed: ParsedFile) -> frozenset[int]:
    """Where the last block draws its ticket behind a fence."""
    return frozenset(one.start for one in tickets(parsed))
