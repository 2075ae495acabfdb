"""Places that count 32 lanes: lane arithmetic, constants named after the warp, mixed uses of `warpSize`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate import logical_warps, trees
from migrate.counts import remarks
from migrate.lanes import Lanes, Unit, facts, has_lane_words
from migrate.model import Hit, Span, Use
from migrate.parsed import ParsedFile
from migrate.variables import text

_WAVE = re.compile(rb"(?<![\w.>])warpSize\b")
_LANE_WORD = re.compile(rb"[Ll]ane|LANE|[Ww]arp|WARP")
_WORKS = re.compile(
    rb"\.\s*(?:shfl|ballot|any|all|match)\w*\s*\(|\btiled_partition\b|\bthread_block_tile\b|\bldmatrix|\bldsm|\bw?mma\w*\b"
    rb"|\b(?:Warp|Block)(?:Reverse)?(?:Scan|Reduce|Exchange)T?\b"
)
_LANE_PTX = re.compile(
    rb"\b(?:mma\.sync|ldmatrix\.sync|shfl\.sync|redux\.sync|vote\.sync|elect\.sync|bar\.warp|barrier\.cta)"
)
_NEAR = 200
_CONSTANT_PLACES = ("array_declarator", "template_argument_list", "static_assert_declaration")
_RUNNING_PLACES = ("call_expression", "subscript_expression", "compound_statement", "parameter_list")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane arithmetic, uses of `warpSize` that mean 32, and functions whose lane code stays unconverted."""
    if not has_lane_words(parsed):
        return
    lanes = facts(parsed)
    if lanes.native:
        return
    for unit in lanes.units.values():
        why = logical_warps.reason(lanes, unit) if unit.calls or unit.blocked else ""
        if why:
            place = unit.calls[0] if unit.calls else _hit(parsed, "", unit.asks[0]).use
            yield Hit("warp/unconverted-lanes", place, {"reason": why, "function": unit.name or place.name})
        followed = [edit.span for edit in logical_warps.follows(unit)]
        yield from (_hit(parsed, "warp/native-size", span) for span in followed)
        if unit.counts and _reaches_lanes(lanes, unit):
            for span in unit.counts:
                if not any(span.start <= one.start < span.end for one in followed):
                    yield _hit(parsed, "warp/hardcoded-size", span)
        if unit.mixed:
            for span in unit.sizes:
                yield _hit(parsed, "warp/mixed-size", span)
    yield from _natives(lanes)
    yield from (_hit(parsed, "warp/hardcoded-size", span) for span in _remarks(parsed, lanes))
    yield from _constants(parsed, lanes)


def _natives(lanes: Lanes) -> Iterator[Hit]:
    """One word for each group of functions that could follow the wave, or could not though that is asked for."""
    asked, told = lanes.parsed.facts.get("wave") == "native", set[int]()
    for unit in lanes.units.values():
        if unit.plan is None or id(unit.plan) in told or not unit.calls or logical_warps.reason(lanes, unit):
            continue
        told.add(id(unit.plan))
        words = {"function": unit.name or unit.calls[0].name, "reason": unit.plan.refused}
        if not unit.plan.refused and not asked:
            yield Hit("warp/native-pays", unit.calls[0], words)
        elif unit.plan.refused and asked:
            yield Hit("warp/native-refused", unit.calls[0], words)


def _remarks(parsed: ParsedFile, lanes: Lanes) -> Iterator[Span]:
    """Assertions and masks that speak of 32 lanes and are told nowhere else."""
    return (span for span in remarks(parsed, lanes.values) if not _is_known(lanes, span))


def _is_known(lanes: Lanes, span: Span) -> bool:
    """Whether a remark on 32 lanes is told already, or stands in code for any wave."""
    unit = lanes.unit(span.start)
    if unit is None:
        return False
    told = [*unit.counts, *(call.extent for call in unit.calls)]
    return unit.whole or bool(unit.waves) or any(one.start <= span.start < one.end for one in told)


def _constants(parsed: ParsedFile, lanes: Lanes) -> Iterator[Hit]:
    """Uses of `warpSize` that stay and that the compiler must know the value of."""
    for match in parsed.lexed.matches(_WAVE) if b"warpSize" in parsed.data else ():
        found = lanes.unit(match.start())
        if (found is None or not found.mixed) and _must_be_constant(parsed, match.start()):
            yield _hit(parsed, "warp/wave-constant", Span(*match.span()))


def _must_be_constant(parsed: ParsedFile, offset: int) -> bool:
    """Whether a value at `offset` is needed when compiling: an array's size, a template argument, a `constexpr`."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    if node is None or node.type != "identifier" or parsed.hip(offset) is not None:
        return False
    for around in trees.ancestors(node):
        if around.type in _CONSTANT_PLACES:
            return around.start_byte < node.start_byte
        if around.type == "case_statement":
            value = around.child_by_field_name("value")
            return value is not None and value.start_byte <= node.start_byte < value.end_byte
        if around.type == "declaration":
            return any(text(child) == b"constexpr" for child in around.named_children)
        if around.type in _RUNNING_PLACES:
            return False
    return False


def _reaches_lanes(lanes: Lanes, unit: Unit) -> bool:
    """A remainder by 32 counts lanes where lane code stands near, or where what it makes is called a lane or warp."""
    if unit.calls or unit.sizes:
        return True
    data = lanes.parsed.data
    for span in unit.counts:
        line = data[data.rfind(b"\n", 0, span.start) + 1 : max(span.end, data.find(b"\n", span.end))]
        if _LANE_WORD.search(line):
            return True
    if not unit.name and unit.span.start == unit.span.end:
        return _LANE_WORD.search(data, max(0, unit.span.start - _NEAR), unit.span.start + _NEAR) is not None
    works = _WORKS.search(data, unit.span.start, unit.span.end) is not None
    return works or _LANE_PTX.search(data) is not None or lanes.calls_lane_code(unit.span)


def _hit(parsed: ParsedFile, rule: str, span: Span) -> Hit:
    scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
    name = "warpSize" if parsed.data[span.start : span.end] == b"warpSize" else "32"
    return Hit(rule, Use("name", name, span, span, (), scope, certainty))
