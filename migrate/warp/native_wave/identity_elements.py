"""What lanes without a part bring to a second stage: more of them do on a wave of 64, so it must change nothing.

Comes in: the operation, and the value that such lanes have. Goes out: whether it may be brought any number of times.
"""

from __future__ import annotations

from collections.abc import Set

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.native_wave.lane_idioms import Shapes, assignments, bare

_LITERAL = rb"(?:static_cast\s*<[^<>]*>\s*|[A-Za-z_][\w:]*\s*|\([\w:\s]+\)\s*)?[({]?\s*(?:%s)\s*[)}]?"
_ZERO = rb"[-+]?0+(?:\.0*)?[fFuUlL]*|0x0+[uUlL]*|false"
_VALUES = {
    **dict.fromkeys(("+", "|", "^"), re.compile(_LITERAL % _ZERO)),
    "*": re.compile(_LITERAL % rb"1(?:\.0*)?[fFuUlL]*"),
    "&": re.compile(_LITERAL % rb"~0[uUlL]*|-1|0[xX][fF]{8}[uU]?"),
    "max": re.compile(
        rb"-\s*(?:INFINITY|HUGE_VALF?|FLT_MAX|DBL_MAX|CUDART_INF(?:_F)?)|(?:INT|LONG|LLONG)_MIN"
        rb"|(?:std::)?numeric_limits\s*<[^<>]*>::lowest\(\)|-\s*(?:std::)?numeric_limits\s*<[^<>]*>::infinity\(\)"
    ),
    "min": re.compile(
        rb"INFINITY|HUGE_VALF?|FLT_MAX|DBL_MAX|CUDART_INF(?:_F)?|(?:U?INT|U?LONG|U?LLONG)_MAX"
        rb"|(?:std::)?numeric_limits\s*<[^<>]*>::(?:max|infinity)\(\)"
    ),
}
_WORD = re.compile(rb"[A-Za-z_]\w*")


def is_neutral(shapes: Shapes, by: str, node: Node | None, steps: Set[bytes] = frozenset()) -> bool:
    """Whether a value may be brought together any number of times with the parts of the warps.

    Where there are fewer than 32 warps, 32 lanes bring it too: of a maximum it is then a part, if it is one value.
    `steps` are variables of loops that all threads run through in step.
    """
    if node is None:
        return False
    known = _VALUES.get(by)
    if known is not None and known.fullmatch(text(bare(node))) is not None:
        return True
    return by in ("max", "min") and 0 < shapes.width < 1024 and _is_one(shapes, node, frozenset(steps))


def _is_one(shapes: Shapes, node: Node, steps: frozenset[bytes]) -> bool:
    if shapes.is_uniform(node, steps):
        return True
    given = shapes.values.given(node) if node.type == "identifier" and shapes.is_one(text(node)) else []
    return bool(given) and all(_is_literal(one) for one in given)


def _is_literal(node: Node) -> bool:
    if node.type == "unary_expression":
        argument = node.child_by_field_name("argument")
        return argument is not None and argument.type == "number_literal"
    return node.type == "number_literal"


def else_value(node: Node, name: bytes) -> Node | None:
    """What a variable is given in the `else` of the `if` around a place."""
    around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "if_statement"), None)
    other = around.child_by_field_name("alternative") if around is not None else None
    found = [right for left, sign, right in assignments(other) if text(left) == name and sign == b"="] if other else []
    return found[0] if len(found) == 1 else None


def set_before(node: Node, name: bytes) -> Node | None:
    """What a variable is given by the last statement before the `if` around a place that names it."""
    around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "if_statement"), None)
    before = around.prev_named_sibling if around is not None else None
    while before is not None and name not in _WORD.findall(text(before)):
        before = before.prev_named_sibling
    if before is None:
        return None
    if before.type == "declaration":
        for one in before.children_by_field_name("declarator"):
            if one.type == "init_declarator" and text(one.child_by_field_name("declarator")) == name:
                return one.child_by_field_name("value")
    if before.type == "expression_statement" and before.named_child_count == 1:
        inner = before.named_children[0]
        plain = inner.type == "assignment_expression" and text(inner.child_by_field_name("operator")) == b"="
        if plain and text(inner.child_by_field_name("left")) == name:
            return inner.child_by_field_name("right")
    return None
