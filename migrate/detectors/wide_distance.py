"""Shuffles of tiles and of PyTorch whose distance or lane mask is seen to leave 0 to 31."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.integer_ranges import Range
from cudamigrate.warp.tree_queries import span
from cudamigrate.warp.value_ranges import ValueRanges

WORDS = (b"shfl_xor", b"shfl_up", b"shfl_down", b"WARP_SHFL_XOR", b"WARP_SHFL_UP", b"WARP_SHFL_DOWN")
_MEMBERS, _OF_PYTORCH = WORDS[:3], WORDS[3:]
_LARGEST_SHOWN = 1 << 16
"""Bounds beyond this are those of a type: the code shows none."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The distances and masks that CUDA takes five bits of, and HIP all."""
    if parsed.named_for_amd or not any(word in parsed.data for word in WORDS):
        return
    for call in CALLS.below(parsed.tree.root_node):
        name = _name(parsed, call)
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if not name or len(given) < 2 or parsed.hip(call.start_byte) is not None:
            continue
        if _leaves(ValueRanges.of_file(parsed).of(given[1])):
            place = span(given[1])
            spelled = text(given[1]).decode("latin-1")
            use = Use("name", spelled, place, place, (), parsed.scope(place.start), parsed.certainty(place.start))
            yield Hit("warp/wide-distance", use, {"name": name.decode("latin-1"), "distance": spelled})


def _name(parsed: ParsedFile, call: Node) -> bytes:
    """The shuffle that a call is, by a distance or a mask; empty for others."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return text(function) if text(function) in _OF_PYTORCH else b""
    group, name = text(function.child_by_field_name("argument")), text(function.child_by_field_name("field"))
    return name if name in _MEMBERS and groups(parsed).kind(group, call.start_byte) == "tile" else b""


def _leaves(found: Range) -> bool:
    if found.low is None or found.high is None or not -_LARGEST_SHOWN <= found.low <= found.high <= _LARGEST_SHOWN:
        return False
    return not found.within(0, 31)
