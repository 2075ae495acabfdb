"""Warp-level code -> edits that keep its meaning for groups of 32 lanes, whatever the wave of the GPU.

There are no edits where the place stays as it is. All warp-level calls of a unit are converted, or none. Where the full
wavefront is asked for and proved right, it takes the place of 32 lanes. HIP's shuffles are written where they mean the
same: a number of plain type, and for a shuffle by index a lane that is seen to be below the width. Everything else goes
through the header of our own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from tree_sitter import Node

from cudamigrate.analysis.constant_contexts import of_template
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.shown_values import shown
from cudamigrate.analysis.symbol_references import mentions
from cudamigrate.cuda.include_insertion import RUNTIME_HEADER, addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.model.lane_facts import LaneFacts
from cudamigrate.warp import size_references
from cudamigrate.warp.lane_code import LEGACY, NAMES, Lanes, Unit, facts
from cudamigrate.warp.lane_words import SHUFFLES
from cudamigrate.warp.mask_effects import has_effect
from cudamigrate.warp.value_ranges import ValueRanges

_COORDINATE = re.compile(rb"(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]")
"""In HIP an object of a type of its own: a sign makes it the number it stands for."""
_SIMPLE = ("identifier", "call_expression", "field_expression", "subscript_expression", "parenthesized_expression")
_WAVE = "warpSize"
_LEAST = {
    **dict.fromkeys(("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"), 2),
    **dict.fromkeys(("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"), 3),
    **dict.fromkeys(("__activemask", "__syncwarp"), 0),
    **dict.fromkeys(("__any", "__all", "__ballot"), 1),
    "__match_all_sync": 3,
}
"""How many arguments a call has at least; two where it is not named."""


def edits(parsed: ParsedFile, use: Use) -> list[Edit]:
    """What converts one lane call or one `warpSize`; nothing where its unit must stay as it is."""
    lanes = facts(parsed)
    unit = lanes.unit(use.span.start)
    if unit is None or reason(lanes, unit):
        return []
    if unit.mixed and use.name == _WAVE and use.span not in unit.sizes:
        return _narrowed(lanes, unit)
    outer = dropped_by(lanes, unit, use)
    return _edits(lanes, unit, outer if outer is not None else use)


def _narrowed(lanes: Lanes, unit: Unit) -> list[Edit]:
    """32 for every `warpSize` of a unit, but in masks that shuffles lose."""
    uses = (Use("name", _WAVE, span, span) for span in unit.sizes)
    kept = [use.span for use in uses if dropped_by(lanes, unit, use) is None]
    return [edit for span in kept for edit in size_references.edits(lanes.parsed, span)]


def reason(lanes: Lanes, unit: Unit) -> str:
    """Why the warp-level code of a unit is left as it is; empty where it is converted."""
    if lanes.native:
        return "the file is written for AMD GPUs already"
    if unit.blocked:
        return unit.blocked
    return lanes.parsed.once(_misfits).get(unit.span.start, "")


def _misfits(parsed: ParsedFile) -> dict[int, str]:
    """What of each unit is written in a way that is not understood, or cannot be 32, by the unit's start."""
    found = {}
    for unit in facts(parsed).units.values():
        bad = next((use for use in unit.calls if not _fits(use)), None)
        if bad is not None:
            found[unit.span.start] = f"`{bad.name}` is written in a way that is not understood"
        elif not unit.whole and size_references.unwritten(parsed, unit.span):
            found[unit.span.start] = f"`{_WAVE}` is used as a place in memory, which no number is"
    return found


def is_right(parsed: ParsedFile, use: Use) -> bool:
    """True for a call without a mask that means the same on AMD as it is."""
    lanes = facts(parsed)
    unit = lanes.unit(use.span.start)
    if lanes.native and (use.name in LEGACY or not use.args):
        return True
    if _mask_is_wide(lanes, use) and (lanes.native or len(use.args) == 4):
        return True
    if use.name in LEGACY and len(use.args) == 3 and _width(lanes, use) > 32:
        return True
    if unit is None or use.name not in LEGACY or use.name not in SHUFFLES or use.kind != "call":
        return False
    return not _edits(lanes, unit, use) and len(use.args) >= 2


def _width(lanes: Lanes, use: Use) -> int:
    """The width a call names, as far as it is seen; a width of 64 is HIP's."""
    last = use.args[-1]
    return lanes.values.constant(node_at(lanes.parsed, last.start, last.end)) or 0


def dropped_by(lanes: Lanes, unit: Unit, use: Use) -> Use | None:
    """The outermost shuffle that loses its mask, where `use` is in that mask."""
    for call in _around(lanes.parsed.once(_with_calls_in_masks).get(unit.span.start, ()), use.span.start):
        if call.span != use.span and _is_plain(lanes, unit, call):
            return dropped_by(lanes, unit, call) or call
    return None


def _around(calls: Sequence[tuple[int, int, Use]], place: int) -> list[Use]:
    """The calls that have a place in their masks, outermost first."""
    found, at = [], bisect_right(calls, place, key=lambda entry: entry[0]) - 1
    while at >= 0 and calls[at][1] > place:
        if place < calls[at][2].args[0].end:
            found.append(calls[at][2])
        at -= 1
    return found[::-1]


def _with_calls_in_masks(parsed: ParsedFile) -> dict[int, list[tuple[int, int, Use]]]:
    """The shuffles whose mask is more than one word, as it is where a call is in it, by the start of their unit.

    With each is where its mask starts, and where the masks up to it end.
    """
    found: dict[int, list[tuple[int, int, Use]]] = {}
    for unit in facts(parsed).units.values():
        shuffles = (call for call in unit.calls if call.args and call.name in SHUFFLES and call.name not in LEGACY)
        calls = sorted((c for c in shuffles if not _is_word(parsed, c.args[0])), key=lambda call: call.args[0].start)
        ends = accumulate((call.args[0].end for call in calls), max)
        found[unit.span.start] = [(call.args[0].start, end, call) for call, end in zip(calls, ends, strict=True)]
    return found


def _is_word(parsed: ParsedFile, argument: Span) -> bool:
    word = parsed.data[argument.start : argument.end].strip()
    plain = word.replace(b"_", b"x").isalnum()
    return plain and word != _WAVE.encode() and word.decode("latin-1") not in NAMES


def follows(unit: Unit) -> list[Edit]:
    """What makes a unit follow the wave, where that was asked for and is proved; without its lane calls."""
    return unit.plan.within(unit.span) if unit.whole and unit.plan is not None else []


def followed(parsed: ParsedFile, known: LaneFacts | None) -> LaneFacts | None:
    """What other files must know of a file, completed by what decides over functions that follow the wave."""
    if not parsed.native:
        return known
    lanes = facts(parsed) if known is not None and known.native else None
    plans = [unit.plan for unit in lanes.units.values() if unit.whole and unit.plan] if lanes is not None else []
    helpers = frozenset[str]().union(*(made.helpers for made in plans))
    known = known or LaneFacts()
    return replace(known, helpers=helpers, whole=known.whole - helpers, mentions=mentions(parsed, Values.of(parsed)))


def _fits(use: Use) -> bool:
    if use.kind == "name":
        return True
    return len(use.args) >= _LEAST.get(use.name, 2)


def _mask_is_wide(lanes: Lanes, use: Use) -> bool:
    """Whether a mask is HIP's: it has 64 bits, or is a macro with a value for HIP."""
    if not use.args:
        return False
    mask = lanes.parsed.data[use.args[0].start : use.args[0].end]
    value = lanes.values.spelled(mask)
    kinds = [local.words for local in lanes.values.locals(use.span.start).get(mask, ())]
    if mask in lanes.values.for_hip or (kinds and all(words & lanes.values.for_hip for words in kinds)):
        return True
    return value is not None and value > 0xFFFFFFFF


def _edits(lanes: Lanes, unit: Unit, use: Use) -> list[Edit]:
    if use.name not in NAMES:
        native = [edit for edit in follows(unit) if edit.span == use.span]
        return native or size_references.edits(lanes.parsed, use.span)
    if unit.whole and unit.plan is not None and use.name.startswith("__ballot"):
        votes = [edit for edit in unit.plan.votes if use.extent.start <= edit.span.start < use.extent.end]
        if votes:
            return [edit for edit in votes if edit.replacement != lanes.parsed.data[edit.span.start : edit.span.end]]
    if use.name in SHUFFLES and use.kind == "call" and _is_plain(lanes, unit, use):
        return _plain(lanes, unit, use)
    made = [Edit(use.span, b"cudamigrate::" + _helper(use).encode())]
    if use.name in LEGACY and use.name in SHUFFLES:
        if use.kind != "call":
            return []
        made.append(Edit(Span(use.args[0].start, use.args[0].start), b"0xffffffff, "))
    value = _generic_value(use)
    if value is not None and _COORDINATE.fullmatch(lanes.parsed.data, value.start, value.end):
        made.append(Edit(Span(value.start, value.start), b"+"))
    if not any(include.path.endswith(RUNTIME_HEADER) for include in lanes.parsed.includes):
        made.append(addition(lanes.parsed, RUNTIME_HEADER))
    return made


def _generic_value(use: Use) -> Span | None:
    """The argument whose type a function of our own takes over."""
    if use.kind != "call" or not (use.name in SHUFFLES or use.name.startswith("__match")):
        return None
    return use.args[0 if use.name in LEGACY else 1]


def _helper(use: Use) -> str:
    """The name of the function in our own header."""
    return use.name[2:] + ("_sync" if use.name in LEGACY and use.name in SHUFFLES else "")


def _plain(lanes: Lanes, unit: Unit, use: Use) -> list[Edit]:
    """HIP's own shuffle: without a mask, and with a width of 32 unless the full wavefront is meant.

    Where the code has a constant for the wave of its own, that is the width: it may be 32 in this build.
    """
    width = b"" if unit.whole else b", 32"
    if unit.whole and unit.waves and not unit.sizes:
        width = b", " + lanes.parsed.data[unit.waves[0].start : unit.waves[0].end]
    masked = use.name.endswith("_sync")
    made = []
    if masked:
        made.append(Edit(use.span, use.name.removesuffix("_sync").encode()))
        made.append(Edit(Span(use.args[0].start, use.args[1].start), b""))
    if follows(unit) and len(use.args) == (4 if masked else 3):
        made.append(Edit(Span(use.args[-2].end, use.args[-1].end), b""))
    low, end = _low_bits(lanes, unit, use), Span(use.args[-1].end, use.args[-1].end)
    if width and len(use.args) == (3 if masked else 2):
        if low and low[-1].span == end:  # both stand behind the last argument
            width = low.pop().replacement + width
        made.append(Edit(end, width))
    return made + low


def _is_plain(lanes: Lanes, unit: Unit, use: Use) -> bool:
    """Whether HIP's own shuffle does what CUDA's does."""
    if use.kind != "call" or len(use.args) > (4 if use.name.endswith("_sync") else 3):
        return False
    if unit.whole:
        return True
    if use.name.endswith("_sync") and has_effect(lanes.parsed, use.args[0]):
        return False  # HIP's own takes no mask
    args = use.args[1:] if use.name.endswith("_sync") else use.args
    value, lane = (node_at(lanes.parsed, arg.start, arg.end) for arg in args[:2])
    if not lanes.values.is_arithmetic(value):
        return False
    width = 32
    if len(args) == 3:
        spelled = lanes.parsed.data[args[2].start : args[2].end]
        known = shown(lanes.values, node_at(lanes.parsed, args[2].start, args[2].end))
        if known is None and not _by_index(use) and of_template(lanes.parsed, args[2].start, spelled):
            return True  # CUDA allows no more than 32, and what other groups hold is no matter to these
        if known is None or known > 32:
            return False
        width = known
    return not _by_index(use) or ValueRanges.of_file(lanes.parsed).of(lane).within(0, width - 1)


def _by_index(use: Use) -> bool:
    """Whether a shuffle names a lane, not a distance or the bits of a lane's number that differ."""
    return "_" not in use.name.removeprefix("__shfl").removesuffix("_sync")


def _low_bits(lanes: Lanes, unit: Unit, use: Use) -> list[Edit]:
    """The low five bits of a distance or mask that is not seen to be from 0 to 31: CUDA looks at no others.

    HIP's shuffles look at all of them. A negative mask takes a lane of the other half of the wave, a distance of 32 or
    more gives the lane its own value.
    """
    lane = use.args[2 if use.name.endswith("_sync") else 1]
    node = node_at(lanes.parsed, lane.start, lane.end)
    if unit.whole or _by_index(use) or ValueRanges.of_file(lanes.parsed).of(node).within(0, 31):
        return []
    return five_bits(lane, node, lanes.values.constant(node))


def five_bits(place: Span, node: Node | None, value: int | None) -> list[Edit]:
    """What keeps the low five bits of an expression at a place; `value` is what it is worth, where that is known."""
    if value is not None and node is not None and node.type in ("number_literal", "unary_expression"):
        return [Edit(place, b"%d" % (value & 31))]
    if node is not None and node.type in _SIMPLE:
        return [Edit(Span(place.end, place.end), b" & 31")]
    return [Edit(Span(place.start, place.start), b"("), Edit(Span(place.end, place.end), b") & 31")]
