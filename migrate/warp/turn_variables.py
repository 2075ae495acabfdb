"""Variables that each turn of a loop begins again: declared in it, or set before anything in it asks for them.

`for (int i = 0; i < n; ++i) all &= flags[i] != 0;` counts in a turn, and the next turn counts the same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes

_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_DECLARED = tree_sitter_nodes.Kinds("cuda", "declaration")
_SCOPES = ("compound_statement", "for_statement", "while_statement", "if_statement", "switch_statement")
_FUNCTIONS = ("function_definition", "lambda_expression")
_LASTING = (b"static", b"extern", b"__shared__", b"__device__", b"__constant__", b"thread_local")
_ARRAY = "array_declarator"
_DECLARATORS = ("init_declarator", "pointer_declarator", _ARRAY)


def begun(turn: Sequence[Node], loop: Node, names: Iterable[bytes]) -> set[bytes]:
    """Those of `names` that are new in each turn, whose statements are `turn`."""
    mentions = _mentions(loop, set(names))
    return {name for name, found in mentions.items() if _is_declared(turn, found) or _is_set(turn, found)}


def own_arrays(loop: Node, names: Iterable[bytes]) -> set[bytes]:
    """Those of `names` that are arrays of a thread's own, and that nothing else in the function stands for."""
    function = next((one for one in tree_sitter_nodes.ancestors(loop) if one.type in _FUNCTIONS), None)
    if function is None:
        return set()
    found = _mentions(function, set(names))
    return {name for name, nodes in found.items() if _is_array(nodes) and all(_is_part(one, loop) for one in nodes)}


def _mentions(within: Node, names: set[bytes]) -> dict[bytes, list[Node]]:
    found: dict[bytes, list[Node]] = {}
    for node in _NAMES.below(within):
        if (name := text(node)) in names:
            found.setdefault(name, []).append(node)
    return found


def _is_declared(turn: Sequence[Node], mentions: list[Node]) -> bool:
    """Whether all mentions are of a variable that is declared in the turn and lasts no longer."""
    scopes = list[Node]()
    for node in mentions:
        declared = _declaration(node)
        if declared is None:
            continue
        scope = next((one for one in tree_sitter_nodes.ancestors(declared) if one.type in _SCOPES), None)
        if scope is None or not any(_holds(one, declared) for one in turn):
            return False
        scopes.append(scope)
    return bool(scopes) and all(any(_holds(one, node) for one in scopes) for node in mentions)


def _declaration(name: Node) -> Node | None:
    """The declaration of a value, a pointer or an array that a mention is the declarator of: it ends with its scope."""
    node = name
    while (around := node.parent) is not None and around.type in _DECLARATORS:
        if around.child_by_field_name("declarator") != node:
            return None
        node = around
    if around is None or around.type != "declaration" or node not in around.children_by_field_name("declarator"):
        return None
    return None if any(text(one) in _LASTING for one in around.children) else around


def _is_set(turn: Sequence[Node], mentions: list[Node]) -> bool:
    """Whether the turn sets a variable of its own accord before anything in the turn names it."""
    inside = [one for one in mentions if any(_holds(part, one) for part in turn)]
    first = min(inside, key=lambda one: one.start_byte, default=None)
    step = None if first is None else first.parent
    if first is None or step is None or step.type != "assignment_expression":
        return False
    value, sign = step.child_by_field_name("right"), text(step.child_by_field_name("operator"))
    if step.child_by_field_name("left") != first or sign != b"=" or value is None:
        return False
    return not any(_holds(value, one) for one in inside) and _is_always_done(step, turn)


def _is_always_done(step: Node, turn: Sequence[Node]) -> bool:
    """Whether an assignment is a statement of the turn itself, or begins a `for` that is one."""
    statement = step.parent
    if statement is not None and statement.type == "for_statement":
        if statement.child_by_field_name("initializer") != step:
            return False
    elif statement is None or statement.type != "expression_statement":
        return False
    block = statement.parent
    return statement in turn or (block in turn and block is not None and block.type == "compound_statement")


def _is_array(mentions: list[Node]) -> bool:
    declared = [one for one in mentions if _declaration(one) is not None]
    return len(declared) == 1 and declared[0].parent is not None and declared[0].parent.type == _ARRAY


def _is_part(name: Node, loop: Node) -> bool:
    """Whether a mention of an array is of one of its elements; outside the loop a call may be given all of it."""
    around = name.parent
    if around is None or around.type in (_ARRAY, "init_declarator"):
        return around is not None and around.child_by_field_name("declarator") == name
    if around.type == "subscript_expression":
        return around.child_by_field_name("argument") == name
    return around.type == "argument_list" and not _holds(loop, name)


def _holds(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
