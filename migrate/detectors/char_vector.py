"""Components of `char1` to `char4` where a `signed char` is asked for: HIP's hold plain `char`, another type.

The values are the same; references, pointers, deduced templates and overloads are not.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda import declarations
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import Kinds

WORDS = (b"char1", b"char2", b"char3", b"char4")

_FIELDS = Kinds("cuda", "field_expression")
_FUNCTIONS = Kinds("cuda", "function_definition")
_DECLARATORS = Kinds("cuda", "function_declarator")
_PARTS = frozenset((b"x", b"y", b"z", b"w"))
_VECTOR = re.compile(rb"(?<![\w])char[1-4](?!\w)")
_SIGNED = rb"(?:\bsigned\s+char|\b(?:std::)?int8_t)(?!\w)"
_MENTIONS = re.compile(_SIGNED)
_ALIAS = re.compile(rb"\btypedef\s+char[1-4]\s+(\w+)\s*;|\busing\s+(\w+)\s*=\s*char[1-4]\s*;")
_MEMBER = re.compile(rb"(?<!\w)char[1-4]\s+(\w+)\s*(?:\[[^\]]*\]\s*)?;")
_RETURNS = re.compile(rb"(?P<const>\bconst\s+)?" + _SIGNED + rb"\s*(?P<kind>[&*])\s*(?:\w+::)*\w+\s*\Z")
"""The head of a function up to its parameters, where it gives a reference or a pointer to the type."""
_TYPE = re.compile(rb"(?:signed\s+char|(?:std::)?int8_t)")
_PASSED = ("parenthesized_expression", "conditional_expression")
_SAME_TYPE = re.compile(rb"(?:std|thrust)::(?:min|max)")
"""Templates whose two arguments must have one type."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each component that is bound to `signed char`, or passed where that type decides."""
    if _VECTOR.search(parsed.data) is None or _MENTIONS.search(parsed.data) is None:
        return
    root = parsed.tree.root_node
    vectors = {b"char1", b"char2", b"char3", b"char4"}
    vectors |= {match[1] or match[2] for match in _ALIAS.finditer(parsed.data)}
    for function in _FUNCTIONS.below(root):
        names = _names(function, vectors)
        for node in _FIELDS.within(root, function):
            if text(node.child_by_field_name("field")) not in _PARTS or _function(node) != function:
                continue
            if not _is_vector(parsed, node.child_by_field_name("argument"), names):
                continue
            if parsed.hip(node.start_byte) is None and parsed.lexed.is_code(node.start_byte):
                yield from _asked(parsed, node, function)


def _asked(parsed: ParsedFile, node: Node, function: Node) -> Iterator[Hit]:
    """The finding for one component, if what is around it asks for the type."""
    around, inner = _around(node)
    kind = ""
    if around is not None and around.type == "pointer_expression" and text(around).startswith(b"&"):
        address, last = _around(around)
        kind = _bound(parsed, address, last, function, b"*")
    elif around is not None:
        kind = _bound(parsed, around, inner, function, b"&")
        if not kind and around.type == "argument_list" and _decides(parsed, around, inner):
            kind = "value"
    if kind:
        span = Span(node.start_byte, node.end_byte)
        rule = "build/char-component-value" if kind == "value" else "build/char-component"
        use = Use("name", kind, span, span, (), parsed.scope(span.start), "syntax")
        yield Hit(rule, use, {"type": "signed char"})


def _bound(parsed: ParsedFile, around: Node | None, inner: Node, function: Node, sign: bytes) -> str:
    """The type to which a reference (`&`) or an address (`*`) is bound there, with `const` where that has it."""
    if around is None:
        return ""
    if around.type == "return_statement":
        declarator = next(iter(_DECLARATORS.below(function)), None)
        parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
        head = parsed.data[function.start_byte : parameters.start_byte] if parameters is not None else b""
        match = _RETURNS.search(head)
        return _spelled(match["const"]) if match is not None and match["kind"] == sign else ""
    if around.type == "init_declarator" and around.parent is not None:
        declarator, wanted = around.child_by_field_name("declarator"), "reference" if sign == b"&" else "pointer"
        whole = around.parent
        is_value = inner == around.child_by_field_name("value")
        if declarator is None or declarator.type != f"{wanted}_declarator" or not is_value:
            return ""
        is_const = any(text(one) == b"const" for one in whole.named_children if one.type == "type_qualifier")
        if _TYPE.fullmatch(text(whole.child_by_field_name("type"))) and not (is_const and sign == b"&"):
            return _spelled(b"const" if is_const else None)
    return ""


def _spelled(const: bytes | None) -> str:
    return "const signed char" if const else "signed char"


def _decides(parsed: ParsedFile, arguments: Node, inner: Node) -> bool:
    """Whether the type of an argument chooses the function: a template for one type, or an overload of the file."""
    call = arguments.parent
    called = text(call.child_by_field_name("function")) if call is not None else b""
    given = tree_sitter_nodes.elements(arguments)
    at = next((number for number, one in enumerate(given) if one == inner), -1)
    if call is None or call.type != "call_expression" or at < 0:
        return False
    if _SAME_TYPE.fullmatch(called) and len(given) == 2:
        function = _function(call)
        return function is not None and _is_signed(function, given[1 - at])
    if not re.fullmatch(rb"\w+", called):
        return False
    kinds = {kind for kind in _overloads(parsed, called, at) if kind}
    return len(kinds) > 1 and any(_TYPE.fullmatch(kind) for kind in kinds)


def _overloads(parsed: ParsedFile, name: bytes, at: int) -> Iterator[bytes]:
    """The types that functions of that name in the file have for a parameter."""
    for declarator in _DECLARATORS.below(parsed.tree.root_node):
        if text(declarator.child_by_field_name("declarator")) == name:
            parameters = declarator.child_by_field_name("parameters")
            listed = tree_sitter_nodes.elements(parameters)
            if at < len(listed) and listed[at].type == "parameter_declaration":
                yield text(listed[at].child_by_field_name("type"))


def _is_signed(function: Node, node: Node) -> bool:
    """Whether an expression is seen to be a `signed char`: a variable of the function, or a cast."""
    if node.type == "cast_expression":
        return _TYPE.fullmatch(text(node.child_by_field_name("type"))) is not None
    words = [local.words for name, local in declarations.declared(function) if name == text(node)]
    return bool(words) and all(one in ({b"signed", b"char"}, {b"int8_t"}, {b"std", b"int8_t"}) for one in words)


def _names(function: Node, vectors: set[bytes]) -> dict[bytes, bool]:
    """The variables and parameters of a function, and whether they are char vectors in all its declarations."""
    found: dict[bytes, bool] = {}
    for name, local in declarations.declared(function):
        found[name] = found.get(name, True) and not vectors.isdisjoint(local.words) and len(local.words) == 1
    return found


def _is_vector(parsed: ParsedFile, node: Node | None, names: dict[bytes, bool]) -> bool:
    """Whether an expression is a char vector: a variable, an element, what a pointer is for, or a member."""
    while node is not None and node.type in ("subscript_expression", "pointer_expression", "parenthesized_expression"):
        node = node.child_by_field_name("argument") or (node.named_child(0) if node.named_child_count else None)
    if node is None:
        return False
    if node.type == "field_expression":
        return text(node.child_by_field_name("field")) in parsed.once(_members)
    return names.get(text(node), False)


def _members(parsed: ParsedFile) -> frozenset[bytes]:
    """Names that the file gives members of these types."""
    return frozenset(match[1] for match in _MEMBER.finditer(parsed.data))


def _around(node: Node) -> tuple[Node | None, Node]:
    """What is around an expression whose value it is, and the part of that which holds it."""
    inner, around = node, node.parent
    while around is not None and around.type in _PASSED and inner != around.child_by_field_name("condition"):
        inner, around = around, around.parent
    return around, inner


def _function(node: Node) -> Node | None:
    """The innermost function definition or lambda around a node."""
    around = node.parent
    while around is not None and around.type not in ("function_definition", "lambda_expression"):
        around = around.parent
    return around
