"""In which blocks a file launches kernels: between brackets, by functions of the runtime, by a configuration.

A size is an expression, `("n", 0)` where it is not seen: the graph of the repository knows constants of other files.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.launch_geometry import block_shape
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Use
from cudamigrate.model.warp_graph import Block, Expression
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import elements
from cudamigrate.warp.declarators import plain, taken, template_numbers
from cudamigrate.warp.expressions import called, expression, word
from cudamigrate.warp.tree_queries import plain_name

_DIRECT = (b"cudaLaunchKernel", b"cudaLaunchCooperativeKernel")
_CONFIGURED = (b"cudaLaunchKernelEx", b"cudaLaunchKernelExC")
"""Functions that are given a kernel, the grid and the block; and those that are given a configuration and a kernel."""
_MEMBER = "blockDim"
_VARIABLES = tree_sitter_nodes.Kinds("cuda", "declaration")
_SET = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_TAKEN = tree_sitter_nodes.Kinds("cuda", "pointer_expression")
_LISTS = ("argument_list", "initializer_list")
_ONE: Expression = ("n", 1)
_UNSEEN: Expression = ("n", 0)


def read(parsed: ParsedFile) -> tuple[Block, ...]:
    """The kernels that a file launches, with the width and height of a block."""
    uses = [use for use in parsed.uses if use.kind == "launch" and use.name]
    found = [Block(called(use.name), *_between_brackets(parsed, use)) for use in uses]
    for call in CALLS.below(parsed.tree.root_node) if b"cudaLaunch" in parsed.data else ():
        name, given = plain_name(call.child_by_field_name("function")), elements(call.child_by_field_name("arguments"))
        around = _around(call)
        if around is not None and name in _DIRECT and len(given) > 2:
            found.append(Block(_kernel(given[0]), *_Variables(parsed, around).shape(given[2])))
        elif around is not None and name in _CONFIGURED and len(given) > 1:
            variables = _Variables(parsed, around)
            block = variables.configured(word(given[0]).strip("&* "))
            found.append(Block(_kernel(given[1]), *variables.shape(block)))
    return tuple(dict.fromkeys(found))


def _between_brackets(parsed: ParsedFile, use: Use) -> tuple[Expression, Expression]:
    seen = block_shape(parsed, use)
    node = node_at(parsed, use.args[1].start, use.args[1].end) if seen is None and len(use.args) > 1 else None
    around = None if node is None else _around(node)
    if seen is not None or around is None:
        return ("n", seen[0] if seen else 0), ("n", seen[1] if seen else 0)
    return _Variables(parsed, around).shape(node)


def _around(node: Node) -> Node | None:
    return next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "function_definition"), None)


def _kernel(node: Node) -> str:
    """The name of the kernel that a launch is given, behind casts."""
    while node.type in ("cast_expression", "pointer_expression", "parenthesized_expression", "call_expression"):
        given = elements(node.child_by_field_name("arguments")) or node.named_children
        node = given[-1]
    return called(word(node))


class _Variables:
    """The variables of a function of the host: blocks and configurations."""

    def __init__(self, parsed: ParsedFile, function: Node) -> None:
        self.values, self.function = Values.of(parsed), function
        self.all = _VARIABLES.below(function)
        self.taken = {name for one in _TAKEN.below(function) for name in taken(one)}

    def configured(self, name: str) -> Node | None:
        """What the block of a configuration is, where that is set once."""
        changed = [one for one in self._changes(name) if one[0].partition(".")[0] in (name, _MEMBER)]
        if changed:
            return changed[0][1] if len(changed) == 1 and changed[0][0] == _MEMBER else None
        made = self._value(name)
        listed = elements(made) if made is not None and made.type in _LISTS else []
        return listed[1] if len(listed) > 1 else None

    def shape(self, node: Node | None) -> tuple[Expression, Expression]:
        """Width and height of a block."""
        if node is None:
            return _UNSEEN, _UNSEEN
        if node.type == "identifier" and (value := self._value(word(node))) is not None:
            return self.shape(None if self._changes(word(node)) or word(node) in self.taken else value)
        if node.type == "call_expression" and plain_name(node.child_by_field_name("function")) == b"dim3":
            return self.shape(node.child_by_field_name("arguments"))
        if node.type == "compound_literal_expression":
            return self.shape(node.child_by_field_name("value"))
        if node.type in _LISTS:
            sizes = [*map(self._size, elements(node)), _ONE, _ONE]
            return sizes[0], sizes[1]
        return self._size(node), _ONE

    def _size(self, node: Node) -> Expression:
        """A number, or what constants of other files make it: no variable of the function, and nothing it is given."""
        known = self.values.constant(node)
        if known is not None:
            return ("n", known)
        own = self.values.locals(node.start_byte).keys() | {one.encode() for one in template_numbers(self.function)}
        return _UNSEEN if any(text(one) in own for one in _NAMES.below(node)) else expression(node)

    def _value(self, name: str) -> Node | None:
        """What a variable begins with."""
        declared = (each for one in self.all for each in one.children_by_field_name("declarator"))
        found = [one for one in declared if plain(one) == name]
        return found[0].child_by_field_name("value") if len(found) == 1 else None

    def _changes(self, name: str) -> list[tuple[str, Node]]:
        """What a variable and its members are assigned later: the member, or the variable itself."""
        found = []
        for one in _SET.below(self.function):
            left = "".join(word(one.child_by_field_name("left")).split())
            if left.partition(".")[0] == name:
                found.append((left.partition(".")[2] or name, one.named_children[-1]))
        return found
