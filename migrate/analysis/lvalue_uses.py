"""Whether an expression stands where C++ needs a place in memory, so that no number may be written for it.

References that are not constant, addresses, changes, output arguments, and what a function returns by reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_KEEPING = ("parenthesized_expression", "comma_expression", "conditional_expression")
"""Expressions that are the place that one of their parts is."""
_LISTS = ("initializer_list", "argument_list")
_PLACES = frozenset(b"addressof __addressof ref cref swap exchange tie as_const forward_as_tuple".split())
"""Functions of the C++ library that take a place: what they give refers to it, or they change it."""
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_declarator", "lambda_expression")
_FIELDS = tree_sitter_nodes.Kinds("cuda", "field_declaration")
_CLASSES = tree_sitter_nodes.Kinds("cuda", "class_specifier", "struct_specifier")
_MACRO = re.compile(rb"(?P<name>\w+)\((?P<parameters>[^()]*)\)(?P<body>.*)", re.S)
_CAST = re.compile(rb"\w+_cast\s*<(?P<type>.*)>", re.S)
_REFERENCE = re.compile(rb"(?<!&)&\s*\Z")
_REFERS = re.compile(rb"\breference_wrapper\b|<[^<>]*(?<!&)&\s*[,>]")
"""A type that holds a reference: `std::reference_wrapper<int>`, `std::pair<int &, int>`."""


def needs_place(parsed: ParsedFile, node: Node) -> bool:
    """Whether an expression is used as a place; what a function of another file does with it is not seen."""
    inner = node
    for around in tree_sitter_nodes.ancestors(node):
        kind = around.type
        if kind in _KEEPING and inner != around.child_by_field_name("condition"):
            inner = around
            continue
        if kind in _LISTS:
            return _is_handed(parsed, around, inner)
        return _is_place(parsed, around, inner)
    return False


def _is_place(parsed: ParsedFile, around: Node, inner: Node) -> bool:
    """The same for what is directly in an expression or a statement."""
    kind = around.type
    sign = text(around.child_by_field_name("operator"))
    if kind in ("update_expression", "gnu_asm_output_operand", "decltype"):
        return kind != "decltype" or inner.type == "parenthesized_expression"
    if kind == "pointer_expression":
        return sign == b"&" or text(around)[:1] == b"&"
    if kind == "assignment_expression":
        return inner == around.child_by_field_name("left")
    if kind == "binary_expression":
        return sign == b">>" and inner == around.child_by_field_name("right")
    if kind in ("init_declarator", "optional_parameter_declaration", "declaration"):
        return _is_bound(around)
    if kind == "lambda_capture_initializer":
        return text(around)[:1] == b"&"
    if kind == "cast_expression":
        return _is_lvalue(text(around.child_by_field_name("type")))
    return kind == "return_statement" and _returns_place(around)


def _is_bound(declarator: Node) -> bool:
    """Whether a variable is a reference that no number can begin: `auto &n`; not `const int &n`, `T &&n`."""
    holder = declarator if declarator.type != "init_declarator" else declarator.parent
    held = declarator.child_by_field_name("declarator")
    if held is None or holder is None:
        return False
    if _REFERS.search(text(holder.child_by_field_name("type"))) is not None:
        return True
    while held is not None and held.type in ("pointer_declarator", "array_declarator", "parenthesized_declarator"):
        held = held.named_children[-1] if held.named_children else None
    return held is not None and _is_reference(held) and not _is_constant(holder)


def _is_reference(declarator: Node) -> bool:
    kind = declarator.type in ("reference_declarator", "abstract_reference_declarator")
    return kind and not text(declarator).startswith(b"&&")


def _is_constant(declaration: Node) -> bool:
    """Whether what a reference is to is constant, and may so be a number: not where it is volatile, too."""
    qualifiers = {text(one) for one in declaration.named_children if one.type == "type_qualifier"}
    return b"const" in qualifiers and b"volatile" not in qualifiers


def _is_lvalue(spelled: bytes) -> bool:
    """Whether a type is a reference that is not constant, as it is spelled: `int &`."""
    return _REFERENCE.search(spelled) is not None and b"const" not in spelled.split()


def _returns_place(statement: Node) -> bool:
    """Whether the function around a `return` gives a reference that is not constant back."""
    kinds = ("function_definition", "lambda_expression")
    function = next((one for one in tree_sitter_nodes.ancestors(statement) if one.type in kinds), None)
    if function is None:
        return False
    body = function.child_by_field_name("body")
    head = text(function)[: (body.start_byte if body is not None else function.end_byte) - function.start_byte]
    if b"decltype(auto)" in b"".join(head.split()):
        return True
    _, arrow, trailing = head.rpartition(b"->")
    if arrow:
        return _is_lvalue(trailing.strip())
    held = function.child_by_field_name("declarator")
    return held is not None and _is_reference(held) and not _is_constant(function)


def _is_handed(parsed: ParsedFile, listed: Node, inner: Node) -> bool:
    """Whether what a list gives a function, a constructor or a macro at a place goes to a reference."""
    given = tree_sitter_nodes.elements(listed)
    at = next((number for number, one in enumerate(given) if one == inner), -1)
    holder = listed.parent
    if at < 0 or holder is None:
        return False
    if holder.type == "init_declarator":
        kind = holder.parent.child_by_field_name("type") if holder.parent is not None else None
        return _is_bound(holder) or _takes_place(parsed, _plain(text(kind)), at)
    if holder.type == "field_initializer":
        return _is_field(parsed, text(holder.named_children[0]))
    called = holder.child_by_field_name("function") or holder.child_by_field_name("type")
    cast = _CAST.fullmatch(text(called))
    if cast is not None:
        return _is_lvalue(cast["type"].strip())
    return _plain(text(called)) in _PLACES or _takes_place(parsed, _plain(text(called)), at)


def _plain(spelled: bytes) -> bytes:
    """The name of a function or class without its scope, object and template's arguments."""
    return re.split(rb"::|\.|->", spelled.partition(b"<")[0].strip())[-1]


def _takes_place(parsed: ParsedFile, name: bytes, at: int) -> bool:
    """Whether the file shows that a function, a lambda, a class or a macro takes a reference as an argument."""
    for function in _FUNCTIONS.below(parsed.tree.root_node):
        if _called(function) == name:
            inner = function.child_by_field_name("declarator") if function.type == "lambda_expression" else function
            listed = tree_sitter_nodes.elements(inner.child_by_field_name("parameters") if inner is not None else None)
            if any(_is_bound(one) for one in listed[at : at + 1]):
                return True
    for one in _CLASSES.below(parsed.tree.root_node):
        if text(one.child_by_field_name("name")) == name and any(map(_is_bound, _FIELDS.below(one))):
            return True
    return any(_changes(*macro) for macro in _macros(parsed, name, at))


def _called(function: Node) -> bytes:
    """The name of what a declarator declares; of a lambda that of the variable that it is given to."""
    if function.type == "lambda_expression":
        holder = function.parent
        return text(holder.child_by_field_name("declarator")) if holder is not None else b""
    return _plain(text(function.child_by_field_name("declarator")))


def _is_field(parsed: ParsedFile, name: bytes) -> bool:
    """Whether a member of the name is declared as a reference."""
    for one in _FIELDS.below(parsed.tree.root_node):
        held = one.child_by_field_name("declarator")
        if held is not None and text(held).lstrip(b"& ") == name and _is_bound(one):
            return True
    return False


def _macros(parsed: ParsedFile, name: bytes, at: int) -> Iterator[tuple[bytes, bytes]]:
    """The bodies of the file's macros of a name, each with the parameter that an argument goes to."""
    for line in parsed.lexed.directives if parsed.lexed.holds(b"define") else ():
        macro = _MACRO.match(line.argument(parsed.data)) if line.name == "define" else None
        if macro is not None and macro["name"] == name:
            names = [one.strip() for one in macro["parameters"].split(b",")]
            yield from ((macro["body"], one) for one in names[at : at + 1])


def _changes(body: bytes, parameter: bytes) -> bool:
    """Whether the body of a macro takes the address of a parameter, or gives it a value."""
    own = re.escape(parameter)
    found = rb"&\s*\(?\s*%b\b|\b%b\s*\)?\s*(?:[-+*/%%|&^]?=(?!=)|<<=|>>=|\+\+|--)|(?:\+\+|--)\s*\(?\s*%b\b"
    return re.search(found % (own, own, own), body) is not None
