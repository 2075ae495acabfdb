"""Questions about nodes of a syntax tree: what is around an expression, what it is given to, what it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes

COMPARISONS = frozenset((b"==", b"!=", b"<", b"<=", b">", b">="))
OPERATIONS = tree_sitter_nodes.Kinds("cuda", "binary_expression")
_IFS = tree_sitter_nodes.Kinds("cuda", "if_statement")
CLASSES = ("struct_specifier", "class_specifier")
OBJECTS = (*CLASSES, "union_specifier")
"""What objects are of: classes, and unions, which may have functions too."""
_OF_WAVE = re.compile(rb"wave|warp_?size|gfx|AMDGCN|__CUDA_ARCH__", re.IGNORECASE)
_THIRTY_TWO = re.compile(rb"\b32\b")
"""A condition on a number that is 32 where it holds: `#if LANES == 32`."""
_MADE = {
    "init_declarator": "declarator",
    "assignment_expression": "left",
    "optional_parameter_declaration": "declarator",
    "enumerator": "name",
    "field_declaration": "declarator",
}


def bare(node: Node | None) -> Node | None:
    """An expression without brackets around it."""
    while node is not None and node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def without_cast(node: Node | None) -> Node | None:
    """An expression without brackets and casts around it."""
    inner = bare(node)
    while inner is not None and inner.type == "cast_expression":
        inner = bare(inner.child_by_field_name("value"))
    return inner


def below(node: Node) -> Iterator[Node]:
    """A node and all that is in it."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(inner.named_children)


def plain_name(function: Node | None) -> bytes:
    """The name of what is called, without namespaces, objects and template arguments."""
    if function is None:
        return b""
    if function.type == "field_expression":
        function = function.child_by_field_name("field")
    while function is not None and function.type == "qualified_identifier":  # `of<R>::vote`, whose scope has brackets
        function = function.child_by_field_name("name")
    return text(function).partition(b"<")[0].strip().rpartition(b"::")[2]


def identifiers(node: Node) -> Iterator[bytes]:
    """The identifiers and the words of strings in a piece of code."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.named_child_count == 0 or inner.type == "string_literal":
            yield from text(inner).split() if inner.type == "string_literal" else (text(inner),)
        waiting.extend(inner.named_children)


def assertion(node: Node) -> Node | None:
    """The assertion around a place."""
    for around in tree_sitter_nodes.ancestors(node):
        if around.type == "static_assert_declaration":
            return around
        if around.type == "call_expression" and b"assert" in plain_name(around.child_by_field_name("function")).lower():
            return around
        if around.type.endswith(("_statement", "declaration")):
            return None
    return None


def callee(listed: Node) -> bytes:
    """The name of what is called with arguments, or with template arguments."""
    call = listed.parent
    if call is None:
        return b""
    if listed.type == "template_argument_list":
        return plain_name(call.child_by_field_name("name"))
    if call.type == "init_declarator":
        return text(call.parent.child_by_field_name("type")) if call.parent is not None else b""
    return plain_name(call.child_by_field_name("function")) if call.type == "call_expression" else b""


def declared_name(parameter: Node) -> bytes:
    """The name that a parameter declares."""
    node: Node | None = parameter
    while node is not None and node.type not in ("identifier", "type_identifier"):
        inner = node.child_by_field_name("declarator")
        node = inner if inner is not None else (node.named_children[-1] if node.named_children else None)
    return text(node)


def template_parameters(node: Node) -> set[bytes]:
    """What the templates around a place are given: types and values."""
    around = (one for one in tree_sitter_nodes.ancestors(node) if one.type == "template_declaration")
    listed = (one.child_by_field_name("parameters") for one in around)
    return {declared_name(one) for each in listed if each is not None for one in each.named_children}


def class_name(node: Node) -> bytes:
    """The name of the class around a place."""
    around = next((one for one in tree_sitter_nodes.ancestors(node) if one.type in CLASSES), None)
    return b"" if around is None else text(around.child_by_field_name("name"))


def conditions(parsed: ParsedFile, node: Node) -> Iterator[tuple[Node, Node]]:
    """The conditions that hold where a node is, each with the statement it guards."""
    for around in _IFS.around(parsed.tree.root_node, node):
        guarded, condition = around.child_by_field_name("consequence"), around.child_by_field_name("condition")
        if guarded is None or condition is None:
            continue
        if _is_inside(node, guarded):
            yield condition, guarded


class Guarded:
    """Whether a condition that holds where a node is passes a test: each is tested once, for all that is under it."""

    def __init__(self, parsed: ParsedFile, test: Callable[[Node], bool]) -> None:
        self._root, self._test = parsed.tree.root_node, test
        self._passes: dict[int, bool] = {}
        self._around: dict[int, bool] = {}

    def holds(self, node: Node) -> bool:
        """The answer for one node."""
        found, passed = False, list[int]()
        for branch in _IFS.around(self._root, node):
            guarded, condition = branch.child_by_field_name("consequence"), branch.child_by_field_name("condition")
            if guarded is not None and condition is not None and _is_inside(node, guarded):
                if branch.id not in self._passes:
                    self._passes[branch.id] = self._test(condition)
                found = self._passes[branch.id]
            found = found or self._around.get(branch.id, False)
            if found or branch.id in self._around:
                break
            passed.append(branch.id)
        self._around.update(dict.fromkeys(passed, found))
        return found


def _is_inside(node: Node, around: Node) -> bool:
    return around.start_byte <= node.start_byte and node.end_byte <= around.end_byte


def asks_for_wave(parsed: ParsedFile, node: Node) -> bool:
    """Whether a condition around a place, or a directive's, speaks of the wave, or of a GPU that has one."""
    directives = (text for branch in parsed.branches_around(node.start_byte) for text in branch.conditions)
    if any(_OF_WAVE.search(one) or _THIRTY_TWO.search(one) for one in directives):
        return True
    return parsed.once(_of_wave).holds(node)


def _of_wave(parsed: ParsedFile) -> Guarded:
    return Guarded(parsed, lambda condition: _OF_WAVE.search(text(condition)) is not None)


def comparisons(condition: Node) -> Iterator[Node]:
    """The comparisons that a condition is made of."""
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        if node.type == "binary_expression" and text(node.child_by_field_name("operator")) in COMPARISONS:
            yield node
        elif node.type in ("binary_expression", "parenthesized_expression", "condition_clause"):
            waiting.extend(node.named_children)


def is_sum(node: Node | None) -> bool:
    """Whether an expression adds."""
    return node is not None and node.type == "binary_expression" and text(node.child_by_field_name("operator")) == b"+"


def outer(node: Node) -> Node | None:
    """What is around an expression, brackets left out."""
    around = tree_sitter_nodes.parent(node)
    while around is not None and around.type == "parenthesized_expression":
        around = tree_sitter_nodes.parent(around)
    return around


def expressions_around(node: Node) -> Iterator[Node]:
    """The expressions around a node, and what they make."""
    for around in tree_sitter_nodes.ancestors(node):
        yield around
        if around.type.endswith(("_statement", "declaration", "parameter_list")) or around.type == "compound_statement":
            return


def span(node: Node) -> Span:
    """The range of a node."""
    return Span(node.start_byte, node.end_byte)


def made(node: Node) -> bytes:
    """The name of the variable or constant that an expression goes into; empty where it makes none."""
    child = node
    for around in expressions_around(node):
        if around.type in _MADE:
            name = around.child_by_field_name(_MADE[around.type])
            while name is not None and name.child_by_field_name("declarator") is not None:
                name = name.child_by_field_name("declarator")
            spelled = text(name) if name is not None and name != child else b""
            return spelled if spelled.replace(b"_", b"").isalnum() else b""
        child = around
    return b""


def holds(outer: Node, inner: Node) -> bool:
    """Whether a node covers another one, or is it."""
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
