"""What a part of a file declares for the code around it, and what it calls: functions with numbers of parameters.

The part is read by itself, as the branch of a conditional is whose other branches declare the same names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import Kinds

_AROUND = frozenset(
    (
        *("translation_unit", "namespace_definition", "declaration_list", "template_declaration"),
        *("linkage_specification", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "ERROR"),
    )
)
"""What holds declarations that the code around it sees."""
_TYPES = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier", "alias_declaration")
_MACROS = ("preproc_def", "preproc_function_def")
_FUNCTIONS = ("function_definition", "declaration")
_CALLS = Kinds("cuda", "call_expression")
_MANY = 1 << 16
"""The number of arguments that a function takes which takes any."""


@dataclass(frozen=True, slots=True)
class Declared:
    """Functions, each with the least and the most arguments of its declarations, and the names of types and macros."""

    functions: Mapping[bytes, frozenset[tuple[int, int]]]
    others: frozenset[bytes]
    parameters: frozenset[bytes] = frozenset()
    """The names of the parameters of the functions."""
    objects: Mapping[bytes, bytes] = field(default_factory=dict)
    """The variables and members that are declared, each with its type."""

    @property
    def signatures(self) -> frozenset[tuple[bytes, int]]:
        """Each function with its number of parameters, which a declaration and a definition of it have in common."""
        return frozenset((name, most) for name, counts in self.functions.items() for _, most in counts)

    @property
    def names(self) -> frozenset[bytes]:
        """All names."""
        return self.others | self.functions.keys()

    def takes(self, name: bytes, arguments: int) -> bool:
        """Whether a function of this name takes so many arguments, or something else has the name."""
        return name in self.others or any(least <= arguments <= most for least, most in self.functions.get(name, ()))


NOTHING = Declared({}, frozenset())
"""What an absent branch declares."""


def declared(text: bytes) -> Declared:
    """What a part of a file declares outside of its functions and classes. Never raises on any bytes."""
    functions, others = dict[bytes, set[tuple[int, int]]](), set[bytes]()
    parameters, objects = set[bytes](), dict[bytes, bytes]()
    waiting = [tree_sitter_nodes.parse("cuda", text).root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _AROUND:
            waiting.extend(node.named_children)
        elif node.type in (*_TYPES, *_MACROS):
            others.update(_texts(node.child_by_field_name("name")))
        elif node.type == "type_definition":
            others.update(name for one in node.children_by_field_name("declarator") for name in _texts(one))
        elif node.type in _FUNCTIONS and (function := _declarator(node)) is not None:
            listed = function.child_by_field_name("parameters")
            parameters.update(_parameters(listed))
            for name in _texts(_named(function, listed)):
                functions.setdefault(name, set()).add(_counts(listed))
        elif node.type == "declaration":
            objects.update(_objects(node))
    taken = {name: frozenset(counts) for name, counts in functions.items()}
    return Declared(taken, frozenset(others), frozenset(parameters), objects)


def calls(text: bytes) -> Iterator[tuple[bytes, int]]:
    """The functions that a part of a file calls by name, without namespaces, with the number of arguments."""
    for call in _CALLS.below(tree_sitter_nodes.parse("cuda", text).root_node):
        called = call.child_by_field_name("function")
        while called is not None and called.type in ("template_function", "qualified_identifier"):
            called = called.child_by_field_name("name")
        if called is not None and called.type == "identifier":
            yield called.text or b"", len(tree_sitter_nodes.elements(call.child_by_field_name("arguments")))


def _declarator(node: Node) -> Node | None:
    """What names the function that is declared, with its parameters; None where none is."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type != "function_declarator":
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
    return inner


def _objects(node: Node) -> Iterator[tuple[bytes, bytes]]:
    """The variables or members of a declaration, with their types: what is before the name, and behind it."""
    kind = node.child_by_field_name("type")
    for whole in node.children_by_field_name("declarator") if kind is not None else ():
        outer = whole.child_by_field_name("declarator") if whole.type == "init_declarator" else whole
        inner = outer
        while inner is not None and inner.type not in ("identifier", "field_identifier"):
            inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
        if kind is not None and outer is not None and inner is not None and inner.text and outer.text:
            text = outer.text.replace(inner.text, b"", 1)
            yield inner.text, b"".join(((kind.text or b"") + b" " + text).split())


def _named(function: Node, parameters: Node | None) -> Node | None:
    """The name of a function: what is right before its parameters, which the grammar makes an error behind a macro."""
    before = parameters.prev_sibling if parameters is not None else None
    if before is not None and before.type == "ERROR" and before.named_children:
        return before.named_children[-1]
    return function.child_by_field_name("declarator")


def _counts(parameters: Node | None) -> tuple[int, int]:
    """The least and the most arguments that a list of parameters takes."""
    listed = tree_sitter_nodes.elements(parameters)
    if len(listed) == 1 and listed[0].text == b"void":
        return 0, 0
    optional = sum(one.type == "optional_parameter_declaration" for one in listed)
    variadic = any(one.type.startswith("variadic") for one in listed) or b"..." in (
        parameters.text or b"" if parameters else b""
    )
    return len(listed) - optional, _MANY if variadic else len(listed)


def _parameters(parameters: Node | None) -> Iterator[bytes]:
    """The names of the parameters of a list."""
    for one in tree_sitter_nodes.elements(parameters):
        inner = one.child_by_field_name("declarator")
        while inner is not None and inner.type != "identifier":
            inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
        yield from _texts(inner)


def _texts(name: Node | None) -> Iterator[bytes]:
    if name is not None and name.type in ("identifier", "type_identifier"):
        yield name.text or b""
