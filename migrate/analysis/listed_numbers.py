"""Numbers that a variable of the host takes one after another: from a list, in a loop, or as what a member begins with.

Result: the numbers that are seen, each of which the expression is worth at some time. Where a list may be changed, or a
member is given anything else in the file, none is. What a function of the file returns is followed. Of what branches of
the preprocessor give HIP and CUDA, one vendor's is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_LOOPS = tree_sitter_nodes.Kinds("cuda", "for_range_loop", "for_statement")
_CLASSES = tree_sitter_nodes.Kinds("cuda", "struct_specifier", "class_specifier")
_FIELDS = tree_sitter_nodes.Kinds("cuda", "field_declaration")
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration", "parameter_declaration")
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "pointer_expression")
_MEMBERS = tree_sitter_nodes.Kinds("cuda", "field_expression")
_GIVEN = tree_sitter_nodes.Kinds("cuda", "field_initializer", "initializer_pair")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_RETURNS = tree_sitter_nodes.Kinds("cuda", "return_statement")
_READING = frozenset(b"size begin end cbegin cend data empty front back at max_size length".split())
"""Members of containers that change no element by themselves."""
_DEFINED = re.compile(rb"(\w+)\s+(.+)", re.DOTALL)
_DEPTH = 4


def numbers(parsed: ParsedFile, node: Node | None, depth: int = _DEPTH, hip: bool = True) -> frozenset[int]:
    """The numbers that an expression of the host is seen to be worth, one at a time, for HIP or for CUDA."""
    if node is None or not depth:
        return frozenset()
    known = Values.of(parsed).constant(node)
    if known is not None:
        return frozenset((known,))
    if node.type in ("parenthesized_expression", "argument_list") and node.named_child_count == 1:
        return numbers(parsed, node.named_children[0], depth - 1, hip)
    if node.type == "subscript_expression":
        return _elements(parsed, node.child_by_field_name("argument"), hip)
    if node.type == "field_expression":
        return _member(parsed, text(node.child_by_field_name("argument")), node.child_by_field_name("field"))
    if node.type == "call_expression":
        return _returned(parsed, text(node.child_by_field_name("function")), depth, hip)
    return _variable(parsed, node, depth, hip) if node.type in ("identifier", "parameter_declaration") else frozenset()


def _returned(parsed: ParsedFile, name: bytes, depth: int, hip: bool) -> frozenset[int]:
    """What the one function of a name in the file returns."""
    root = parsed.tree.root_node
    heads = ((one, one.child_by_field_name("declarator")) for one in _FUNCTIONS.below(root))
    named = [one for one, head in heads if head is not None and text(head.child_by_field_name("declarator")) == name]
    found = [one for one in named if _is_read(parsed, one, hip)]
    if len(found) != 1:
        return frozenset()
    returns = [one for one in _RETURNS.within(root, found[0]) if one.named_children and _is_read(parsed, one, hip)]
    return frozenset[int]().union(*(numbers(parsed, one.named_children[0], depth - 1, hip) for one in returns))


def _is_read(parsed: ParsedFile, node: Node, hip: bool) -> bool:
    """Whether a vendor's compiler reads a place."""
    return parsed.hip(node.start_byte) in (None, hip)


def _variable(parsed: ParsedFile, node: Node, depth: int, hip: bool) -> frozenset[int]:
    """What a loop gives its variable, what a local one begins with, or a member of the class around."""
    root, name = parsed.tree.root_node, text(node)
    for loop in _LOOPS.around(root, node):
        if loop.type == "for_range_loop" and _plain(loop.child_by_field_name("declarator")) == name:
            listed = loop.child_by_field_name("right")
            return frozenset() if _is_changed(root, loop, name) else _elements(parsed, listed, hip)
        first = loop.child_by_field_name("initializer")
        begins = [value for found, value in _declared(first) if found == name] if first is not None else []
        if begins:
            body = loop.child_by_field_name("body")
            changed = body is None or _is_changed(root, body, name)
            return frozenset() if changed else numbers(parsed, begins[0], depth - 1, hip)
    function = next(_FUNCTIONS.around(root, node), None)
    found = [value for one, value in _locals(parsed, function, hip) if one == name]
    if not found and (known := _of_vendor(parsed, name, hip)) is not None:
        return frozenset((known,))
    if function is None or not found:
        return _member(parsed, b"this", node)
    once = len(found) == 1 and not _is_changed(root, function, name)
    return numbers(parsed, found[0], depth - 1, hip) if once else frozenset()


def _locals(parsed: ParsedFile, function: Node | None, hip: bool = True) -> Iterator[tuple[bytes, Node | None]]:
    """The variables and parameters of a function, with what each begins with."""
    for one in _DECLARATIONS.within(parsed.tree.root_node, function) if function is not None else ():
        if _is_read(parsed, one, hip):
            yield from _declared(one)


def _declared(declaration: Node) -> Iterator[tuple[bytes, Node | None]]:
    """The variables of a declaration, with what each begins with: `dim3 b(n);` reads as a function's there."""
    for one in declaration.children_by_field_name("declarator"):
        yield _plain(one), one.child_by_field_name("value")


def _plain(declarator: Node | None) -> bytes:
    """The name of a variable that is declared."""
    while declarator is not None and declarator.type not in ("identifier", "field_identifier"):
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or (declarator.named_children[-1] if declarator.type == "reference_declarator" else None)
    return text(declarator)


def _elements(parsed: ParsedFile, listed: Node | None, hip: bool) -> frozenset[int]:
    """The elements of a list in braces, or of a variable that is given one and that nothing changes."""
    if listed is None or listed.type not in ("initializer_list", "identifier"):
        return frozenset()
    if listed.type == "initializer_list":
        parts = tree_sitter_nodes.elements(listed)
        lists = [_elements(parsed, one, hip) for one in parts if one.type == "initializer_list"]
        return frozenset[int]().union(*lists, _constants(parsed, parts, hip))
    root, name = parsed.tree.root_node, text(listed)
    function = next(_FUNCTIONS.around(root, listed), None)
    begins = [value for one, value in _locals(parsed, function, hip) if one == name]
    if not begins:
        begins, function = [value for found, value in _outside(parsed, hip) if found == name], root
    value = begins[0] if len(begins) == 1 else None
    around, is_list = function or root, value is not None and value.type == "initializer_list"
    fixed = is_list and not _is_changed(root, around, name) and not _is_handed(root, around, name)
    return _elements(parsed, value, hip) if fixed else frozenset()


def _constants(parsed: ParsedFile, parts: Sequence[Node], hip: bool) -> frozenset[int]:
    """The numbers of a list, where all of them are seen; a constant may have one for each vendor."""
    values, found = Values.of(parsed), set[int]()
    for one in parts:
        if one.type == "initializer_list":
            continue
        known = values.constant(one)
        known = _of_vendor(parsed, text(one), hip) if known is None and one.type == "identifier" else known
        if known is None:
            return frozenset()
        found.add(known)
    return frozenset(found)


def _of_vendor(parsed: ParsedFile, name: bytes, hip: bool) -> int | None:
    """The number of a constant or macro of the file as one vendor's compiler reads it, by its one definition."""
    values = Values.of(parsed)
    found = [values.constant(value) for one, value in _outside(parsed, hip) if one == name]
    for line in parsed.lexed.directives:
        match = _DEFINED.fullmatch(line.argument(parsed.data)) if line.name == "define" else None
        if match is not None and match[1] == name and parsed.hip(line.start) in (None, hip):
            found.append(values.spelled(match[2]))
    return found[0] if len(found) == 1 else None


def _outside(parsed: ParsedFile, hip: bool) -> Iterator[tuple[bytes, Node | None]]:
    """The variables of the file outside of functions, as one vendor's compiler reads them."""
    root = parsed.tree.root_node
    for one in _DECLARATIONS.below(root):
        if _is_read(parsed, one, hip) and next(_FUNCTIONS.around(root, one), None) is None:
            yield from _declared(one)


def _is_changed(root: Node, within: Node, name: bytes) -> bool:
    """Whether a variable, or an element of it, is changed in some code."""
    for one in _CHANGES.within(root, within):
        target = one.child_by_field_name("left") or one.child_by_field_name("argument")
        if text(target).partition(b"[")[0].partition(b".")[0].strip() == name:
            return True
    for one in _MEMBERS.within(root, within):
        if text(one.child_by_field_name("argument")) == name and text(one.child_by_field_name("field")) not in _READING:
            return True
    return False


def _is_handed(root: Node, within: Node, name: bytes) -> bool:
    """Whether a call is given a variable: it may change what it holds."""
    given = (tree_sitter_nodes.elements(one.child_by_field_name("arguments")) for one in _CALLS.within(root, within))
    return any(text(one) == name for listed in given for one in listed)


def _member(parsed: ParsedFile, owner: bytes, field: Node | None) -> frozenset[int]:
    """What a member begins with, where the file names one such member and gives it nothing else."""
    root, name, begins = parsed.tree.root_node, text(field), list[Node | None]()
    for one in _FIELDS.below(root):
        begins += [one.child_by_field_name("default_value") for each in _names(one) if each == name]
    targets = (one.child_by_field_name("left") for one in _CHANGES.below(root) if one.type == "assignment_expression")
    set_to = [one for one in targets if one is not None and text(one).replace(b"->", b".").split(b".")[-1] == name]
    if len(begins) != 1 or any(name in text(one).split(b"(")[0].split(b"{")[0] for one in _GIVEN.below(root)):
        return frozenset()
    value = begins[0]
    if len(set_to) == 1 and value is None:
        value = set_to[0].parent.child_by_field_name("right") if set_to[0].parent is not None else None
        set_to = []
    is_made = owner != b"this" and any(one == owner and made is not None for one, made in _objects(parsed, field))
    known = Values.of(parsed).constant(value) if value is not None and not set_to and not is_made else None
    return frozenset() if known is None else frozenset((known,))


def _names(field: Node) -> list[bytes]:
    return [_plain(one) for one in field.children_by_field_name("declarator")]


def _objects(parsed: ParsedFile, place: Node | None) -> Iterator[tuple[bytes, Node | None]]:
    """The variables of the function around a place: what one begins with may give its members other numbers."""
    around = _FUNCTIONS.around(parsed.tree.root_node, place) if place is not None else iter(())
    yield from _locals(parsed, next(around, None))
