"""Values of the host that a function keeps to itself: nothing outside of it is computed from them.

A value goes on to the variables that it is assigned to, and to the blocks made of it. It leaves with a result, by a
place that is no local variable, by an address or a reference, or to a function that is called.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_COMPUTING = frozenset(b"min max std::min std::max dim3 abs std::abs static_cast int unsigned size_t".split())
"""Calls that give what they make of their arguments, and keep none of it."""
_ENDS = ("expression_statement", "condition_clause", "compound_statement")
_LEAVING = ("return_statement", "lambda_expression", "pointer_expression", "field_initializer", "new_expression")
_OBJECT = re.compile(rb"([A-Za-z_]\w*)\s*(?:\.\s*\w+\s*)?\Z")
"""A variable, or a member of one: `block.x`."""
_NAMES = ("identifier", "type_identifier")
"""A name; in `dim3 block(n)`, which reads as a function's declaration, that of a type."""
_QUERY = re.compile(rb"(?:cuda|hip|cu)DeviceGetAttribute")
_PLACE = re.compile(rb"&\s*([A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)?\Z")
"""Where a query puts its result: `&lanes`, `&values[i]`."""
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")


def statements(parsed: ParsedFile, start: int) -> frozenset[int]:
    """Where the statements begin that a value comes to which is read at a place; none where it leaves the function.

    What a query of the runtime is given first, `&n`, is the variable that it puts the value in.
    """
    function, root = parsed.function(start), parsed.tree.root_node
    node = root.descendant_for_byte_range(start, start + 1)
    if function is None or node is None:
        return frozenset()
    reach = _Reach(parsed, function)
    return frozenset(reach.statements) if reach.ends(node) else frozenset()


class _Reach:
    """The variables of a function that a value has come to."""

    def __init__(self, parsed: ParsedFile, function: Function) -> None:
        self._parsed, self._function = parsed, function
        self._seen, self.statements = set[bytes](), set[int]()
        body = parsed.tree.root_node.descendant_for_byte_range(function.body.start, function.body.end - 1)
        found = _DECLARATIONS.below(body) if body is not None else ()
        self._locals = {name for one in found if b"static" not in text(one).split(b"=")[0] for name in _declared(one)}

    def follows(self, name: bytes) -> bool:
        """Whether all uses of a variable stay, which is a local one."""
        if name in self._seen:
            return True
        self._seen.add(name)
        return name in self._locals and all(self.ends(one) for one in self._uses(name))

    def _uses(self, name: bytes) -> Iterator[Node]:
        body, root = self._function.body, self._parsed.tree.root_node
        for at in self._parsed.lexed.words(frozenset((name,))):
            node = root.descendant_for_byte_range(at, at + len(name)) if body.start <= at < body.end else None
            if node is not None and node.type in _NAMES and not _is_filled(node):
                yield node

    def ends(self, node: Node) -> bool:
        """Whether a value that is read at a node goes nowhere else, but for variables that are followed."""
        inner = node
        for around in tree_sitter_nodes.ancestors(node):
            if around.type in (*_ENDS, "declaration"):
                self.statements.add(around.start_byte)
            if around.type in _ENDS:
                return True
            if around.type in _LEAVING:
                return False
            if around.type == "call_expression" and (result := _result(around)):
                return self.follows(result)
            if around.type == "call_expression" and around.child_by_field_name("function") != inner:
                syntax = any(one.type == "kernel_call_syntax" for one in around.children)
                if not syntax and text(around.child_by_field_name("function")).split(b"<")[0] not in _COMPUTING:
                    return False
            if around.type == "assignment_expression":
                held = _OBJECT.match(text(around.child_by_field_name("left")))
                return held is not None and self.follows(held[1])
            if around.type == "declaration":
                return b"&" not in text(around).partition(b"=")[0] and all(map(self.follows, _declared(around)))
            inner = around
        return False


def _declared(declaration: Node) -> list[bytes]:
    """The variables of a declaration."""
    found = []
    for one in declaration.children_by_field_name("declarator"):
        node: Node | None = one
        while node is not None and node.type != "identifier":
            node = node.child_by_field_name("declarator")
        found.append(text(node))
    return found


def _result(call: Node) -> bytes:
    """The variable, of one value or of several, in which a query of the runtime puts what it was asked for."""
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    asks = _QUERY.fullmatch(text(call.child_by_field_name("function"))) is not None
    found = _PLACE.match(text(given[0])) if asks and given else None
    return b"" if found is None else found[1]


def _is_filled(node: Node) -> bool:
    """Whether a name is that of a variable where a query puts its result in it."""
    call = next((one for one in tree_sitter_nodes.ancestors(node) if one.type == "call_expression"), None)
    given = [] if call is None else tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    is_first = bool(given) and given[0].start_byte <= node.start_byte < given[0].end_byte
    return is_first and call is not None and _result(call) == text(node)
