"""Reading tree-sitter syntax trees: parsing, ancestors, errors. No CUDA knowledge.

Result: trees, and nodes with their byte ranges. Trees never leave the process that made them.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

_WALKED = {"cuda": 40_000}
"""Nodes of a grammar that are walked one by one before the parser's own search is prepared, which takes as long: 10 ms
for CUDA, 1 ms for small grammars."""
_WALKED_OTHERS = 3_000


@cache
def grammar(name: str) -> Language:
    """The grammar of the installed package `tree_sitter_<name>`."""
    return Language(importlib.import_module(f"tree_sitter_{name}").language())


@cache
def parser(name: str) -> Parser:
    """A parser for the grammar, one per process."""
    return Parser(grammar(name))


def parse(name: str, data: bytes) -> Tree:
    """The syntax tree of `data`; always a tree, with error nodes where the grammar does not fit."""
    return parser(name).parse(data)


class Kinds:
    """Finds the nodes of some kinds below a node, in the order of the file, which a node is in before its children.

    The parser's own search is the quicker one by far, and takes as long to prepare as walking some large files: a
    command that reads few files never does.
    """

    def __init__(self, grammar_name: str, *kinds: str) -> None:
        self._grammar, self._kinds = grammar_name, frozenset(kinds)
        self._walked, self._most_walked = 0, _WALKED.get(grammar_name, _WALKED_OTHERS)
        self._query: Query | None = None

    def below(self, root: Node) -> list[Node]:
        """The nodes of these kinds, `root` among them if it is one."""
        self._walked += root.descendant_count
        if self._walked <= self._most_walked:
            return [node for node in _nodes(root) if node.type in self._kinds and node.is_named]
        if self._query is None:
            self._query = Query(grammar(self._grammar), " ".join(f"({kind}) @found" for kind in sorted(self._kinds)))
        found = QueryCursor(self._query).captures(root).get("found", [])
        return sorted(found, key=lambda node: (node.start_byte, -node.end_byte))


def _nodes(root: Node) -> Iterator[Node]:
    """All nodes from `root` on, each before its children."""
    cursor = root.walk()
    while True:
        node = cursor.node
        assert node is not None
        yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def elements(listed: Node | None) -> list[Node]:
    """What a list of arguments or parameters holds, without comments; nothing where there is no list."""
    return [one for one in (listed.named_children if listed is not None else ()) if one.type != "comment"]


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around `node`, nearest first."""
    around = node.parent
    while around is not None:
        yield around
        around = around.parent


def error_bytes(tree: Tree) -> int:
    """How many bytes lie in error nodes, plus one for each node that the parser had to invent.

    The measure by which a rewritten file may not be worse than its original.
    """
    if not tree.root_node.has_error:
        return 0
    total, cursor = 0, tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        if node.is_error or node.is_missing:
            total += max(1, node.end_byte - node.start_byte)
        elif node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return total


def stray_share(tree: Tree) -> float:
    """Share of the leaf bytes that are in an error node directly, part of nothing the grammar knows.

    An error node that wraps a whole file of sound functions has few of them; prose and other languages have many.
    """
    total = stray = 0
    cursor, around = tree.walk(), [False]  # a node is asked for its parent from the root down, which takes long
    while True:
        node = cursor.node
        assert node is not None
        if node.child_count == 0:
            length = node.end_byte - node.start_byte
            total += length
            stray += length if node.is_error or around[-1] else 0
        if cursor.goto_first_child():
            around.append(node.is_error)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return stray / max(1, total)
            around.pop()
