"""Variables that are declared with addresses of shared memory as elements: `float *rows[2] = {tile, tile + 64};`.

clang makes a constant of a list whose elements all are constant expressions, and copies the variable from it. The
address of a `__shared__` variable is one, of an address space of its own: AMD's back end cannot write the conversion
to a generic pointer into a constant. Elements of which one is known only when the kernel runs are stored one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda import declarations
from cudamigrate.syntax import tree_sitter_nodes

_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_LISTS = tree_sitter_nodes.Kinds("cuda", "init_declarator")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition", "lambda_expression")
_FIXED = frozenset((b"const", b"constexpr"))
_LITERALS = ("number_literal", "char_literal", "true", "false", "null", "nullptr", "sizeof_expression")
_INSIDE = ("parenthesized_expression", "cast_expression", "unary_expression", "binary_expression")
_CASTS = (b"static_cast", b"reinterpret_cast", b"const_cast")
_SUMS = ("+", "-")


class Table(NamedTuple):
    """A declared variable, its name, and the elements that it begins with."""

    declarator: Node
    name: str
    elements: Sequence[Node]


class _Names(NamedTuple):
    """How often each shared variable can be indexed, and the names whose values only the running kernel knows."""

    shared: Mapping[bytes, int]
    open: frozenset[bytes]


def of(root: Node) -> Iterator[Table]:
    """The variables of functions whose first elements all are constants, an address of shared memory among them."""
    outside = dict(_shared(one for one in _DECLARATIONS.below(root) if _function(root, one) is None))
    known: dict[int, _Names] = {}
    for node in _LISTS.below(root):
        function, value = _function(root, node), node.child_by_field_name("value")
        if function is None or value is None or value.type != "initializer_list" or not _is_local(node):
            continue
        if function.id not in known:
            known[function.id] = _names(function, outside)
        elements = list(_flat(value))
        name = _plain(node.child_by_field_name("declarator"))
        kinds = [_kind(one, known[function.id]) for one in elements]
        if len(elements) > 1 and name is not None and all(kinds) and "address" in kinds:
            yield Table(node, declarations.text(name).decode("latin-1"), elements)


def _function(root: Node, node: Node) -> Node | None:
    return next(_FUNCTIONS.around(root, node), None)


def _is_local(node: Node) -> bool:
    """Whether a variable is declared by itself in a block, and is none that is made before the kernel runs."""
    outer = node.parent
    if outer is None or outer.type != "declaration":
        return False
    head = declarations.text(outer)[: node.start_byte - outer.start_byte].split()
    return not {b"static", b"constexpr", b"__shared__", b"__constant__"} & set(head)


def _flat(listed: Node) -> Iterator[Node]:
    for one in listed.named_children:
        if one.type == "initializer_list":
            yield from _flat(one)
        elif one.type != "comment":
            yield one


def _shared(nodes: Iterator[Node]) -> Iterator[tuple[bytes, int]]:
    """The shared variables that declarations declare, each with how many of its indices are an array's."""
    for node in nodes:
        listed = node.children_by_field_name("declarator")
        head = declarations.text(node)[: listed[0].start_byte - node.start_byte].split() if listed else []
        for declarator in listed if b"__shared__" in head else ():
            rank, inner = 0, declarator
            while inner.type == "array_declarator":
                held = inner.child_by_field_name("declarator")
                rank, inner = rank + 1, held if held is not None else inner
            if inner.type == "identifier":
                yield declarations.text(inner), rank


def _names(function: Node, outside: Mapping[bytes, int]) -> _Names:
    found = dict(declarations.declared(function))
    own = dict(_shared(one for one in _DECLARATIONS.below(function)))
    shared = {**{name: rank for name, rank in outside.items() if name not in found}, **own}
    names = _Names(shared, frozenset(found.keys() - own.keys()))
    fixed = {name for name in names.open if _is_fixed(found[name], names)}
    return _Names(shared, names.open - fixed)


def _is_fixed(local: declarations.Local, names: _Names) -> bool:
    """Whether a variable of a function is a number that is known as the code is compiled."""
    if not local.qualifiers & _FIXED:
        return False
    return local.value is not None and _kind(local.value, names) == "constant"


def _plain(declarator: Node | None) -> Node | None:
    """The name in a declarator of a variable."""
    while declarator is not None and declarator.type in ("pointer_declarator", "array_declarator"):
        inner = declarator.child_by_field_name("declarator")
        declarator = inner
    return declarator if declarator is not None and declarator.type == "identifier" else None


def _kind(node: Node, names: _Names) -> str:
    """Whether an expression is an `address` of shared memory, another `constant`, or empty for anything else."""
    if node.type in _LITERALS:
        return "constant"
    if node.type == "identifier":
        name = declarations.text(node)
        if name in names.shared:
            return "address" if names.shared[name] else ""
        return "" if name in names.open else "constant"
    if node.type == "pointer_expression":
        inner = node.child_by_field_name("argument")
        taken = inner is not None and declarations.text(node).startswith(b"&") and _indices(inner, names) >= 0
        return "address" if taken else ""
    if node.type == "subscript_expression":
        return "address" if _indices(node, names) > 0 else ""
    if node.type in _INSIDE or (node.type == "call_expression" and _is_cast(node)):
        return _joined(node, names)
    return ""


def _indices(node: Node, names: _Names) -> int:
    """How many indices an element of a shared variable still takes, all those before constant; -1 for no such one."""
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return _indices(node.named_children[0], names)
    if node.type == "identifier":
        return names.shared.get(declarations.text(node), -1)
    if node.type != "subscript_expression":
        return -1
    whole, listed = node.child_by_field_name("argument"), node.child_by_field_name("indices")
    given = listed.named_children if listed is not None else []
    if whole is None or not given or any(_kind(one, names) != "constant" for one in given):
        return -1
    return max(-1, _indices(whole, names) - 1)


def _is_cast(call: Node) -> bool:
    return declarations.text(call.child_by_field_name("function")).startswith(_CASTS)


def _joined(node: Node, names: _Names) -> str:
    """The kind of an expression by those of its operands: an address moves by constants, and no other does."""
    sign = node.child_by_field_name("operator")
    if node.type == "call_expression":
        given = tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
    else:
        given = [one for one in node.named_children if one.type not in ("type_descriptor", "comment")]
    kinds = [_kind(one, names) for one in given]
    if not kinds or not all(kinds):
        return ""
    if "address" not in kinds:
        return "constant"
    moved = sign is None or (sign.type in _SUMS and kinds.count("address") == 1)
    return "address" if moved else ""
