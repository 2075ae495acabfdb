"""Places that count 32 lanes: lane arithmetic, constants named after the warp, mixed uses of `warpSize`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cudamigrate.analysis import builtin_wave
from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_contexts import must_be_constant
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, Hit, Span, Use
from cudamigrate.warp import logical_warp_edits
from cudamigrate.warp.lane_code import Lanes, Unit, facts, has_lane_words
from cudamigrate.warp.lane_reach import reaches_lanes
from cudamigrate.warp.lane_remarks import remarks
from cudamigrate.warp.lane_words import LANE_WORDS
from cudamigrate.warp.tree_queries import identifiers
from cudamigrate.warp.vocabulary import NAMES
from cudamigrate.wording import count_of

WORDS = LANE_WORDS

_WAVE = frozenset((b"warpSize",))
_ACTIVE = b"coalesced_threads"
_EXCHANGES = frozenset(
    (b"shfl", b"shfl_down", b"shfl_up", b"shfl_xor", b"reduce", b"inclusive_scan", b"exclusive_scan")
)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane arithmetic, uses of `warpSize` that mean 32, and functions whose warp-level code stays unconverted."""
    if not has_lane_words(parsed):
        return
    lanes = facts(parsed)
    if lanes.native:
        return
    for unit in lanes.units.values():
        is_asked = bool(unit.calls or unit.blocked or (unit.mixed and unit.asks))
        why = logical_warp_edits.reason(lanes, unit) if is_asked else ""
        if why:
            place = unit.calls[0] if unit.calls else _hit(parsed, "", unit.asks[0]).use
            yield Hit("warp/unconverted-lanes", place, {"reason": why, "function": unit.name or place.name})
        followed = [edit.span for edit in logical_warp_edits.follows(unit)]
        yield from (_followed(parsed, edit) for edit in logical_warp_edits.follows(unit))
        if unit.counts and reaches_lanes(lanes, unit):
            for span in unit.counts:
                if not any(span.start <= one.start < span.end for one in followed):
                    yield _hit(parsed, "warp/hardcoded-size", span)
        if unit.mixed and lanes.counts_by_value(unit):
            yield from (_hit(parsed, "warp/mixed-size", span) for span in unit.sizes)
        elif unit.mixed and (unit.calls or unit.blocked or not why):
            yield from _unproved(parsed, unit, "group-size" if _is_for_groups(lanes, unit) else "unproved-size")
    yield from _natives(lanes)
    yield from (_hit(parsed, "warp/hardcoded-size", span) for span in _remarks(parsed, lanes))
    yield from _constants(parsed, lanes)
    yield from (_hit(parsed, "warp/stray-size", span) for span in lanes.strays)


def _is_for_groups(lanes: Lanes, unit: Unit) -> bool:
    """Whether a function without lane calls of its own has a group of all active lanes work for it.

    That group is as wide as the wave until somebody decides that it is not, and so is what the function counts by.
    """
    working = lanes.parsed.once(_on_active_groups)
    return bool(working) and not unit.calls and not working.isdisjoint(lanes.calls.reached({unit.name}))


def _on_active_groups(parsed: ParsedFile) -> frozenset[str]:
    """The functions in which the active lanes of a wave exchange values as a group."""
    calls = CallGraph.of(parsed)
    spans = ((one.name, calls.words(one.span)) for one in parsed.outer if one.name)
    return frozenset(name for name, words in spans if _ACTIVE in words and not _EXCHANGES.isdisjoint(words))


def _unproved(parsed: ParsedFile, unit: Unit, rule: str) -> Iterator[Hit]:
    """One word at a function's name for all its `warpSize`: none is wrong by itself, and all change together."""
    count, place = len(unit.sizes), _name(parsed, unit)
    words = {"function": unit.name or "this code", "places": count_of(count, "place")}
    for span in unit.sizes if place is None else [place]:
        hit = _hit(parsed, f"warp/{rule}", span)
        yield replace(hit, use=replace(hit.use, name="warpSize"), words=words)


def _name(parsed: ParsedFile, unit: Unit) -> Span | None:
    """Where a function's name is in its definition; None for a macro and for code outside of functions."""
    wanted, token = unit.name.encode(), parsed.lexed.token(unit.span.start)
    while wanted and token is not None and token.end < unit.span.end and parsed.lexed.text(token) != b"{":
        after = parsed.lexed.token(token.end)
        if parsed.lexed.text(token) == wanted and after is not None and parsed.lexed.text(after) == b"(":
            return Span(token.start, token.end)
        token = after
    return None


def _followed(parsed: ParsedFile, edit: Edit) -> Hit:
    """A place that is written for the full wavefront: a size of a warp, or a step in another form."""
    if _is_size(edit.replacement):
        return _hit(parsed, "warp/native-size", edit.span)
    form = " ".join(edit.replacement.partition(b"\n")[0].decode("utf-8", "replace").split())
    return replace(_hit(parsed, "warp/native-step", edit.span), words={"form": form})


def _is_size(made: bytes) -> bool:
    """Whether new text is a warp's size or a share by it, not a step: `warpSize`, `(warpSize / 2)`, `n / warpSize`."""
    words = made.strip(b"()").split()
    shared = words[-1:] == [b"warpSize"] and words[-2:-1] in ([], [b"/"]) and len(words) < 4
    return shared or (words[:1] == [b"warpSize"] and words[1:] in ([b"/", b"2"], [b"-", b"1"]))


def _natives(lanes: Lanes) -> Iterator[Hit]:
    """One word for each group of functions that could follow the wave, or could not though that is asked for."""
    wanted, reported = lanes.parsed.native, set[int]()
    every = Counter[int]()
    for unit in lanes.units.values():
        every[id(unit.plan)] += len(unit.calls)
    for unit in lanes.units.values():
        if unit.plan is None or id(unit.plan) in reported or not unit.calls or logical_warp_edits.reason(lanes, unit):
            continue
        reported.add(id(unit.plan))
        words = {"function": unit.name or unit.calls[0].name, "reason": unit.plan.refused, "cure": unit.plan.cure}
        calls = every[id(unit.plan)]
        words |= {"pays": unit.plan.pays, "calls": count_of(calls, "lane call")}
        if unit.plan.pays and not wanted:
            yield Hit("warp/native-pays", unit.calls[0], words)
        elif unit.plan.refused and wanted:
            yield Hit("warp/native-refused", unit.calls[0], words)


def _remarks(parsed: ParsedFile, lanes: Lanes) -> Iterator[Span]:
    """Assertions and masks that speak of 32 lanes and are reported nowhere else."""
    return (span for span in remarks(parsed) if not _is_known(lanes, span))


def _is_known(lanes: Lanes, span: Span) -> bool:
    """Whether a remark on 32 lanes is reported already, or is in code for any wave."""
    unit = lanes.unit(span.start)
    if unit is None:
        return False
    reported = [*unit.counts, *(call.extent for call in unit.calls)]
    for_any = (unit.whole or bool(unit.waves)) and not _refuses_others(lanes.parsed, span)
    return for_any or any(one.start <= span.start < one.end for one in reported)


def _refuses_others(parsed: ParsedFile, span: Span) -> bool:
    """Whether an assertion compares a warp's size with 32."""
    node = node_at(parsed, span.start, span.end)
    if node is None or text(node.child_by_field_name("operator")) != b"==":
        return False
    right = Values.of(parsed).constant(node.child_by_field_name("right"))
    left = node.child_by_field_name("left")
    return right == 32 and left is not None and any(NAMES.says_width(one) for one in identifiers(left))


def _constants(parsed: ParsedFile, lanes: Lanes) -> Iterator[Hit]:
    """Uses of `warpSize` that stay and that the compiler must know the value of."""
    for start in parsed.lexed.words(_WAVE):
        found = lanes.unit(start)
        if (found is not None and found.mixed) or not must_be_constant(parsed, start):
            continue
        if builtin_wave.meaning(parsed, start) != "own":
            span = builtin_wave.place(parsed, start)
            yield _hit(parsed, "warp/constant-size" if span in lanes.pinned else "warp/wave-constant", span)


def _hit(parsed: ParsedFile, rule: str, span: Span) -> Hit:
    scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
    name = "warpSize" if parsed.data[span.start : span.end].endswith(b"warpSize") else "32"
    return Hit(rule, Use("name", name, span, span, (), scope, certainty))
