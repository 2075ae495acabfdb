"""What types templates are given: in calls, declarations and aliases, and as defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model.warp_graph import Instance
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import called, word
from cudamigrate.warp.tree_queries import OBJECTS

ALIAS = -1
"""The number of what a name is given that stands for a type: `using Op = Sum;`."""
_GIVEN = tree_sitter_nodes.Kinds("cuda", "template_type", "template_function")
_DECLARED = tree_sitter_nodes.Kinds("cuda", "template_declaration")
_ALIASES = tree_sitter_nodes.Kinds("cuda", "alias_declaration", "type_definition")
_WITH_ARGUMENTS = ("template_type", "template_function", "template_method")
_INNER = {"qualified_identifier": "name", "field_expression": "field", "new_expression": "type", "dependent_name": ""}
"""The field of a node that holds the name of what is called; the first child where none has a name."""
_NAMED = ("type_identifier", "qualified_identifier", "template_type")


class _Parameters:
    """The parameters of a file's own templates: of each by its node, and all of them."""

    def __init__(self, of: Mapping[int, tuple[str, ...]]) -> None:
        self.of, self.every = of, frozenset(chain.from_iterable(of.values()))


def read(parsed: ParsedFile) -> Iterator[Instance]:
    """The types that the templates of any file are given in one."""
    root = parsed.tree.root_node
    declared = _DECLARED.below(root)
    own = _Parameters({one.id: names(one) for one in declared})
    for node in declared:
        for at, one in enumerate(_parameters(node)):
            if (given := _type(one.child_by_field_name("default_type"))) is not None:
                yield _instance(_declares(node), at, given, own)
    for node in _GIVEN.below(root):
        template = called(word(node.child_by_field_name("name")))
        for at, one in enumerate(tree_sitter_nodes.elements(node.child_by_field_name("arguments"))):
            if one.type == "type_descriptor" and (given := _type(one.child_by_field_name("type"))) is not None:
                yield _instance(template, at, given, own)
    for node in _ALIASES.below(root):
        name, of = ("name", "type") if node.type == "alias_declaration" else ("declarator", "type")
        held = node.child_by_field_name(of)
        held = held.child_by_field_name("type") if held is not None and held.type == "type_descriptor" else held
        held = held.child_by_field_name("name") if held is not None and held.type in OBJECTS else held
        if (given := _type(held)) is not None:
            yield _instance(word(node.child_by_field_name(name)), ALIAS, given, own)


def names(declaration: Node) -> tuple[str, ...]:
    """The parameters of a template, types and numbers."""
    return tuple(_name(one) for one in _parameters(declaration))


def of(node: Node) -> tuple[str, ...]:
    """The parameters of the template that a function or class is, none for another."""
    around = None if node.type == "lambda_expression" else node.parent  # a step up in a deep tree takes long
    return names(around) if around is not None and around.type == "template_declaration" else ()


def arguments(name: Node) -> tuple[str, ...]:
    """What a call gives the template that it calls, or `new` that of the class, as it is written.

    That of a class around is not its own: `run<true>` of `Step<int, 2>::run<true>` is given `true` alone.
    """
    held: Node | None = name
    while held is not None and held.type in _INNER:
        field = _INNER[held.type]
        held = held.child_by_field_name(field) if field else next(iter(held.named_children), None)
    given = held.child_by_field_name("arguments") if held is not None and held.type in _WITH_ARGUMENTS else None
    return tuple(word(one) for one in tree_sitter_nodes.elements(given))


def _parameters(declaration: Node) -> list[Node]:
    return tree_sitter_nodes.elements(declaration.child_by_field_name("parameters"))


def _name(parameter: Node) -> str:
    named = parameter.child_by_field_name("name") or parameter.child_by_field_name("declarator")
    if named is None and parameter.named_children:
        named = parameter.named_children[-1 if parameter.type.startswith("template_") else 0]
    return word(named)


def _declares(declaration: Node) -> str:
    """The name of a template's class or function."""
    held: Node | None = declaration.named_children[-1] if declaration.named_children else None
    while held is not None:
        inner = held.child_by_field_name("name") or held.child_by_field_name("declarator")
        if inner is None:
            return called(word(held))
        held = inner
    return ""


def _type(node: Node | None) -> Node | None:
    return node if node is not None and node.type in _NAMED else None


def _instance(template: str, at: int, given: Node, own: _Parameters) -> Instance:
    name, within = called(word(given)), ""
    if given.type == "type_identifier" and name in own.every:
        around = (one for one in tree_sitter_nodes.ancestors(given) if name in own.of.get(one.id, ()))
        within = next(map(_declares, around), "")
    return Instance(template, at, name, within)
