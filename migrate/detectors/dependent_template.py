"""Member templates that are called with arguments on an object of a dependent type, without the word `template`.

`BlockScan(temp).InclusiveSum<4>(...)` in a template over `BlockScan`: nvcc takes the `<` for a list, clang for a
comparison. Which objects are dependent is in the declarations of the template around: their types name its parameters,
or what is made of these, as aliases and constants are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, Local, declared, declared_by, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"template",)

_RULE = "build/dependent-template"
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_declaration")
_ALIASES = tree_sitter_nodes.Kinds("cuda", "type_definition", "alias_declaration")
_FUNCTIONS = ("function_definition", "lambda_expression")
_CLASSES = ("class_specifier", "struct_specifier")
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_ENUMERATORS = tree_sitter_nodes.Kinds("cuda", "enumerator")
_CONSTANT = frozenset((b"constexpr", b"const"))
_ROUNDS = 4
"""Aliases of aliases, and constants of constants, that are followed."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call in a template."""
    for call in CALLS.below(parsed.tree.root_node):
        function = call.child_by_field_name("function")
        field = function.child_by_field_name("field") if function is not None else None
        if function is None or field is None or field.type != "template_method":
            continue
        if parsed.hip(field.start_byte) is not None or parsed.lexed.directive_at(field.start_byte) is not None:
            continue
        around = list(_TEMPLATES.around(parsed.tree.root_node, call))
        object_ = function.child_by_field_name("argument")
        if not around or object_ is None or not _Scope(around, call).is_dependent(object_):
            continue
        name = field.child_by_field_name("name")
        if name is not None and parsed.data[name.end_byte : name.end_byte + 1] == b"<":  # blanks are for comparisons
            span, place = Span(name.start_byte, name.end_byte), Span(name.start_byte, name.start_byte)
            use = Use("name", "template", span, span, (place,), parsed.scope(span.start), "syntax")
            yield Hit(_RULE, use, {"name": parsed.source.text(span)})


class _Scope:
    """What the templates around a call leave open: the words for such types, and the variables of such types."""

    def __init__(self, templates: list[Node], call: Node) -> None:
        self._types = {name for one in templates for name in _parameters(one)}
        around = list(tree_sitter_nodes.ancestors(call))
        inner = [one for one in around if one.type in _FUNCTIONS]
        classes = [one for one in around if one.type in _CLASSES and one.start_byte > templates[-1].start_byte]
        self._current = {text(one.child_by_field_name("name")).partition(b"<")[0] for one in around
                         if one.type in _CLASSES}  # fmt: skip
        self._members = {name: local for one in reversed(classes) for name, local in declared_by(_fields(one))}
        locals_ = {name: local for one in reversed(inner) for name, local in (*declared(one), *_made(one))}
        self._variables = self._members | locals_
        aliases = [_alias(one) for template in templates[-1:] for one in _ALIASES.below(template)]
        constants = [*_constants(self._variables), *(one for body in classes for one in _enumerators(body))]
        for _ in range(_ROUNDS):
            self._types |= {name for name, kind in aliases if name and self._is_open(kind)}
            self._types |= {name for name, value in constants if not self._types.isdisjoint(_WORD.findall(value))}

    def _is_open(self, kind: bytes) -> bool:
        """Whether a type is open: it names what is, and is not the class around, whose members are known."""
        words = _WORD.findall(kind)
        return not self._types.isdisjoint(words) and not any(word in self._current for word in words[:2])

    def is_dependent(self, node: Node) -> bool:
        """Whether an object has a type that only an instance of the template has."""
        if node.type == "identifier":
            return self._is_of_open_type(self._variables.get(text(node)), node)
        if text(node.child_by_field_name("argument")) == b"this":
            return self._is_of_open_type(self._members.get(text(node.child_by_field_name("field"))), node)
        if node.type in ("field_expression", "subscript_expression", "parenthesized_expression", "pointer_expression"):
            inner = node.child_by_field_name("argument") or next(iter(node.named_children), None)
            return inner is not None and self.is_dependent(inner)
        if node.type == "compound_literal_expression":
            return self._is_open(text(node.child_by_field_name("type")))
        return node.type == "call_expression" and self._makes(node.child_by_field_name("function"))

    def _is_of_open_type(self, local: Local | None, use: Node) -> bool:
        """Whether a variable has such a type, by its words or, for `auto`, by what it starts as."""
        if local is None or text(local.type) != b"auto":
            return local is not None and self._is_open(text(local.type))
        before = local.value is not None and local.value.end_byte < use.start_byte
        return _is_parameter(local.type) or (before and local.value is not None and self.is_dependent(local.value))

    def _makes(self, function: Node | None) -> bool:
        """Whether a call makes an object of such a type, or is one of a member of such an object."""
        if function is None or text(function) == b"this":
            return False
        if function.type == "field_expression":
            return self.is_dependent(function)
        if function.type == "identifier":
            return text(function) in self._types
        is_template = function.type in ("template_function", "qualified_identifier") and b"<" in text(function)
        return is_template and self._is_open(text(function))


def _parameters(template: Node) -> Iterator[bytes]:
    """The names of a template's parameters, of types and of values."""
    for one in tree_sitter_nodes.elements(template.child_by_field_name("parameters")):
        words = _WORD.findall(text(one).partition(b"=")[0])
        yield from words[-1:]


def _alias(node: Node) -> tuple[bytes, bytes]:
    """The name that an alias gives, and the text of the type."""
    name = node.child_by_field_name("declarator") or node.child_by_field_name("name")
    return text(name), text(node.child_by_field_name("type"))


def _fields(specifier: Node) -> list[Node]:
    """The declarations of a class's members."""
    body = specifier.child_by_field_name("body")
    return [one for one in (body.named_children if body is not None else ()) if one.type == "field_declaration"]


def _made(function: Node) -> Iterator[tuple[bytes, Local]]:
    """The objects made of arguments that are names alone: `Tile<N> tile(memory);` reads as a function's declaration."""
    for node in _DECLARATIONS.below(function):
        head, kind = node.child_by_field_name("declarator"), node.child_by_field_name("type")
        name = head.child_by_field_name("declarator") if head is not None else None
        if head is not None and head.type == "function_declarator" and name is not None and name.type == "identifier":
            yield text(name), Local(frozenset(), 0, None, frozenset(), kind)


def _constants(variables: Mapping[bytes, Local]) -> Iterator[tuple[bytes, bytes]]:
    """The variables that may be arguments of a template, each with its value."""
    for name, local in variables.items():
        if local.value is not None and not _CONSTANT.isdisjoint(local.qualifiers):
            yield name, text(local.value)


def _enumerators(specifier: Node) -> Iterator[tuple[bytes, bytes]]:
    """The constants of a class's enumerations, each with its value."""
    for one in _ENUMERATORS.below(specifier):
        yield text(one.child_by_field_name("name")), text(one.child_by_field_name("value"))


def _is_parameter(kind: Node | None) -> bool:
    above = tree_sitter_nodes.parent(kind) if kind is not None else None
    return above is not None and above.type.endswith("parameter_declaration")
