"""Searches through the text of PTX that a program got from NVRTC: what HIPRTC gives instead is a code object."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import declared_name, plain_name

WORDS = (b"nvrtcGetPTX",)
_GETTER = b"nvrtcGetPTX"
_MEMBERS = frozenset(
    b"find rfind find_first_of find_last_of find_first_not_of find_last_not_of substr compare replace contains"
    b" starts_with".split()
)
"""What strings are asked for text by."""
_FUNCTIONS = frozenset(
    b"strstr strchr strrchr strncmp strtok sscanf getline search regex_search regex_match regex_replace".split()
)
"""Functions of C and C++ that read text, of which the first argument is the text."""
_DIRECTIVE = re.compile(
    rb'"\s*(?:\.(?:visible|extern|weak)\s+)?\.(?:const|global|shared|local|entry|func|param|reg|version|target|align)\b'
)
"""A string that begins with a directive of PTX: `".const .align"`, `".visible .entry"`."""
_GIVING = tree_sitter_nodes.Kinds(
    "cuda", "assignment_expression", "init_declarator", "call_expression", "function_declarator"
)
_OBJECTS = ("identifier", "field_expression")
_FILLING, _WHOLE = (b"assign", b"append"), (b"data", b"c_str", b"str", b"begin", b"get")
_COPYING = (b"string", b"string_view", b"istringstream", b"stringstream", b"move", b"regex_replace")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first search of each function: in what `nvrtcGetPTX` filled or what it passes on, or for a directive."""
    asked = [call for call in CALLS.below(parsed.tree.root_node) if plain_name(_callee(call)) == _GETTER]
    if not asked:
        return
    held = _texts(parsed, asked)
    reported = set[int]()
    for call in CALLS.below(parsed.tree.root_node):
        function = parsed.function(call.start_byte)
        if function is None or function.body.start in reported or parsed.hip(call.start_byte) is not None:
            continue
        looked = _looked_through(call)
        if looked is not None and (_place(looked) in held.get(function.body.start, ()) or _asks_directive(call)):
            reported.add(function.body.start)
            span = Span(call.start_byte, call.end_byte)
            use = Use("call", "", span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
            yield Hit("build/ptx-text", use, {"name": text(call).decode("latin-1")})


def _texts(parsed: ParsedFile, asked: list[Node]) -> dict[int, set[bytes]]:
    """The variables that hold PTX, by the body of the function that they are in; and parameters they are handed to."""
    held: dict[int, set[bytes]] = {}
    waiting = list[tuple[Function, bytes]]()
    for call in asked:
        function = parsed.function(call.start_byte)
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        if function is not None and len(given) > 1:
            waiting.append((function, _place(given[1])))
    known = {one.name.encode("latin-1"): one for one in parsed.functions}
    while waiting:
        function, name = waiting.pop()
        names = held.setdefault(function.body.start, set())
        if name in names or not name:
            continue
        names.add(name)
        waiting += _handed_on(parsed, function, name, known)
    return held


def _handed_on(
    parsed: ParsedFile, function: Function, name: bytes, known: dict[bytes, Function]
) -> Iterator[tuple[Function, bytes]]:
    """What a text is given to in a function: other variables, and parameters of functions of the file."""
    body = _node(parsed, function.body)
    for one in _GIVING.below(body) if body is not None else ():
        if one.type == "call_expression":
            yield from _given_by_call(parsed, function, name, one, known)
        elif one.type == "function_declarator":
            if _initialised_by(one) == name:
                yield function, _place(one.child_by_field_name("declarator"))
        else:
            names = ("left", "right") if one.type == "assignment_expression" else ("declarator", "value")
            part, value = (one.child_by_field_name(field) for field in names)
            if part is not None and value is not None and _is_made_of(value, name):
                yield function, _place(part)


def _given_by_call(
    parsed: ParsedFile, function: Function, name: bytes, call: Node, known: dict[bytes, Function]
) -> Iterator[tuple[Function, bytes]]:
    """What a call that is handed a text makes hold it: its object, or a parameter."""
    called, given = _callee(call), tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    places = [at for at, value in enumerate(given) if _place(value) == name]
    if called is None or not places:
        return
    if called.type == "field_expression":
        if text(called.child_by_field_name("field")) in _FILLING:
            yield function, _place(called.child_by_field_name("argument"))
        return
    target = known.get(plain_name(called))
    node = None if target is None else _node(parsed, target.span)
    listed = [] if node is None else [declared_name(one) for one in _parameters(node)]
    if target is not None:
        yield from ((target, listed[at]) for at in places if at < len(listed))


def _is_made_of(value: Node, name: bytes) -> bool:
    """Whether a value is a text, a copy of it, or a stream that reads it."""
    if value.type in ("argument_list", "initializer_list"):
        return any(_place(one) == name for one in tree_sitter_nodes.elements(value)[:1])
    if value.type == "call_expression" and plain_name(_callee(value)) in _COPYING:
        given = tree_sitter_nodes.elements(value.child_by_field_name("arguments"))
        return any(_place(one) == name for one in given[:1])
    return _place(value) == name


def _looked_through(call: Node) -> Node | None:
    """What a call searches; None for any other call."""
    called = _callee(call)
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    if called is not None and called.type == "field_expression":
        return called.child_by_field_name("argument") if text(called.child_by_field_name("field")) in _MEMBERS else None
    return given[0] if given and text(called).removeprefix(b"std::") in _FUNCTIONS else None


def _asks_directive(call: Node) -> bool:
    given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    return any(_DIRECTIVE.match(text(one)) is not None for one in given if one.type == "string_literal")


def _place(value: Node | None) -> bytes:
    """The object that an expression is of: `code` in `&code[0]`, `code.data()` and `*code`; empty for any other."""
    node = value
    while node is not None and node.type not in _OBJECTS:
        inner = node.child_by_field_name("argument") or node.child_by_field_name("value")
        if node.type == "call_expression":
            called, given = _callee(node), tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
            if called is not None and called.type == "field_expression" and not given:
                asked = text(called.child_by_field_name("field"))
                inner = called.child_by_field_name("argument") if asked in _WHOLE else None
            else:
                inner = given[0] if len(given) == 1 and text(called).partition(b"<")[0].endswith(b"_cast") else None
        elif node.type in ("parenthesized_expression", "reference_declarator", "pointer_declarator"):
            inner = node.named_children[-1] if node.named_children else None
        node = inner
    return text(node).replace(b"->", b".").removeprefix(b"this.")


def _initialised_by(declarator: Node) -> bytes:
    """The variable that an object is made from which reads as a function's declaration: `std::string s(code);`."""
    given = tree_sitter_nodes.elements(declarator.child_by_field_name("parameters"))
    kind = given[0].child_by_field_name("type") if len(given) == 1 and given[0].named_child_count == 1 else None
    return text(kind) if kind is not None and kind.type == "type_identifier" else b""


def _parameters(function: Node) -> list[Node]:
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.named_children[-1] if declarator.named_children else None
    return tree_sitter_nodes.elements(declarator.child_by_field_name("parameters")) if declarator is not None else []


def _node(parsed: ParsedFile, span: Span) -> Node | None:
    return parsed.tree.root_node.descendant_for_byte_range(span.start, span.end - 1)


def _callee(call: Node) -> Node | None:
    return call.child_by_field_name("function")
