"""Which mentions of `warpSize` are CUDA's built-in variable, and which a variable, parameter or member of that name.

Result: for a place what it means, by the scopes of the declarations of a file. `::warpSize` is the built-in, whatever
hides it.
"""

from __future__ import annotations

from typing import Literal

from tree_sitter import Node

from cudamigrate.analysis.constant_contexts import of_template
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.member_arguments import called
from cudamigrate.cuda.declarations import is_member, text
from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes

Meaning = Literal["builtin", "own", "open"]
"""The built-in; something of the project's; or either, as far as the file shows."""

NAME = b"warpSize"
_WORDS = frozenset((NAME,))
_MEMBERS = (b".", b"->")
_BEFORE_GLOBAL = frozenset(
    b"return case else new throw goto using do delete sizeof co_return co_yield and or not".split()
)
"""Words that may be before a `::` without being the owner of what follows."""
_DECLARATORS = (
    "init_declarator",
    "pointer_declarator",
    "reference_declarator",
    "array_declarator",
    "parenthesized_declarator",
    "function_declarator",
    "structured_binding_declarator",
)
_DECLARATIONS = (
    "declaration",
    "parameter_declaration",
    "optional_parameter_declaration",
    "field_declaration",
    "for_range_loop",
    "enumerator",
    "function_definition",
    "lambda_capture_initializer",
    "using_declaration",
)
_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_BLOCKS = (
    *_CLASSES,
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "if_statement",
    "while_statement",
    "switch_statement",
    "catch_clause",
    "lambda_expression",
    "function_definition",
    "template_declaration",
    "namespace_definition",
)


@dataclass(slots=True)
class _Hiding:
    """Where declarations of a file hide the built-in, and the namespaces that have a variable of its name."""

    spans: list[Span] = field(default_factory=list)
    namespaces: set[bytes] = field(default_factory=set)
    of_class: bool = False


def meaning(parsed: ParsedFile, start: int) -> Meaning:
    """What the name `warpSize` at an offset means; in a declaration that it makes known there, the built-in is open."""
    lexed, before = parsed.lexed, parsed.lexed.before(start)
    sign = lexed.text(before)
    if sign in _MEMBERS:
        return "own"
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    if sign == b"::":
        if _has_owner(parsed, start, node):
            return "own"
        around = () if node is None else tree_sitter_nodes.ancestors(node)
        return "open" if any(one.type == "using_declaration" for one in around) else "builtin"
    hiding = parsed.once(_hiding)
    if any(span.start <= start < span.end for span in hiding.spans) or is_member(parsed.tree.root_node, start, NAME):
        return "own"
    if node is not None and not hiding.namespaces.isdisjoint(_owners(node)):
        return "own"
    return "open" if _is_doubtful(parsed, start, hiding) else "builtin"


def place(parsed: ParsedFile, start: int) -> Span:
    """The name at an offset, with the `::` before it."""
    before = parsed.lexed.before(start)
    begin = before.start if before is not None and parsed.lexed.text(before) == b"::" else start
    return Span(begin, start + len(NAME))


def is_builtin(parsed: ParsedFile, node: Node) -> bool:
    """Whether an expression is the built-in and nothing else."""
    spelled = text(node)
    return spelled in (NAME, b"::" + NAME) and meaning(parsed, node.end_byte - len(NAME)) == "builtin"


def is_for_member(parsed: ParsedFile, start: int) -> bool:
    """Whether a name alone goes to a macro, outside of device code, that makes a member of the file's classes of it.

    That of device properties is a question for those.
    """
    if parsed.scope(start) == "device" or called(parsed, start) is None:
        return False
    return parsed.once(_hiding).of_class or parsed.lexed.holds(b"DeviceProp")


def _has_owner(parsed: ParsedFile, start: int, node: Node | None) -> bool:
    """Whether a class or namespace is before the `::` of a name."""
    around = None if node is None else node.parent
    if around is not None and around.type == "qualified_identifier":
        return around.child_by_field_name("scope") is not None
    sign = parsed.lexed.before(start)
    owner = None if sign is None else parsed.lexed.before(sign.start)
    if sign is None or owner is None:
        return False
    spelled = parsed.lexed.text(owner)
    return (owner.kind == WORD and spelled not in _BEFORE_GLOBAL) or (spelled == b">" and owner.end == sign.start)


def _owners(node: Node) -> set[bytes]:
    """The namespaces around a place, and what a function is defined in that is written outside of it."""
    found: set[bytes] = set()
    for around in tree_sitter_nodes.ancestors(node):
        if around.type == "namespace_definition":
            found |= set(text(around.child_by_field_name("name")).split(b"::"))
        if around.type == "function_definition":
            head = text(around.child_by_field_name("declarator")).partition(b"(")[0]
            found |= set(re.findall(rb"(\w+)\s*::", head))
    return found


def _is_doubtful(parsed: ParsedFile, start: int, hiding: _Hiding) -> bool:
    """Whether a name may be something else: of a namespace that is used as a whole, or a variable whose block is not
    seen."""
    if not hiding.namespaces.isdisjoint(_used(parsed) if hiding.namespaces else ()):
        return True
    if NAME not in Values.of(parsed).locals(start) and not of_template(parsed, start, NAME):
        return False
    function = parsed.function(start)
    return function is None or not any(
        span.start < function.span.end and function.span.start < span.end for span in hiding.spans
    )


def _used(parsed: ParsedFile) -> set[bytes]:
    return set(re.findall(rb"\busing\s+namespace\s+(?:\w+\s*::\s*)*(\w+)", parsed.data))


def _hiding(parsed: ParsedFile) -> _Hiding:
    found, size = _Hiding(), len(parsed.data)
    for start in parsed.lexed.words(_WORDS):
        node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
        declared = None if node is None else _declaration(node)
        if declared is None:
            continue
        block = _block(declared)
        if block is None:
            found.spans.append(Span(0, size))
        elif block.type == "namespace_definition" and text(block.child_by_field_name("name")):
            found.namespaces.add(text(block.child_by_field_name("name")).rpartition(b"::")[2])
        elif block.type in _CLASSES:
            found.of_class = True
            found.spans.append(Span(block.start_byte, block.end_byte))
        else:
            begin = block.start_byte if block.type == "template_declaration" else start
            found.spans.append(Span(begin, block.end_byte))
    return found


def _declaration(node: Node) -> Node | None:
    """The declaration that makes a name known; None for a name that is only used."""
    inner, around = node, node.parent
    if around is not None and around.type == "qualified_identifier":
        while around is not None and around.type == "qualified_identifier":
            inner, around = around, around.parent
        owned = inner.child_by_field_name("scope") is not None
        return around if around is not None and around.type == "using_declaration" and owned else None
    while around is not None and around.type in _DECLARATORS:
        declared = around.child_by_field_name("declarator")
        if declared is not None and declared != inner:
            return None
        inner, around = around, around.parent
    if around is None or around.type not in _DECLARATIONS:
        return None
    names = [one for part in ("declarator", "name", "left") for one in around.children_by_field_name(part)]
    return around if inner in names else None


def _block(declared: Node) -> Node | None:
    """The block, function, class, template or namespace in which a declaration is known; None for a whole file."""
    if declared.type == "for_range_loop":
        return declared
    inner = declared
    for around in tree_sitter_nodes.ancestors(declared):
        prototype = around.type == "function_declarator" and inner.type == "parameter_list" and _is_prototype(around)
        if prototype or (around.type in _BLOCKS and (around.type != "template_declaration" or _is_parameter(declared))):
            return around
        inner = around
    return None


def _is_parameter(declared: Node) -> bool:
    return declared.parent is not None and declared.parent.type == "template_parameter_list"


def _is_prototype(declarator: Node) -> bool:
    """Whether a function declarator is of no definition: its parameters are known in itself alone."""
    around = next((one for one in tree_sitter_nodes.ancestors(declarator) if one.type not in _DECLARATORS), None)
    return around is None or around.type != "function_definition"
