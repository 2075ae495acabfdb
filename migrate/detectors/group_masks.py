"""Votes and comparisons of tiles, 32 bits in CUDA and 64 in HIP, where that shows in what is made of them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.cooperative_groups import groups, is_made_tile
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tile_types import OF_TILE, OPEN, hit
from cudamigrate.warp.tree_queries import CLASSES, plain_name

WORDS = (b"ballot", b"match_any", b"match_all")

_MASKS = frozenset(WORDS)
_CLASSES = tree_sitter_nodes.Kinds("cuda", *CLASSES)
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration", "parameter_declaration", "field_declaration")
_METHODS = tree_sitter_nodes.Kinds("cuda", "field_identifier", parts=True)
_NARROW = frozenset(
    b"int|unsigned|unsigned int|uint|uint32_t|int32_t|std::uint32_t|std::int32_t|short|unsigned short|uint16_t"
    b"|uint8_t|unsigned char|char".split(b"|")
)
"""Types that hold no more than 32 bits."""
_COUNTS = frozenset(b"__popc __popcll __ffsll __clz __brev __fns".split())
"""Functions of CUDA's that look at 32 bits, or count alike in 64 of which the upper ones are 0.

Not `__ffs`, which HIP has for `int` and for `unsigned int`: a call with 64 bits is ambiguous.
"""
_KEEPING = (b"+", b"-", b"*", b"<<", b"&", b"|", b"^")
"""Operations of whose result the lower 32 bits depend on no others."""
_CLEAN = (b"&", b"|", b"^")
"""Operations that leave the upper bits 0 where they are."""
_COMPARING = (b"==", b"!=", b"<", b">", b"<=", b">=")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls on tiles, and on groups whose type the file does not show, where nothing cuts the result to 32 bits."""
    known = groups(parsed)
    for call in CALLS.below(parsed.tree.root_node):
        function = call.child_by_field_name("function")
        if function is None or function.type != "field_expression" or plain_name(function) not in _MASKS:
            continue
        start = call.start_byte
        if parsed.scope(start) == "host" or parsed.hip(start) is not None or _is_cut(call):
            continue
        group = function.child_by_field_name("argument")
        name = _name(group)
        kind = "tile" if is_made_tile(parsed, text(group)) else known.kind(name, start)
        if kind == "tile":
            yield hit(parsed, Span(start, call.end_byte), OF_TILE)
        elif not kind and not _is_own(parsed, call, plain_name(function)):
            yield hit(parsed, Span(start, call.end_byte), OPEN)


def _name(group: Node | None) -> bytes:
    """The variable or member that holds a group."""
    if group is not None and group.type == "field_expression":
        return text(group.child_by_field_name("field"))
    return text(group) if group is not None and group.type == "identifier" else b""


def _is_own(parsed: ParsedFile, call: Node, member: bytes) -> bool:
    """Whether a class of the file has a member of that name: the object may be of it."""
    named = (one for each in _CLASSES.below(parsed.tree.root_node) for one in _METHODS.below(each))
    declared = (one for one in named if one.parent is not None and one.parent.type != "field_expression")
    return any(text(one) == member for one in declared)


def _is_cut(call: Node) -> bool:
    """Whether what is made of a mask is the same for 32 bits and for 64 of which the upper ones are 0."""
    node, clean = call, True
    while node.parent is not None:
        around = node.parent
        sign = text(around.child_by_field_name("operator"))
        kind = around.type
        if kind in ("parenthesized_expression", "condition_clause"):
            node = around
        elif kind == "binary_expression" and sign in _KEEPING:
            clean, node = clean and sign in _CLEAN and _is_unsigned(around, node), around
        elif kind == "binary_expression" and sign == b">>" and around.child_by_field_name("left") == node and clean:
            node = around
        elif kind == "unary_expression" and sign in (b"~", b"-"):
            clean, node = False, around
        elif kind == "conditional_expression" and around.child_by_field_name("condition") != node:
            node = around
        else:
            return _ends(around, node, sign, clean)
    return False


def _ends(around: Node, node: Node, sign: bytes, clean: bool) -> bool:
    """Whether what takes a value takes 32 bits of it, or asks whether any is set."""
    kind = around.type
    if kind == "init_declarator":
        return _is_plain(around) and _is_narrow(around.parent, clean)
    if kind == "assignment_expression":
        target = around.child_by_field_name("left")
        return (
            node != target and target is not None and target.type == "identifier" and _is_declared_narrow(target, clean)
        )
    if kind == "cast_expression":
        return _is_narrow(around, clean)
    if kind == "return_statement":
        return _is_returned_narrow(around, clean)
    if kind == "argument_list" and around.parent is not None and around.parent.type == "call_expression":
        function = around.parent.child_by_field_name("function")
        name = text(function)
        cast = name.startswith(b"static_cast") and name.partition(b"<")[2].rpartition(b">")[0].strip() in _NARROW
        return (plain_name(function) in _COUNTS and (clean or not name.endswith(b"ll"))) or cast or name in _NARROW
    if not clean:
        return kind == "expression_statement"
    if kind == "binary_expression":
        return sign in (b"&&", b"||") or (sign in _COMPARING and _is_unsigned(around, node))
    asked = kind in ("if_statement", "while_statement", "do_statement", "for_statement", "conditional_expression")
    return asked or kind == "expression_statement" or (kind == "unary_expression" and sign == b"!")


def _is_unsigned(around: Node, node: Node) -> bool:
    """Whether the other side of an operation is a number that is no negative one: it has no bits above 32."""
    other = next((one for one in around.named_children if one != node), None)
    return other is not None and other.type == "number_literal"


def _is_narrow(declaration: Node | None, clean: bool) -> bool:
    """Whether what has a type holds no more than 32 bits; a truth value asks for the others too."""
    kind = None if declaration is None else declaration.child_by_field_name("type")
    spelled = b" ".join(text(kind).split())
    return spelled in _NARROW or (clean and spelled == b"bool")


def _is_plain(declarator: Node) -> bool:
    """Whether a declarator is of a value of its type."""
    inner = declarator.child_by_field_name("declarator")
    return inner is not None and inner.type == "identifier"


def _is_declared_narrow(target: Node, clean: bool) -> bool:
    """Whether the function declares a variable with 32 bits, and none of that name with more."""
    around = next((one for one in tree_sitter_nodes.ancestors(target) if one.type == "function_definition"), None)
    name, found = text(target), list[bool]()
    for one in _DECLARATIONS.below(around) if around is not None else ():
        for declarator in one.children_by_field_name("declarator"):
            inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
            if inner is not None and text(inner) == name:
                found.append(_is_narrow(one, clean))
    return bool(found) and all(found)


def _is_returned_narrow(statement: Node, clean: bool) -> bool:
    """Whether the function that returns a value returns 32 bits."""
    kinds = ("function_definition", "lambda_expression")
    around = next((one for one in tree_sitter_nodes.ancestors(statement) if one.type in kinds), None)
    return around is not None and around.type == "function_definition" and _is_narrow(around, clean)
