"""Where a value must be known when compiling, which the size of AMD's wave is not.

Result: whether the compiler needs its value there.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes

_PLACES = (
    "array_declarator",
    "template_argument_list",
    "static_assert_declaration",
    "enumerator",
    "launch_bounds",
    "bitfield_clause",
    "alignas_qualifier",
)
_RUNNING = ("call_expression", "subscript_expression", "compound_statement", "parameter_list", "field_initializer")
_DECLARATIONS = ("declaration", "field_declaration")
_NEVER_WITHIN = ("ERROR", "assignment_expression", "update_expression")
"""No template argument or array's size holds those: where one seems to, `a < b` was taken for the list's beginning."""


def of_template(parsed: ParsedFile, offset: int, name: bytes) -> bool:
    """Whether a name at an offset is a parameter of a template around it: known when compiling, not before."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    around = [] if node is None else list(tree_sitter_nodes.ancestors(node))
    templates = (one.child_by_field_name("parameters") for one in around if one.type == "template_declaration")
    listed = [parameter for one in templates if one is not None for parameter in one.named_children]
    return any(_declares(parameter, name) for parameter in listed)


def _declares(parameter: Node, name: bytes) -> bool:
    """Whether a parameter of a template is called so; its default may say anything."""
    declared = parameter.child_by_field_name("declarator") or parameter
    return any(text(one) == name for one in (declared, *declared.named_children) if one.type == "identifier")


def must_be_constant(parsed: ParsedFile, offset: int) -> bool:
    """Whether a name at `offset` is an array's size, a template argument, a `constexpr`, a count of unrolled turns."""
    if parsed.hip(offset) is not None:
        return False
    directive = parsed.lexed.directive_at(offset)
    if directive is not None:
        return directive.name == "pragma" and directive.argument(parsed.data).startswith(b"unroll")
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    if node is None or node.type not in ("identifier", "type_identifier"):
        return False
    for around in tree_sitter_nodes.ancestors(node):
        if around.type in _RUNNING:
            return False
        known = _needs(around, node)
        if known is not None:
            return known
    return False


def needs_constant(parsed: ParsedFile, span: Span) -> bool:
    """Whether the value of an expression is an array's size, a template argument or part of one, or of a `constexpr`.

    What a `constexpr` function returns counts, as somebody may use it so.
    """
    inner: Node | None = None
    is_guess = False
    for around in reversed(parsed.nodes_around(span.start, span.end)):
        if around.type == "compound_statement":
            function = around.parent
            heads = function.children if function is not None and function.type == "function_definition" else ()
            return any(text(child) == b"constexpr" for child in heads)
        if around.type in ("lambda_expression", "subscript_expression"):
            return False
        known = _needs(around, inner) if inner is not None else None
        if known is not None:
            return known and not is_guess
        is_guess = is_guess or around.type in _NEVER_WITHIN
        inner = around
    return False


def _needs(around: Node, node: Node) -> bool | None:
    """Whether something around a name needs its value; None where that is for what is around it to say."""
    if around.type in _PLACES:
        return around.start_byte < node.start_byte
    if around.type == "case_statement":
        value = around.child_by_field_name("value")
        return value is not None and value.start_byte <= node.start_byte < value.end_byte
    if around.type == "if_statement":
        return any(child.type == "constexpr" for child in around.children)
    if around.type == "optional_parameter_declaration":
        return around.parent is not None and around.parent.type == "template_parameter_list"
    if around.type in _DECLARATIONS:
        return any(text(child) == b"constexpr" for child in around.named_children)
    return None
