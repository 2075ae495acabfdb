"""`min` and `max` of two types of integers on the device: CUDA works in the type of both, HIP in double."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis import conversion_contexts, integer_types
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.integer_types import Integer
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"min", b"max")
RULE = "math/mixed-min-max"

_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_TAKING = {"init_declarator": ("declarator", "value"), "assignment_expression": ("left", "right")}
"""What takes a value, with the fields of the variable and of the value."""
_HEADS = tree_sitter_nodes.Kinds("cuda", "function_declarator")
_NAME = re.compile(rb"(?:(?<![\w.:>])min|(?<![\w.:>])max)(?=[ \t]*\()")
"""A call of the global function, `min(a, b)`: not `std::min`, `a.min`, `p->min` or `my_min`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call whose arguments differ in sign, or are promoted where a double is not the same."""
    if parsed.data.find(b"__global__") < 0 and parsed.data.find(b"__device__") < 0:
        return
    own = {definition.name for definition in parsed.definitions if not definition.enclosing}
    own |= {name.decode("latin-1") for name in Values.of(parsed).constants()}
    members = _members(parsed)
    for match in parsed.lexed.starting(_NAME, b"min", b"max"):
        name = match[0].decode()
        if name in own or parsed.scope(match.start()) != "device" or parsed.hip(match.start()) is not None:
            continue
        if members.get(name) is None or (members[name] and not _is_in_class(parsed, match.start())):
            yield from _hit(parsed, name, Span(*match.span()))


def _members(parsed: ParsedFile) -> dict[str, bool]:
    """The functions that the file declares by these names, and whether all of a name are members of classes.

    A member hides the global function in its class, and in those made from it, alone.
    """
    found: dict[str, bool] = {}
    for one in _HEADS.below(parsed.tree.root_node):
        named = text(one.child_by_field_name("declarator"))
        if named.rpartition(b"::")[2] in WORDS:
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


def _hit(parsed: ParsedFile, name: str, span: Span) -> Iterator[Hit]:
    node = node_at(parsed, span.start, span.end)
    call = node.parent if node is not None else None
    if call is None or call.type != "call_expression" or text(call.child_by_field_name("function")) != name.encode():
        return
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    values = Values.of(parsed)
    types = [kind for one in given if (kind := integer_types.exact(values, one)) is not None]
    converted = (
        _converted(parsed, name, call, types) if len(types) == len(given) == 2 and types[0] != types[1] else None
    )
    if converted is None:
        return
    changed = [one for one, kind in zip(given, types, strict=True) if kind != converted]
    places = tuple(Span(one.start_byte, one.end_byte) for one in changed)
    use = Use("call", name, span, Span(call.start_byte, call.end_byte), places, "device", "syntax")
    left, right = (kind.spelled for kind in types)
    yield Hit(RULE, use, {"name": name, "left": left, "right": right, "type": converted.spelled})


def _converted(parsed: ParsedFile, name: str, call: Node, types: Sequence[Integer]) -> Integer | None:
    """The type that CUDA works in, where HIP's double is something else; None also where CUDA has no such function."""
    left, right = (kind.promoted for kind in types)
    if left == right:
        return left if conversion_contexts.differs_in_double(Values.of(parsed), call) else None
    if left.rank != right.rank:
        return None
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    signed = given[0] if not left.unsigned else given[1]
    is_same = integer_types.is_number(parsed, signed) and _is_same_in_double(parsed, name, call)
    return None if is_same else left._replace(unsigned=True)


def _is_same_in_double(parsed: ParsedFile, name: str, call: Node) -> bool:
    """Whether a call with a number that is written out gives the same in `double`, as far as what takes it can tell.

    An integer is seen to take it: any for a minimum, which is no more than the number is; for a maximum one that holds
    all of an `unsigned int`. To an `int`, `max(threadIdx.x - 1, 0)` of thread 0 is -1, and INT_MAX from `double`.
    """
    node, around = call, call.parent
    while around is not None and around.type == "parenthesized_expression":
        node, around = around, around.parent
    taking = _TAKING.get(around.type) if around is not None else None
    if around is None or taking is None or node != around.child_by_field_name(taking[1]):
        return False
    if around.type == "assignment_expression" and text(around.child_by_field_name("operator")) != b"=":
        return False
    kind = integer_types.of(Values.of(parsed), around.child_by_field_name(taking[0]))
    return kind is not None and (name == "min" or kind.unsigned or kind.rank > 0)
