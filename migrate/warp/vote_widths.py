"""How many lanes a vote has bits for: CUDA's have 32, those of code for HIP alone 64, and functions of the file either.

A function whose result is a vote and has 64 bits is for waves of 64 lanes: CUDA's votes have 32.
"""

from __future__ import annotations

from functools import cached_property

from tree_sitter import Node

from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.counted_amounts import VOTES, WIDTH
from cudamigrate.warp.integer_ranges import LONG, ULONG, integer_type
from cudamigrate.warp.tree_queries import bare, plain_name, without_cast

WAVE = 64
"""Lanes of a wave of AMD's GPUs for computing."""
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")


class Votes:
    """The votes of one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed = parsed

    def of_lanes(self, call: Node, lanes: int) -> bool:
        """Whether what is called gives votes with bits for so many lanes, be it a function of the file."""
        name = plain_name(call.child_by_field_name("function"))
        if name in VOTES:
            return lanes == WIDTH or self._for_hip(call)
        return lanes in self._own.get(name, ())

    def _for_hip(self, call: Node) -> bool:
        return self.parsed.hip(call.start_byte) is True or self.parsed.once(is_native)

    @cached_property
    def _own(self) -> dict[bytes, set[int]]:
        """The functions of the file that give a vote, by name: for how many lanes those of a name have bits."""
        found: dict[bytes, set[int]] = {}
        if not any(map(self.parsed.lexed.places, VOTES)):
            return found
        for function in _FUNCTIONS.below(self.parsed.tree.root_node):
            declarator = function.child_by_field_name("declarator")
            while declarator is not None and declarator.type != "function_declarator":
                declarator = declarator.child_by_field_name("declarator")
            name = plain_name(declarator.child_by_field_name("declarator")) if declarator is not None else b""
            if name and self._gives_vote(function):
                kind = integer_type(text(function.child_by_field_name("type")))
                wide = kind is not None and kind.rank in (LONG, ULONG)
                found.setdefault(name, set()).add(WAVE if wide else WIDTH)
        return found

    def _gives_vote(self, function: Node) -> bool:
        """Whether all that a function does is to return a vote."""
        body = function.child_by_field_name("body")
        held = [one for one in body.named_children if one.type != "comment"] if body is not None else []
        if len(held) != 1 or held[0].type != "return_statement":
            return False
        value = without_cast(bare(next(iter(held[0].named_children), None)))
        return (
            value is not None
            and value.type == "call_expression"
            and plain_name(value.child_by_field_name("function")) in VOTES
        )
