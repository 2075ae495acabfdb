"""Reading YAML: scalars with the way to them and their place. No knowledge of what the files are for.

Result: every key and value as a `Scalar`, in the order of the file. Works on what is sound where the rest is not, and
never makes YAML.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node, Tree

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes, utf8

_SCALARS = ("plain_scalar", "single_quote_scalar", "double_quote_scalar", "block_scalar")
_PAIRS = ("block_mapping_pair", "flow_pair")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A key or value: `span` is its text without quotes, `path` the keys to it, its own last where it is a key.

    `style` is `plain`, `single`, `double`, `literal` or `folded`; `node` is the whole value, for a key the pair.
    """

    path: tuple[str, ...]
    span: Span
    text: str
    style: str
    key: bool
    node: Node

    @property
    def last(self) -> str:
        """The key that the value is under."""
        return self.path[-1] if self.path else ""

    @property
    def verbatim(self) -> bool:
        """Whether the bytes of the span are the text, line ends and indentation apart."""
        if self.style == "double":
            return "\\" not in self.text
        return self.style != "single" or "''" not in self.text


def parse(data: bytes) -> Tree:
    """The syntax tree of a YAML file."""
    return tree_sitter_nodes.parse("yaml", data)


def scalars(data: bytes, root: Node) -> Iterator[Scalar]:
    """Every scalar below `root`, keys too."""
    waiting: list[tuple[tuple[str, ...], Node]] = [((), root)]
    while waiting:
        path, node = waiting.pop()
        if node.type in _SCALARS:
            yield _scalar(data, path, node, key=False, whole=node)
            continue
        if node.type in _PAIRS:
            key = node.child_by_field_name("key")
            value = node.child_by_field_name("value")
            text = key_of(data, node)
            if key is not None and text:
                leaf = _leaf(key)
                if leaf is not None:
                    yield _scalar(data, (*path, text), leaf, key=True, whole=node)
            if value is not None:
                waiting.append(((*path, text) if len(path) < 40 else path, value))
            continue
        waiting.extend((path, child) for child in reversed(node.named_children))


def key_of(data: bytes, pair: Node) -> str:
    """The key of a pair, empty where it is no scalar."""
    key = pair.child_by_field_name("key")
    leaf = _leaf(key) if key is not None else None
    return _scalar(data, (), leaf, key=True, whole=pair).text if leaf is not None else ""


def pairs(node: Node | None) -> Iterator[Node]:
    """The pairs of a mapping, given itself or the node around it."""
    while node is not None and node.type in ("flow_node", "block_node", "stream", "document"):
        node = next((child for child in node.named_children if child.type not in ("anchor", "tag", "comment")), None)
    if node is not None and node.type in ("block_mapping", "flow_mapping"):
        yield from (child for child in node.named_children if child.type in _PAIRS)


def value_of(data: bytes, node: Node | None, *keys: str) -> Node | None:
    """What is below `node` under keys, one after the other."""
    for key in keys:
        found = next((pair for pair in pairs(node) if key_of(data, pair) == key), None)
        node = found.child_by_field_name("value") if found is not None else None
    return node


def _leaf(node: Node) -> Node | None:
    while node.type not in _SCALARS:
        inner = next((child for child in node.named_children if child.type not in ("anchor", "tag")), None)
        if inner is None:
            return None
        node = inner
    return node


def _scalar(data: bytes, path: tuple[str, ...], node: Node, key: bool, whole: Node) -> Scalar:
    start, end, style = node.start_byte, node.end_byte, "plain"
    if node.type in ("single_quote_scalar", "double_quote_scalar"):
        start, end, style = start + 1, max(start + 1, end - 1), node.type.partition("_")[0]
    elif node.type == "block_scalar":
        style = "folded" if data[start : start + 1] == b">" else "literal"
        line = data.find(b"\n", start, end)
        start = end if line < 0 else line + 1
    return Scalar(path, Span(start, end), utf8.text(data[start:end]), style, key, whole)
