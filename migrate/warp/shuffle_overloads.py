"""Calls by the name of CUDA's shuffle that no shuffle of CUDA's takes: they reach an overload of the project's.

CUDA's take a value, a lane and a width, after the mask if there is one. A fourth value is too many, and an address
where the lane or the width is to be converts to no number (ISO C++, [conv]): `__shfl(v, lane, buffer)`.
"""

from __future__ import annotations

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_words import SHUFFLES

_MOST = 3
"""A value, a lane, a width."""


def is_own(parsed: ParsedFile, use: Use) -> bool:
    """Whether a call by the name of a shuffle cannot be CUDA's."""
    if use.name not in SHUFFLES or use.kind != "call":
        return False
    masks = use.name.endswith("_sync")
    return len(use.args) > _MOST + masks or any(_is_address(parsed, one) for one in use.args[1 + masks :])


def _is_address(parsed: ParsedFile, at: Span) -> bool:
    """Whether an argument is an array or a pointer, by its cast or by all variables of its name there."""
    node = node_at(parsed, at.start, at.end)
    if node is None:
        return False
    if node.type == "cast_expression":
        kind = node.child_by_field_name("type")
        return any(one.type == "abstract_pointer_declarator" for one in tree_sitter_nodes.elements(kind))
    named = Values.of(parsed).locals(at.start).get(node.text or b"", ()) if node.type == "identifier" else ()
    return bool(named) and all(one.rank > 0 for one in named)
