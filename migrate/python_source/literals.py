"""What is in string literals: their text, and where each byte of it is written.

Result: a `Literal`, or None for what only a run of the program would tell.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.python_source.source import PySource, arguments
from cudamigrate.syntax import utf8

_ESCAPE = re.compile(rb"\\(?:\r?\n|x[0-9A-Fa-f]{2}|[0-7]{1,3}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])")
"""An escape as a whole: `x41`, octal `101`, `u00e9` after a backslash, a joined line, else any one byte."""
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v",
           b"\\": b"\\", b"'": b"'", b'"': b'"'}  # fmt: skip
_DEPTH = 40
"""How deep an expression is followed; a variable may be put together from itself."""
_LONGEST = 1 << 18
"""Bytes of a text that is put together, at most: twenty variables, each twice the one before, come to a million."""
_METHODS = (b"strip", b"lstrip", b"rstrip", b"encode")
_FUNCTIONS = (b"dedent", b"indent")
"""Methods and functions that leave the lines of a source as they are, blanks apart."""


@dataclass(frozen=True, slots=True)
class Literal:
    """The bytes of a literal; byte `i` is written at `starts[i]` to `ends[i]` of the Python text."""

    text: bytes
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def plain(py: PySource, node: Node | None) -> str | None:
    """The characters of one literal without prefix, escapes and interpolations; None for any other node."""
    if node is None or node.type != "string" or len(node.children) > 3:
        return None
    inner = [child for child in node.children if child.type == "string_content"]
    if len(inner) != len(node.children) - 2 or (inner and inner[0].child_count):
        return None
    if not inner:
        return ""
    return utf8.text(py.raw(inner[0]))


def inside(node: Node) -> tuple[int, int]:
    """The range between the quotes of a literal."""
    if node.child_count < 2:
        return node.start_byte, node.end_byte
    return node.children[0].end_byte, node.children[-1].start_byte


def decoded(py: PySource, node: Node | None, depth: int = 0) -> Literal | None:
    """A literal as the program gets it, also of several parts; through `.strip()` and `dedent()`, and one variable."""
    if node is None or depth > _DEPTH:
        return None
    if node.type == "string":
        return _single(py, node)
    if node.type == "concatenated_string":
        parts = [_single(py, child) for child in node.named_children if child.type == "string"]
        return _joined([part for part in parts if part is not None]) if None not in parts else None
    if node.type == "binary_operator" and node.child_count == 3 and node.children[1].type == "+":
        left = decoded(py, node.children[0], depth + 1)
        right = decoded(py, node.children[2], depth + 1) if left is not None else None
        return _joined([left, right]) if left is not None and right is not None else None
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        return decoded(py, node.named_children[0], depth + 1)
    if node.type == "call":
        return _through(py, node, depth + 1)
    if node.type == "identifier":
        values = py.values(py.raw(node))
        one = len(values) == 1 and values[0].parent is not None and values[0].parent.type == "assignment"
        return _held(py, values[0], depth + 1) if one and values[0].type != "identifier" else None
    return None


def _held(py: PySource, node: Node, depth: int) -> Literal | None:
    """What a variable holds, decoded once: one that is added to itself makes twice the work each time."""
    found: Literal | None = py.held.get(node.start_byte)
    if found is None:
        found = decoded(py, node, depth)
        if found is not None:
            py.held[node.start_byte] = found
    return found


def _through(py: PySource, node: Node, depth: int) -> Literal | None:
    function = node.child_by_field_name("function")
    if function is None:
        return None
    if function.type == "attribute":
        method = function.child_by_field_name("attribute")
        if method is not None and py.raw(method) in _METHODS:
            return decoded(py, function.child_by_field_name("object"), depth)
        function = method
    if function is not None and py.raw(function) in _FUNCTIONS and arguments(node):
        return decoded(py, arguments(node)[0], depth)
    return None


def _single(py: PySource, node: Node) -> Literal | None:
    if node.child_count < 2 or any(child.type == "interpolation" for child in node.children):
        return None
    prefix = py.raw(node.children[0]).rstrip(b"'\"").lower()
    if b"f" in prefix or b"t" in prefix:
        return None
    start, end = inside(node)
    if b"r" in prefix or b"\\" not in py.text[start:end]:
        return Literal(py.text[start:end], tuple(range(start, end)), tuple(range(start + 1, end + 1)))
    return _escaped(py.text, start, end)


def _escaped(text: bytes, start: int, end: int) -> Literal:
    out = bytearray()
    starts: list[int] = []
    ends: list[int] = []

    def put(written: bytes, begin: int, finish: int) -> None:
        out.extend(written)
        starts.extend([begin] * len(written))
        ends.extend([finish] * len(written))

    at = start
    while at < end:
        escape = _ESCAPE.match(text, at, end) if text[at] == 92 else None
        if escape is None:
            put(text[at : at + 1], at, at + 1)
            at += 1
            continue
        put(_value(escape[0]), at, escape.end())
        at = escape.end()
    return Literal(bytes(out), tuple(starts), tuple(ends))


def _value(escape: bytes) -> bytes:
    body = escape[1:]
    if body in (b"\n", b"\r\n"):
        return b""
    if body in _SIMPLE:
        return _SIMPLE[body]
    if body[:1] in b"xuU" and len(body) > 1:
        code = int(body[1:], 16)
        return chr(code).encode("utf-8", "replace") if code < 0x110000 else b"?"
    if body.isdigit():
        return chr(int(body, 8)).encode("utf-8", "replace") if set(body) <= set(b"01234567") else escape
    return escape


def _joined(parts: list[Literal]) -> Literal | None:
    """Literals one after the other; None for more text than anybody writes."""
    if sum(len(part.text) for part in parts) > _LONGEST:
        return None
    return Literal(
        b"".join(part.text for part in parts),
        tuple(at for part in parts for at in part.starts),
        tuple(at for part in parts for at in part.ends),
    )
