"""What other files must know of one file's warp-level code: constants for HIP, functions of each kind, names mentioned.

The result is a `LaneFacts`, or None for a file without such facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_values import WARP_NAME, Values
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.lane_facts import LaneFacts, LaneUnit
from cudamigrate.warp.decide import CLAIM, wave
from cudamigrate.warp.lane_code import NAMES, Lanes, facts, has_lane_words
from cudamigrate.warp.lane_reach import reaches_lanes
from cudamigrate.warp.library_waves import on_library_waves, sized

_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*(?:<[^;(){}]*>)?\s*\(")
"""A call, with template arguments too: `f(x)`, `f<32>(x)`; those have no bracket, or `a < b; g(` would be one."""
_ALIAS = re.compile(rb"\b(\w+)\s*[={]\s*(\w+)\s*[;,}]")
_PORTED = re.compile(rb"(?:[Ww]arp_?[Ss]ize|WARP_?SIZE)\w*\s*(?:=|\{|\(?\d)")
"""A warp's size that the project gives itself: `WARP_SIZE 64`, `warpSize = 64`, `kWarpSize{32}`, `WARP_SIZE(32`."""


def may_port(data: bytes) -> bool:
    """Whether a file that is not CUDA by itself may still say how many lanes a warp has for HIP."""
    return (b"HIP" in data or b"ROCM" in data) and _PORTED.search(data) is not None


def summary(parsed: ParsedFile) -> LaneFacts | None:
    """What other files must know of this file's warp-level code, or None where it has none."""
    made, waves, sizes = _summary(parsed), on_library_waves(parsed), tuple(sized(parsed))
    return replace(made or LaneFacts(), on_library_waves=waves, sized=sizes) if waves or sizes else made


def _summary(parsed: ParsedFile) -> LaneFacts | None:
    own = frozenset(function.name for function in parsed.functions) | NAMES
    launches = frozenset(use.name for use in parsed.uses if use.kind == "launch" and use.name) - own
    lanes = facts(parsed) if parsed.waves or has_lane_words(parsed) else None
    if lanes is not None and lanes.native:  # what a constant is holds for code written for HIP as well
        named = frozenset(unit.name for unit in lanes.units.values() if unit.name and (unit.calls or unit.sizes))
        return LaneFacts(
            launches=launches, on_waves=True, for_amd=named, fixed=_fixed(lanes), includes=_included(parsed)
        )
    if lanes is None or not (
        lanes.units or lanes.for_amd or lanes.values.wide or lanes.values.borrowed or _fixed(lanes)
    ):
        return LaneFacts(launches=launches) if launches else None
    calls: dict[bool, set[str]] = {True: set(), False: set()}
    for unit in lanes.units.values():
        inside = parsed.data[unit.span.start : unit.span.end]
        calls[unit.whole].update(match[1].decode() for match in _CALLED.finditer(inside))
    narrow = {unit.name for unit in lanes.units.values() if unit.name and unit.calls and not unit.whole} - NAMES
    whole = {unit.name for unit in lanes.units.values() if unit.name and unit.calls and unit.whole} - NAMES
    plans = [one for unit in lanes.units.values() if unit.whole and (one := unit.plan or unit.proof) is not None]
    return LaneFacts(
        ported=frozenset(name.decode() for name in lanes.values.ported | lanes.values.borrowed),
        fixed=_fixed(lanes),
        includes=_included(parsed),
        whole=frozenset(whole),
        narrow=frozenset(narrow),
        whole_calls=frozenset(calls[True] - own),
        narrow_calls=frozenset(calls[False] - own),
        aliases=frozenset(_aliases(parsed, lanes.values)),
        native=frozenset[str]().union(*(made.functions for made in plans)),
        launches=launches,
        units=tuple(_all_units(parsed, lanes, own)),
        for_amd=frozenset(name.decode() for name in lanes.for_amd),
        narrowed=tuple(_narrowed(parsed, lanes)),
        on_waves=bool(lanes.values.ported or lanes.values.borrowed)
        or any(one.whole and not (one.plan or one.proof) for one in lanes.units.values()),
        masks=frozenset(name.decode("latin-1") for name in lanes.values.wide),
        branched=frozenset(_branched(parsed)),
    )


def _branched(parsed: ParsedFile) -> Iterator[str]:
    """Functions with a branch for HIP and one for CUDA in them, which exchange lanes in the two."""
    starts = [one.start for one in parsed.branches if one.hip is not None]
    graph, names = CallGraph.of(parsed), frozenset(name.encode() for name in NAMES)
    for function in parsed.functions if starts else ():
        inside = any(function.body.start <= at < function.body.end for at in starts)
        if inside and function.name and not names.isdisjoint(graph.words(function.body)):
            yield function.name


def _included(parsed: ParsedFile) -> frozenset[str]:
    return frozenset(include.path for include in parsed.includes)


def _narrowed(parsed: ParsedFile, lanes: Lanes) -> Iterator[tuple[str, frozenset[str]]]:
    """The groups of fixes that write 32 for `warpSize`, and the names that these functions mention."""
    for unit in lanes.units.values():
        if unit.mixed and not unit.blocked:
            words = CallGraph.of(parsed).words(unit.span)
            yield unit.group, frozenset(word.decode("ascii", "replace") for word in words) - NAMES - {"warpSize"}


def _units(parsed: ParsedFile, lanes: Lanes, own: frozenset[str]) -> Iterator[LaneUnit]:
    for unit in lanes.units.values():
        if unit.name and reaches_lanes(lanes, unit):
            line = parsed.source.position(unit.span.start).line
            called = (
                frozenset(match[1].decode() for match in _CALLED.finditer(parsed.data, unit.span.start, unit.span.end))
                - own
            )
            yield LaneUnit(unit.name, line, unit.span.start, unit.span.end, *wave(unit), unit.borrowed, called)


def _all_units(parsed: ParsedFile, lanes: Lanes, own: frozenset[str]) -> Iterator[LaneUnit]:
    units = list(_units(parsed, lanes, own))
    yield from (*units, *_followers(parsed, lanes, {unit.start for unit in units}))


def _followers(parsed: ParsedFile, lanes: Lanes, known: Set[int]) -> Iterator[LaneUnit]:
    """Device functions that are no warp-level code by themselves, but count with a constant that is 64 for HIP."""
    graph = CallGraph.of(parsed)
    for function in parsed.functions if lanes.values.borrowed else ():
        start, end = function.span.start, function.span.end
        named = lanes.values.borrowed & graph.words(function.span)
        if function.scope == "device" and named and not any(start <= at < end for at in known):
            why = f"follows `{min(named).decode()}`, another number for HIP; {CLAIM}"
            yield LaneUnit(function.name, parsed.source.position(start).line, start, end, "open", why)


def _fixed(lanes: Lanes) -> frozenset[str]:
    """Constants named after the warp that the file gives 32."""
    named = [name for name in lanes.values.constants() if WARP_NAME.fullmatch(name)]
    return frozenset(name.decode() for name in named if lanes.values.spelled(name) == 32)


def _aliases(parsed: ParsedFile, values: Values) -> Iterator[tuple[str, str]]:
    """Variables that are given a warp constant which the file does not define itself."""
    own = values.constants()
    # Few files name a warp constant at all, and the pattern is tried at every word of the text.
    names = {name for name in parsed.lexed.spellings if name not in own and WARP_NAME.fullmatch(name)}
    for match in parsed.lexed.matches(_ALIAS) if names else ():
        if match[2] in names:
            yield match[1].decode(), match[2].decode()
