"""What a function declares, and which calls a file has: names and arguments as the tree shows them.

Result: variables with their types and first values, calls with their arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_CLASSES = ("struct_specifier", "class_specifier")
_SPECIFIERS = tree_sitter_nodes.Kinds("cuda", *_CLASSES)
_DECLARATIONS = tree_sitter_nodes.Kinds(
    "cuda", "declaration", "parameter_declaration", "optional_parameter_declaration"
)
CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_FIELDS = tree_sitter_nodes.Kinds("cuda", "field_declaration")
_BODIES = ("function_definition", "compound_statement", "lambda_expression")
_NAMES = ("identifier", "field_identifier")
_SHORT = 60
"""Bytes of a type's name; a longer one may be the whole body of a class, which is not kept."""
_CALLED = re.compile(rb"(?:\w+::)*(\w+)\s*(?:<.*>)?\Z", re.S)


@dataclass(frozen=True, slots=True)
class Local:
    """A variable or parameter: the words of its type, how often it is indexed, what it starts as, its qualifiers.

    `type` is where the declaration says the type.
    """

    words: frozenset[bytes]
    rank: int
    value: Node | None
    qualifiers: frozenset[bytes] = frozenset()
    type: Node | None = None


def text(node: Node | None) -> bytes:
    """Bytes of a node; empty for None."""
    return b"" if node is None else node.text or b""


def declared(function: Node, root: Node | None = None) -> Iterator[tuple[bytes, Local]]:
    """Names declared in a function, its parameters included; faster with the root of the tree."""
    found = _DECLARATIONS.below(function) if root is None else _DECLARATIONS.within(root, function)
    yield from declared_by(one for one in found if not _is_of_declaration(one))


def _is_of_declaration(node: Node) -> bool:
    """Whether a parameter is of a function that is only declared: `std::vector<int> v(n * K);` reads as such, too."""
    around = node.parent if node.type != "declaration" else None
    around = around.parent if around is not None and around.type == "parameter_list" else None
    while around is not None and around.type.endswith("declarator"):
        around = around.parent
    return around is not None and around.type == "declaration"


def fields(root: Node) -> Iterator[tuple[bytes, Local]]:
    """The same for the members of all classes."""
    return declared_by(_FIELDS.below(root))


def class_fields(root: Node) -> Iterator[tuple[bytes, bytes, Local]]:
    """The members of all classes that have a name, each behind that; for a template behind its name."""
    for node in _FIELDS.below(root):
        around = node.parent.parent if node.parent is not None else None
        if around is not None and around.type in _CLASSES and (named := class_name(around.child_by_field_name("name"))):
            for member, local in declared_by([node]):
                yield named, member, local


def class_name(kind: Node | None) -> bytes:
    """The last name of a type, without namespaces and template arguments; empty for what is no class."""
    plain = text(kind).partition(b"<")[0].rpartition(b"::")[2].strip()
    return plain if re.fullmatch(rb"[A-Za-z_]\w*", plain) else b""


def outside(root: Node) -> Iterator[tuple[bytes, Local]]:
    """The same for variables that are declared outside of functions."""
    found = (one for one in _DECLARATIONS.below(root) if one.type == "declaration")
    return declared_by(one for one in found if all(a.type not in _BODIES for a in tree_sitter_nodes.ancestors(one)))


def parameters(function: Node) -> list[Local | None]:
    """What the parameters of a function are declared as, in order; None for one that is not understood."""
    return [next((local for _, local in declared_by([one])), None) for one in _listed(function)]


def parameter_names(function: Node) -> list[bytes]:
    """What the parameters of a function are called, in order; empty for one without a name."""
    return [next((name for name, _ in declared_by([one])), b"") for one in _listed(function)]


def _listed(function: Node) -> list[Node]:
    """The declarations of a function's parameters."""
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or next(iter(declarator.named_children), None)
    return [] if declarator is None else tree_sitter_nodes.elements(declarator.child_by_field_name("parameters"))


def declared_by(nodes: Iterable[Node]) -> Iterator[tuple[bytes, Local]]:
    """The names that declarations declare."""
    for node in nodes:
        said = node.child_by_field_name("type")
        kind = text(said)
        words = _known_words(kind) if len(kind) <= _SHORT else _words(kind)
        qualifiers = frozenset(text(child) for child in node.named_children if child.type == "type_qualifier")
        for declarator in node.children_by_field_name("declarator"):
            named = _named(declarator, node.child_by_field_name("default_value"))
            if named is not None:
                name, rank, value = named
                yield name, Local(words, rank, value, qualifiers, said)


def _words(kind: bytes) -> frozenset[bytes]:
    """The words and signs of a type."""
    return frozenset(re.findall(rb"\w+|[^\s\w]", kind.replace(b"::", b" ")))


_known_words = lru_cache(maxsize=4096)(_words)
"""The same for names of types: code has few, and declares very many variables."""


def _named(declarator: Node, value: Node | None) -> tuple[bytes, int, Node | None] | None:
    """The name that a declarator declares, how often it is indexed, and its first value."""
    rank, node = 0, declarator
    while node.type not in _NAMES:
        if node.type == "init_declarator":
            value = node.child_by_field_name("value")
        elif node.type in ("array_declarator", "pointer_declarator"):
            rank += 1
        elif node.type not in ("reference_declarator", "parenthesized_declarator"):
            return None
        inner = node.child_by_field_name("declarator") or (node.named_child(0) if node.named_child_count else None)
        if inner is None:
            return None
        node = inner
    return text(node), rank, value


def calls(root: Node) -> dict[bytes, list[list[Node]]]:
    """The arguments of every call below a node, by the plain name of what is called."""
    found: dict[bytes, list[list[Node]]] = {}
    for node in CALLS.below(root):
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        match = _CALLED.match(text(function))
        if match is not None and arguments is not None:
            found.setdefault(match[1], []).append(tree_sitter_nodes.elements(arguments))
    return found


def is_member(root: Node, offset: int, name: bytes) -> bool:
    """Whether a name at an offset is a member of the class around it, or is being declared as one.

    A function that is defined outside of its class belongs to one of that name in the file.
    """
    node = root.descendant_for_byte_range(offset, offset + 1)
    owners: set[bytes] = set()
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type in _CLASSES and name in _members(around):
            return True
        if around.type == "function_definition":
            head = text(around.child_by_field_name("declarator")).partition(b"(")[0]
            owners.update(re.findall(rb"(\w+)\s*(?:<[^<>]*>)?\s*::", head))
    classes = _SPECIFIERS.below(root) if owners else ()
    return any(text(one.child_by_field_name("name")) in owners and name in _members(one) for one in classes)


def member_type(node: Node) -> bytes:
    """The type that the class around a name gives its member of that name; empty for none, an array or a pointer."""
    bodies = (one.child_by_field_name("body") for one in tree_sitter_nodes.ancestors(node) if one.type in _CLASSES)
    fields = (one for body in bodies if body is not None for one in body.named_children)
    for field in fields:
        declarators = field.children_by_field_name("declarator") if field.type == "field_declaration" else []
        if any(text(one) == text(node) for one in declarators):
            return text(field.child_by_field_name("type"))
    return b""


def _members(specifier: Node) -> set[bytes]:
    body = specifier.child_by_field_name("body")
    fields = [one for one in (body.named_children if body is not None else ()) if one.type == "field_declaration"]
    declarators = [part for one in fields for part in one.children_by_field_name("declarator")]
    return {word for part in declarators for word in re.findall(rb"[A-Za-z_]\w*", text(part).partition(b"=")[0])}
