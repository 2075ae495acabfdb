"""Locks that lanes take by turns: what takes one, and what keeps a turn together for AMD's compiler."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import is_member, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, declared_name
from cudamigrate.warp.variable_writes import VariableWrites

_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_LITERALS = ("number_literal", "true", "false", "char_literal")
_CASTS = ("cast_expression", "unary_expression")
TAKING = frozenset(b"atomicCAS atomicCAS_block atomicCAS_system atomicExch atomicExch_block atomicExch_system".split())
"""What takes a lock, of any scope."""
END_OF_TURN = b"__builtin_amdgcn_wave_barrier();"
"""Ends each turn: without it clang moves the release behind the loop, where the lanes of a wave wait for each other."""


def is_fixed(parsed: ParsedFile, value: Node, loop: Node) -> bool:
    """Whether a value is the same in each turn of a loop: a literal, a constant, or a variable that no turn changes.

    What the loop declares is new in each turn. Members of the class may be changed by whatever is called.
    """
    node = bare(value)
    while node is not None and node.type in _CASTS:
        node = bare(node.child_by_field_name("value") or node.child_by_field_name("argument"))
    if node is not None and node.type == "binary_expression":
        sides = (node.child_by_field_name(side) for side in ("left", "right"))
        return all(one is not None and is_fixed(parsed, one, loop) for one in sides)
    if node is None or node.type != "identifier":
        return node is not None and node.type in (*_LITERALS, "qualified_identifier")
    values, name = Values.of(parsed), text(node)
    if name in values.locals(node.start_byte):
        return values.constant(node) is not None or _is_kept(parsed, loop, name)
    return not is_member(parsed.tree.root_node, node.start_byte, name)


def _is_kept(parsed: ParsedFile, loop: Node, name: bytes) -> bool:
    """Whether a loop neither declares a variable, nor writes it or hands out the variable itself."""
    made = (one for each in _DECLARATIONS.below(loop) for one in each.children_by_field_name("declarator"))
    if any(declared_name(one) == name for one in made):
        return False
    return VariableWrites.of_file(parsed).is_kept(loop, name)
