"""The calls of the global functions `min` and `max` of a file: what CUDA has for both sides, and HIP in parts.

Result: each call that no function or macro of the file hides, with its two arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis import integer_types
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.integer_types import Integer
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.function_sides import is_on_both_sides
from cudamigrate.cuda.host_pass import leaves_out
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import tree_sitter_nodes

NAMES = (b"min", b"max")
_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_HEADS = tree_sitter_nodes.Kinds("cuda", "function_declarator")
_NAME = re.compile(rb"(?:(?<![\w.:>])min|(?<![\w.:>])max)(?=[ \t]*\()")
"""A call of the global function, `min(a, b)`: not `std::min`, `a.min`, `p->min` or `my_min`."""

_DEFINED = re.compile(rb"(?:min|max)\b")


class Extreme(NamedTuple):
    """A call, `name` at `span`, of two arguments, in a function for the `side`: `host`, `device` or `both`."""

    name: str
    span: Span
    call: Node
    left: Node
    right: Node
    side: str

    def use(self, *arguments: Node) -> Use:
        """The call as a use, with those of its arguments that are to be changed."""
        places = tuple(Span(one.start_byte, one.end_byte) for one in arguments)
        extent = Span(self.call.start_byte, self.call.end_byte)
        return Use("call", self.name, self.span, extent, places, "host" if self.side == "host" else "device", "syntax")


def calls(parsed: ParsedFile, *sides: str) -> Iterator[Extreme]:
    """The calls in functions of some sides that HIP may compile: `device`, `host`, and those whose head says `both`."""
    own = {definition.name for definition in parsed.definitions if not definition.enclosing}
    own |= {name.decode("latin-1") for name in Values.of(parsed).constants()} | _macros(parsed)
    members = _members(parsed)
    for match in parsed.lexed.starting(_NAME, *NAMES):
        name, span = match[0].decode(), Span(*match.span())
        side = _side(parsed, span.start)
        if name in own or side not in sides or parsed.hip(span.start) is not None:
            continue
        if members.get(name) is None or (members[name] and not _is_in_class(parsed, span.start)):
            yield from _call(parsed, name, span, side)


def unsigned_of(values: Values, extreme: Extreme) -> Integer | None:
    """The type that CUDA works in where the arguments differ in sign alone, None where they do not."""
    kinds = [kind.promoted for one in (extreme.left, extreme.right) if (kind := integer_types.exact(values, one))]
    if len(kinds) != 2 or kinds[0].rank != kinds[1].rank or kinds[0].unsigned == kinds[1].unsigned:
        return None
    return kinds[0]._replace(unsigned=True)


def _side(parsed: ParsedFile, offset: int) -> str:
    """Which side the function around a place is for; what no pass for the host compiles is the device's."""
    function = parsed.function(offset)
    both = function is not None and is_on_both_sides(parsed, function) and not leaves_out(parsed, offset)
    return "both" if both else parsed.scope(offset)


def _macros(parsed: ParsedFile) -> set[str]:
    """Those of the names that the file defines as macros."""
    found = (_DEFINED.match(one.argument(parsed.data)) for one in parsed.lexed.directives if one.name == "define")
    return {match[0].decode() for match in found if match is not None}


def _call(parsed: ParsedFile, name: str, span: Span, side: str) -> Iterator[Extreme]:
    node = node_at(parsed, span.start, span.end)
    call = node.parent if node is not None else None
    if call is None or call.type != "call_expression" or text(call.child_by_field_name("function")) != name.encode():
        return
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    if len(given) == 2:
        yield Extreme(name, span, call, given[0], given[1], side)


def _members(parsed: ParsedFile) -> dict[str, bool]:
    """The functions that the file declares by these names, and whether all of a name are members of classes.

    A member hides the global function in its class, and in those made from it, alone.
    """
    found: dict[str, bool] = {}
    for one in _HEADS.below(parsed.tree.root_node):
        named = text(one.child_by_field_name("declarator"))
        if named.rpartition(b"::")[2] in NAMES:
            name = named.rpartition(b"::")[2].decode()
            found[name] = found.get(name, True) and (b"::" in named or _is_in_class(parsed, one.start_byte))
    return found


def _is_in_class(parsed: ParsedFile, offset: int) -> bool:
    """Whether a place is in a class, or in a function that is defined as some class's: `void Box::grow() {`."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    for one in tree_sitter_nodes.ancestors(node) if node is not None else ():
        head = one.child_by_field_name("declarator") if one.type == "function_definition" else None
        if one.type in _CLASSES or (head is not None and b"::" in text(head).partition(b"(")[0]):
            return True
    return False
