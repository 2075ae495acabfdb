"""Names that stand for the width of a shuffle or the size of a tile: CUDA allows 1 to 32 for both."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare, plain_name

_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_function", "template_type")
_TILES = (b"tiled_partition", b"thread_block_tile")
_SHUFFLE = b"__shfl"


def names(scope: Node, parsed: ParsedFile) -> set[bytes]:
    """What shuffles below a node are given as their width, and tiles as their size."""
    held, root = parsed.data[scope.start_byte : scope.end_byte], parsed.tree.root_node
    tiles = _sizes_of_tiles(root, scope) if any(word in held for word in _TILES) else ()
    widths = _widths_of_shuffles(root, scope) if _SHUFFLE in held else ()
    return {text(one) for one in (*tiles, *widths)}


def _widths_of_shuffles(root: Node, scope: Node) -> Iterator[Node | None]:
    """The last argument of each shuffle that has a width."""
    for call in CALLS.within(root, scope):
        name, listed = text(call.child_by_field_name("function")), call.child_by_field_name("arguments")
        given = tree_sitter_nodes.elements(listed)
        if name.startswith(_SHUFFLE) and len(given) == (4 if name.endswith(b"_sync") else 3):
            yield bare(given[-1])


def _sizes_of_tiles(root: Node, scope: Node) -> Iterator[Node]:
    """The first template arguments of `tiled_partition` and `thread_block_tile`."""
    for one in _TEMPLATES.within(root, scope):
        listed = one.child_by_field_name("arguments")
        if plain_name(one) in _TILES and listed is not None and listed.named_child_count:
            yield _only(listed.named_children[0])


def _only(node: Node) -> Node:
    while node.named_child_count == 1:
        node = node.named_children[0]
    return node
