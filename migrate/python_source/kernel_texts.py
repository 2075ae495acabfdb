"""CUDA C++ in Python strings where it is not seen what compiles them, as a program's own functions may.

A text that has whole kernels is read, also one with places that Python fills in: what is filled in is read as a name.
A text that has a part of a kernel is reported as one that is not read. Functions with names of CUDA that a script
writes to files of C++ are read as well: what compiles these takes them for code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from enum import Enum

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.python_source import written_files
from cudamigrate.python_source.kernels import embedded
from cudamigrate.python_source.literals import Literal, decoded, inside
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, argument, enclosing
from cudamigrate.python_source.written_files import WrittenFiles
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import Embedded

_GATE = b"__global__"
_HEAD = re.compile(rb"\b__global__\s[^;\"']{0,300}?\w\s{0,9}\([^;]{0,3000}?\)\s{0,200}\{")
"""A kernel up to its body; a declaration, or a word about kernels, has none."""
_STRINGS = tree_sitter_nodes.Kinds("python", "string")
_OF_HIP = re.compile(rb"\bhip[A-Z][a-z]\w*")
_PARTS = ("concatenated_string", "parenthesized_expression")


class Filling(Enum):
    """How Python fills in a text, by a pattern of what it replaces and of what stands for one character."""

    NOTHING = (rb"(?!)", b"")
    FORMAT = (rb"\{[^{}\n]*\}|(?P<one>\{\{|\}\})", b"{}")
    PERCENT = (rb"%(?:\(\w+\))?[-#0 +]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]|(?P<one>%%)", b"%")
    TEMPLATE = (rb"\$\w+|\$\{\w+\}|(?P<one>\$\$)", b"$")


@dataclass(frozen=True, slots=True)
class KernelText:
    """A text with a kernel: what was read of it, None where nothing was, and whether Python fills in parts of it."""

    node: Node
    read: Embedded | None
    filled: bool


def find(py: PySource, names: Names, known: Collection[Span]) -> Iterator[KernelText]:
    """The texts of a file that are in no `known` source, in its order."""
    files = _files(py)
    if _GATE not in py.text and files is None:
        return
    for node in py.kind("string"):
        text = _whole(node)
        if text.start_byte != node.start_byte or _is_statement(text):
            continue  # a part behind the first of a text is one with it
        kernel = _HEAD.search(py.raw(text)) is not None
        if not (kernel or written_files.is_function(py.raw(text))) or _is_known(py, text, known):
            continue
        written = files is not None and files.takes(_strings(text))
        if kernel or written:
            found = _read(py, names, node, written)
            if kernel or found.read is not None:
                yield found if kernel else replace(found, filled=False)


def _files(py: PySource) -> WrittenFiles | None:
    """The files of C++ that a script writes, where it may write code to them; none where it knows HIP's names itself.

    Where PyTorch builds, it renames what is in files.
    """
    writes = b"write" in py.text or b"file=" in py.text
    if not writes or not written_files.is_function(py.text) or _OF_HIP.search(py.text) or b"cpp_extension" in py.text:
        return None
    return WrittenFiles(py)


def _is_known(py: PySource, text: Node, known: Collection[Span]) -> bool:
    """Whether a text is, or has, a source that something was seen to compile."""
    place = py.place(text)
    return any(one.start <= place.start < one.end or place.start <= one.start < place.end for one in known)


def _strings(text: Node) -> list[Node]:
    return _STRINGS.below(text)


def _read(py: PySource, names: Names, node: Node, written: bool) -> KernelText:
    """A text as it is filled in, and as it is read where it is whole; `written` to a file, it is no data."""
    text = _whole(node)
    way = _filling(py, names, text)
    literal = _of_format(py, text) if b"f" in _prefix(py, node) else decoded(py, text)
    filled = literal if literal is None else _with_names(literal, way)
    whole = filled is not None and _is_whole(filled.text)
    same = literal is not None and filled is not None and filled.text == literal.text
    has_places = not same or b"f" in _prefix(py, node)
    made = embedded(py, filled, loose=True) if filled is not None and whole else None
    made = replace(made, loose=False, written=True) if made is not None and written else made
    return KernelText(text, made, has_places)


def is_read(py: PySource, names: Names, value: Node | None, texts: Collection[KernelText], depth: int = 6) -> bool:
    """Whether a value is a text that was read, but for places that are filled in: `TEXT % names`, `TEXT.format(n=4)`.

    It is followed through variables and attributes of `self`, all that they are set to.
    """
    if value is None or depth == 0:
        return False
    read = (text.node.start_byte for text in texts if text.read is not None)
    if any(value.start_byte <= start < value.end_byte for start in read):
        return True
    if value.type in ("identifier", "attribute"):
        given = _given(py, value) if value.type == "attribute" else py.values(py.raw(value))
        return bool(given) and all(is_read(py, names, one, texts, depth - 1) for one in given)
    return is_read(py, names, _filled_in(py, names, value), texts, depth - 1)


def compiled(py: PySource, names: Names, value: Node) -> KernelText | None:
    """The text that an expression given to a compiler fills in, as it is read; None where it is no such expression."""
    inner = value
    while (text := _filled_in(py, names, inner)) is not None:
        inner = text
    literal = decoded(py, inner) if inner is not value else None
    if literal is None or not literal.text.strip():
        return None
    return KernelText(inner, embedded(py, _with_names(literal, _filling(py, names, inner))), filled=True)


def _given(py: PySource, target: Node) -> list[Node]:
    """What an attribute is set to, `self.code`, by a class of the text or where it is assigned.

    Of classes with an attribute of that name all count: one may be made from the other.
    """
    owner, found = target.child_by_field_name("object"), list[Node]()
    classes = {py.raw(name) for one in py.kind("class") if (name := one.child_by_field_name("name")) is not None}
    own = owner is not None and py.raw(owner) in {b"self", b"cls", *classes}
    member = py.raw(target.child_by_field_name("attribute") or target)
    for node in py.kind("assignment"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            continue
        if py.raw(left) == py.raw(target) or (own and py.raw(left) == member and _is_of_class(node)):
            found.append(right)
    return found


def _is_of_class(assignment: Node) -> bool:
    """Whether an assignment is a statement of a class."""
    around = enclosing(assignment, "class_definition", "function_definition", "lambda")
    return around is not None and around.type == "class_definition"


def _filled_in(py: PySource, names: Names, value: Node) -> Node | None:
    """What an expression fills the places of in; None for any other."""
    if value.type == "parenthesized_expression":
        return value.named_children[0] if value.named_child_count else None
    if value.type == "binary_operator":
        sign = value.child_by_field_name("operator")
        return value.child_by_field_name("left") if sign is not None and py.raw(sign) == b"%" else None
    function = value.child_by_field_name("function") if value.type == "call" else None
    if function is None:
        return None
    if names.of(function) == "string.Template":
        return argument(py, value, 0, "template")
    method = function.child_by_field_name("attribute") if function.type == "attribute" else None
    fills = method is not None and py.raw(method).startswith((b"format", b"substitute", b"safe_substitute"))
    return function.child_by_field_name("object") if fills else None


def _whole(node: Node) -> Node:
    """All parts of a text that are written one after the other."""
    while node.parent is not None and node.parent.type in _PARTS:
        node = node.parent
    return node


def _is_statement(text: Node) -> bool:
    """Whether a text is a statement of its own: it documents."""
    return text.parent is not None and text.parent.type == "expression_statement"


def _prefix(py: PySource, node: Node) -> bytes:
    return py.raw(node.children[0]).rstrip(b"'\"").lower() if node.child_count else b""


def _filling(py: PySource, names: Names, text: Node) -> Filling:
    """How Python fills in a text, where it is written or by the variable that holds it."""
    around = text.parent
    if around is None:
        return Filling.NOTHING
    if around.type == "attribute":
        method = around.child_by_field_name("attribute")
        return Filling.FORMAT if method is not None and py.raw(method).startswith(b"format") else Filling.NOTHING
    if around.type == "binary_operator" and around.child_by_field_name("left") == text:
        sign = around.child_by_field_name("operator")
        return Filling.PERCENT if sign is not None and py.raw(sign) == b"%" else Filling.NOTHING
    if around.type == "argument_list" and around.parent is not None:
        called = names.of(around.parent.child_by_field_name("function"))
        return Filling.TEMPLATE if called == "string.Template" else Filling.NOTHING
    target = around.child_by_field_name("left") if around.type in ("assignment", "augmented_assignment") else None
    return Filling.NOTHING if target is None else _by_variable(py, names, py.raw(target))


def _by_variable(py: PySource, names: Names, name: bytes) -> Filling:
    """How Python fills in what a variable holds: `name.format(...)`, `name % (...)`, `Template(name)`."""
    spelled = re.escape(name)
    if re.search(rb"(?<![\w.])%b\s*\.\s*format" % spelled, py.text):
        return Filling.FORMAT
    if re.search(rb"(?<![\w.])%b\s*%%\s*[\w({]" % spelled, py.text):
        return Filling.PERCENT
    held = re.search(rb"\bTemplate\(\s*%b\s*\)" % spelled, py.text) is not None
    imported = any(one.full == "string.Template" for found in names.bindings.values() for one in found)
    return Filling.TEMPLATE if held and imported else Filling.NOTHING


def _of_format(py: PySource, node: Node) -> Literal | None:
    """A formatted text, with underscores for what is filled in; None where it has parts or escapes."""
    start, end = inside(node)
    is_raw = b"r" in _prefix(py, node)
    if node.type != "string" or (b"\\" in py.text[start:end] and not is_raw):
        return None
    text = bytearray(py.text[start:end])
    for child in node.children:
        if child.type == "interpolation":
            text[child.start_byte - start : child.end_byte - start] = b"_" * (child.end_byte - child.start_byte)
    made = Literal(bytes(text), tuple(range(start, end)), tuple(range(start + 1, end + 1)))
    return _with_names(made, Filling.FORMAT)


def _with_names(literal: Literal, way: Filling) -> Literal:
    """A text with a name in each place that Python fills in, and one character for what stands for one."""
    pattern, signs = way.value
    if not any(sign in literal.text for sign in (bytes((one,)) for one in signs)):
        return literal
    text, starts, ends = bytearray(), list[int](), list[int]()
    at = 0
    for match in re.finditer(pattern, literal.text):
        _take(literal, (text, starts, ends), at, match.start())
        if match["one"]:
            _take(literal, (text, starts, ends), match.start(), match.start() + 1)
            ends[-1] = literal.ends[match.end() - 1]
        else:
            _take(literal, (text, starts, ends), match.start(), match.end())
            text[-len(match[0]) :] = re.sub(rb"\W", b"_", match[0])
        at = match.end()
    _take(literal, (text, starts, ends), at, len(literal.text))
    return Literal(bytes(text), tuple(starts), tuple(ends))


def _take(literal: Literal, made: tuple[bytearray, list[int], list[int]], start: int, end: int) -> None:
    made[0].extend(literal.text[start:end])
    made[1].extend(literal.starts[start:end])
    made[2].extend(literal.ends[start:end])


def _is_whole(text: bytes) -> bool:
    """Whether each brace of a text has its other."""
    return text.count(b"{") == text.count(b"}") and text.count(b"(") == text.count(b")")
