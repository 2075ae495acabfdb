"""PySource: Python text, its syntax tree, and where each byte of it is in the file.

Result: nodes by kind, and spans and edits that refer to the file.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from tree_sitter import Node, Tree

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import tree_sitter_nodes

_KINDS = {
    "import_statement": "import",
    "import_from_statement": "import",
    "comment": "quiet",
    "string_content": "quiet",
    "string": "string",
    "if_statement": "branch",
    "conditional_expression": "branch",
    "boolean_operator": "branch",
    "decorated_definition": "decorated",
    "assignment": "assignment",
    "augmented_assignment": "assignment",
    "parameters": "parameters",
    "lambda_parameters": "parameters",
    "call": "call",
    "dictionary": "dictionary",
    "return_statement": "return",
    "class_definition": "class",
}
"""What nodes of the grammar are called here."""
_NODES = tree_sitter_nodes.Kinds("python", *_KINDS)


@dataclass(slots=True)
class PySource:
    """`text` is the program. Where it is not the file itself, its byte `i` is at `starts[i]` to `ends[i]`."""

    text: bytes
    tree: Tree
    data: bytes
    path: str = ""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    nodes: dict[str, list[Node]] = field(default_factory=dict)
    _quiet: list[int] = field(default_factory=list)
    _quiet_ends: list[int] = field(default_factory=list)
    held: dict[int, Any] = field(default_factory=dict)
    """Literals that variables hold, by the place of the value."""
    kept: dict[str, Any] = field(default_factory=dict)
    """What modules work out of the whole text once, by a name of theirs."""
    _variables: dict[bytes, list[Node]] = field(default_factory=dict)

    def kind(self, name: str) -> list[Node]:
        """The nodes of a kind that the query names, in the order of the text."""
        return self.nodes.get(name, [])

    def raw(self, node: Node) -> bytes:
        """The text of a node."""
        return self.text[node.start_byte : node.end_byte]

    def span(self, start: int, end: int) -> Span:
        """Where a range of the text is in the file."""
        if not self.starts:
            return Span(start, end)
        if end <= start:
            at = self.starts[start] if start < len(self.starts) else len(self.data)
            return Span(at, at)
        return Span(self.starts[start], self.ends[end - 1])

    def place(self, node: Node) -> Span:
        """Where a node is in the file."""
        return self.span(node.start_byte, node.end_byte)

    def edits(self, start: int, end: int, replacement: str) -> list[Edit]:
        """The edit that replaces a range of the text; none where the file spells the range in another way."""
        span = self.span(start, end)
        if not self.starts:
            return [Edit(span, replacement.encode())]
        if self.data[span.start : span.end] != self.text[start:end]:
            return []
        return [Edit(span, json.dumps(replacement, ensure_ascii=False)[1:-1].encode())]

    def quiet(self, offset: int) -> bool:
        """True inside a comment, an import or the characters of a string; what an f-string interpolates is code."""
        at = bisect_right(self._quiet, offset) - 1
        return at >= 0 and offset < self._quiet_ends[at]

    def at(self, start: int, end: int) -> Node | None:
        """The smallest node around a range of the text."""
        return self.tree.root_node.descendant_for_byte_range(start, end)

    def values(self, name: bytes) -> list[Node]:
        """What is assigned to a plain variable, anywhere in the text, `+=` included."""
        if not self._variables:
            for node in self.kind("assignment"):
                target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
                if target is not None and value is not None and target.type == "identifier":
                    self._variables.setdefault(self.raw(target), []).append(value)
        return self._variables.get(name, [])


def read(text: bytes, data: bytes, path: str, starts: Sequence[int] = (), ends: Sequence[int] = ()) -> PySource:
    """Parse `text`; any bytes give a PySource."""
    tree = tree_sitter_nodes.parse("python", text)
    py = PySource(text, tree, data, path, starts, ends)
    for node in _NODES.below(tree.root_node):
        py.nodes.setdefault(_KINDS[node.type], []).append(node)
    for start, end in sorted(
        (node.start_byte, node.end_byte) for kind in ("quiet", "import") for node in py.kind(kind)
    ):
        if not py._quiet_ends or end > py._quiet_ends[-1]:  # a comment may be in an import's brackets
            py._quiet.append(start)
            py._quiet_ends.append(end)
    return py


def enclosing(node: Node, *kinds: str) -> Node | None:
    """The nearest node around `node` that is of one of the kinds."""
    return next((around for around in tree_sitter_nodes.ancestors(node) if around.type in kinds), None)


def arguments(call: Node) -> list[Node]:
    """The arguments of a call, keyword arguments among them."""
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.type != "argument_list":
        return []
    return [child for child in listed.named_children if child.type != "comment"]


def parameters(listed: Node) -> Iterator[Node]:
    """The names that a list of parameters declares; not those of its defaults and types."""
    for child in listed.named_children:
        if child.type == "identifier":
            yield child
        elif child.type in ("default_parameter", "typed_default_parameter"):
            name = child.child_by_field_name("name")
            if name is not None:
                yield from parameters(name) if name.named_children else [name]
        elif child.type in ("typed_parameter", "list_splat_pattern", "dictionary_splat_pattern", "tuple_pattern"):
            yield from parameters(child)


def argument(py: PySource, call: Node, place: int, keyword: str = "") -> Node | None:
    """The value of one argument: by keyword, else by its place from 0."""
    plain = []
    for node in arguments(call):
        if node.type == "keyword_argument":
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if name is not None and py.raw(name) == keyword.encode():
                return value
        elif node.type in ("list_splat", "dictionary_splat"):
            break
        else:
            plain.append(node)
    return plain[place] if 0 <= place < len(plain) else None
