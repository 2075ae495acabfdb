"""Reading tree-sitter syntax trees: parsing, ancestors, errors. No CUDA knowledge.

Result: trees, and nodes with their byte ranges. Trees never leave the process that made them.
"""

from __future__ import annotations

import importlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import ClassVar

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

_WALKED = {"cuda": 40_000}
"""Nodes of a grammar that are walked one by one before the parser's own search is prepared, which takes as long: 10 ms
for CUDA, 1 ms for small grammars."""
_WALKED_OTHERS = 3_000
_DEEP, _SAMPLE = 30_000, 20_000
"""Levels from which the parser's own search is not used: it counts them in 16 bits, and what it began beyond those it
never ends, which takes the square of the length. One node in so many is asked for its level."""
_TREES = 2
"""Trees of which is kept what they hold."""


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


class _Held:
    """The nodes of a tree by kind, and those of several kinds in the order of the file with where they start."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.kinds: dict[str, list[Node]] = {}
        self.ordered: dict[frozenset[str], tuple[list[Node], list[int]]] = {}


class Kinds:
    """Finds the nodes of some kinds below a node, in the order of the file, which a node is in before its children.

    A whole tree is gone through once for all kinds that somebody looks for, `identifier` and other `parts` excepted,
    of which there are too many. The parser's own search is the quicker one by far, and takes as long to prepare as
    walking some large files: a command that reads few files never does.
    """

    _everywhere: ClassVar[dict[str, set[str]]] = {}
    """The kinds that are looked for in whole trees, by grammar."""
    _walked: ClassVar[dict[str, int]] = {}
    _trees: ClassVar[list[_Held]] = []
    """What the trees hold that were looked through last."""

    def __init__(self, grammar_name: str, *kinds: str, parts: bool = False) -> None:
        self._grammar, self._kinds, self._parts = grammar_name, frozenset(kinds), parts
        if not parts:
            self._everywhere.setdefault(grammar_name, set()).update(kinds)

    def below(self, root: Node) -> list[Node]:
        """The nodes of these kinds, `root` among them if it is one."""
        if self._parts or root.parent is not None:
            return _in_order(self._search(root, self._kinds).values())
        return list(self._of_tree(root)[0])

    def within(self, root: Node, node: Node) -> list[Node]:
        """The same for a node of the tree with this root: for many nodes of one tree, much faster."""
        nodes, starts = self._of_tree(root)
        end = node.end_byte
        part = nodes[bisect_left(starts, node.start_byte) : bisect_left(starts, end)]
        return [one for one in part if one.end_byte <= end]

    def _of_tree(self, root: Node) -> tuple[list[Node], list[int]]:
        """The nodes of these kinds in a whole tree, and where they start."""
        held = next((held for held in self._trees if held.root == root), None)
        if held is None:
            held = _Held(root)
            self._trees[:] = [held, *self._trees[: _TREES - 1]]
        if self._kinds not in held.ordered:
            if not self._kinds <= held.kinds.keys():
                kinds = frozenset(self._everywhere[self._grammar]).difference(held.kinds)
                held.kinds.update(self._search(root, kinds))
            nodes = _in_order(held.kinds[kind] for kind in self._kinds)
            held.ordered[self._kinds] = nodes, [node.start_byte for node in nodes]
        return held.ordered[self._kinds]

    def _search(self, root: Node, kinds: frozenset[str]) -> dict[str, list[Node]]:
        """The nodes of some kinds below a node, by kind."""
        walked = self._walked[self._grammar] = self._walked.get(self._grammar, 0) + root.descendant_count
        found: dict[str, list[Node]] = {kind: [] for kind in kinds}
        if walked > _WALKED.get(self._grammar, _WALKED_OTHERS) and not _is_deep(root):
            found.update(QueryCursor(_query(self._grammar, kinds)).captures(root))
            return found
        for node in _nodes(root):
            listed = found.get(node.type)
            if listed is not None and node.is_named:
                listed.append(node)
        return found


def _is_deep(root: Node) -> bool:
    """Whether nodes lie so deep that the parser's own search must not be used.

    From a node to the next in the order of the file it is one level down at most, so that what lies between two that
    are asked is hardly deeper than they are.
    """
    cursor = root.walk()
    for index in range(_SAMPLE, root.descendant_count, _SAMPLE):
        cursor.goto_descendant(index)
        if cursor.depth > _DEEP:
            return True
    return False


def _in_order(lists: Iterable[list[Node]]) -> list[Node]:
    """Nodes in the order of the file, each before those in it."""
    return sorted((node for nodes in lists for node in nodes), key=lambda node: (node.start_byte, -node.end_byte))


@cache
def _query(name: str, kinds: frozenset[str]) -> Query:
    """The parser's own search for kinds of nodes."""
    made: Query = Query(grammar(name), " ".join(f"({kind}) @{kind}" for kind in sorted(kinds)))
    return made


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


class Locator:
    """Finds the smallest node around a place, and all nodes around that, from where the last place was.

    The parser's own search begins at the root each time, and so does a node that is asked for its parent: in a tree as
    deep as the file is long, as that of many `#elif`, this takes the square of the length.
    """

    def __init__(self, root: Node) -> None:
        self._cursor = root.walk()
        self._path = [root]

    def around(self, start: int, end: int) -> Sequence[Node]:
        """The nodes that hold a range of bytes, the root first; they hold until the next call."""
        path, cursor = self._path, self._cursor
        while len(path) > 1 and not (path[-1].start_byte <= start < path[-1].end_byte and end <= path[-1].end_byte):
            path.pop()
            cursor.goto_parent()
        while cursor.goto_first_child_for_byte(start) is not None:
            node = cursor.node
            assert node is not None
            if node.start_byte > start or node.end_byte < end:
                cursor.goto_parent()
                break
            path.append(node)
        return path


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
