"""Whether a value is a number of a plain type, where its type has another name: an alias, a macro, a parameter.

Result: yes where every type that the name stands for in this file is seen and plain, so that HIP's own shuffles take
the value.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, is_plain
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_CHOSEN = re.compile(rb"(?:typename\s+)?(?:std::)?conditional(?:_t)?\s*<(.*)>(?:\s*::\s*type)?", re.S)
"""A type that a condition picks, with its arguments: `std::conditional_t<b, float, int>`, `conditional<...>::type`."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_QUALIFIERS = frozenset(b"const volatile static register".split())
_DEPTH = 8


def is_number(values: Values, node: Node, depth: int = _DEPTH) -> bool:
    """Whether an expression is a number of a plain type, wherever its function is used in this file."""
    if values.is_arithmetic(node):
        return True
    if node.type != "identifier" or not depth:
        return False
    found = values.locals(node.start_byte).get(text(node), [])
    if len(found) != 1 or found[0].rank:
        return False
    words = found[0].words - _QUALIFIERS
    if words == {b"auto"} and found[0].value is not None:
        return is_number(values, found[0].value, depth - 1)
    named = [word for word in words if _WORD.fullmatch(word)]
    return len(words) == len(named) == 1 and _is_plain(values, named[0], node, depth - 1)


def parted(listed: bytes) -> list[bytes]:
    """Arguments of a template, or of a call, at their outermost commas."""
    parts, depth, angles, begin = [], 0, 0, 0
    for at, byte in enumerate(listed):
        depth += (byte in b"([{") - (byte in b")]}")
        angles += 0 if depth else (byte == ord("<")) - (byte == ord(">"))
        if byte == ord(",") and not depth and not angles:
            parts.append(listed[begin:at].strip())
            begin = at + 1
    last = listed[begin:].strip()
    return [*parts, last] if last or parts else []


def _is_plain(values: Values, name: bytes, place: Node, depth: int) -> bool:
    """Whether the name of a type stands for plain types alone."""
    if is_plain(name):
        return True
    if not depth or _WORD.fullmatch(name) is None:
        return False
    template = parameters(place)
    if name in template:
        return _is_always_plain(values, place, template, name, depth)
    meant = list(_meanings(values, name))
    return bool(meant) and all(_is_spelled_plain(values, one, place, depth) for one in meant)


def _meanings(values: Values, name: bytes) -> list[bytes]:
    """What a file says that the name of a type is."""
    escaped, lexed = re.escape(name), values.parsed.lexed
    alias = re.compile(rb"\busing\s+" + escaped + rb"\s*=\s*([^;{}]+);")
    older = re.compile(rb"\btypedef\s+([^;{}]+?)\s+" + escaped + rb"\s*;")
    found = [match[1].strip() for pattern in (alias, older) for match in lexed.matches(pattern)]
    macro = values.constants().get(name)
    return [*found, macro] if macro is not None else found


def _is_spelled_plain(values: Values, spelled: bytes, place: Node, depth: int) -> bool:
    chosen = _CHOSEN.fullmatch(spelled)
    if chosen is not None:
        kinds = parted(chosen[1])
        return len(kinds) == 3 and all(_is_spelled_plain(values, kind, place, depth - 1) for kind in kinds[1:])
    return is_plain(spelled) or _is_plain(values, spelled, place, depth - 1)


def parameters(place: Node) -> list[bytes]:
    """The names of the template parameters of the function around a place."""
    around = next((one for one in tree_sitter_nodes.ancestors(place) if one.type == "template_declaration"), None)
    listed = around.child_by_field_name("parameters") if around is not None else None
    names = []
    for one in listed.named_children if listed is not None else ():
        words = _WORD.findall(text(one).partition(b"=")[0])
        if one.type != "comment" and words:
            names.append(words[-1])
    return names


def _is_always_plain(values: Values, place: Node, template: list[bytes], name: bytes, depth: int) -> bool:
    """Whether a type that is a parameter of a template is plain wherever the file uses the template."""
    function = next((one for one in tree_sitter_nodes.ancestors(place) if one.type == "function_definition"), None)
    if function is None:
        return False
    at, given = template.index(name), _given(function, name)
    seen = False
    for call in _uses(values, function):
        seen = True
        explicit = parted(_template_arguments(call))
        if at < len(explicit):
            if not _is_spelled_plain(values, explicit[at], call, depth):
                return False
            continue
        listed = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if not any(index < len(listed) and is_number(values, listed[index], depth - 1) for index in given):
            return False
    return seen


def _given(function: Node, name: bytes) -> list[int]:
    """Which parameters of a function are of the named type itself."""
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or declarator.named_child(0)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    parts = tree_sitter_nodes.elements(listed)
    return [
        index
        for index, one in enumerate(parts)
        if text(one.child_by_field_name("type")) == name
        and getattr(one.child_by_field_name("declarator"), "type", "") == "identifier"
    ]


def called(call: Node) -> bytes:
    """The name that a call is by, its template arguments left out."""
    function = call.child_by_field_name("function")
    if function is not None and function.type == "template_function":
        function = function.child_by_field_name("name")
    return text(function)


def _template_arguments(call: Node) -> bytes:
    function = call.child_by_field_name("function")
    if function is None or function.type != "template_function":
        return b""
    return text(function.child_by_field_name("arguments"))[1:-1]


def _uses(values: Values, function: Node) -> list[Node]:
    """The calls and launches of a function in its file."""
    declarator: Node | None = function
    while declarator is not None and declarator.type != "identifier":
        declarator = declarator.child_by_field_name("declarator")
    name = text(declarator)
    listed = CALLS.below(values.parsed.tree.root_node) if name else []
    return [node for node in listed if called(node) == name]
