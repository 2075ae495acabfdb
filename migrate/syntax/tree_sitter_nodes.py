"""Reading tree-sitter syntax trees: parsing, ancestors, errors. No CUDA knowledge.

Result: trees, and nodes with their byte ranges. Trees never leave the process that made them.
"""

from __future__ import annotations

import importlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import ClassVar

from tree_sitter import Language, Node, Parser, Point, Tree

_ROOTS = frozenset(("translation_unit", "module", "ERROR"))
"""Kinds of nodes that may be a whole tree: a node is asked for its parent from the root down, which takes long."""
_FEW = 64
"""Changes of a text up to which its tree is changed: each takes as long as the nodes around it have children."""
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


def parse_again(name: str, tree: Tree, data: bytes, changed: bytes, spans: Sequence[tuple[int, int]]) -> Tree:
    """The syntax tree of `changed`, which differs from the `data` of a tree in some spans alone, and has its length.

    What the spans do not touch is taken from the tree; `tree` itself stays as it is.
    """
    if len(spans) > _FEW:
        return parse(name, changed)
    old, row, line = tree.copy(), 0, 0
    for start, end in sorted(spans):
        row += data.count(b"\n", line, start)
        line = data.rfind(b"\n", 0, start) + 1
        first, last = Point(row, start - line), Point(row, end - line)
        old.edit(start, end, end, first, last, last)
    return parser(name).parse(changed, old)


class _Held:
    """The nodes of a tree in the order of the file, their numbers by kind, and those of several kinds as asked for."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.nodes: list[Node] = []
        self.kinds: dict[str, list[int]] = {}
        self.ordered: dict[frozenset[str], list[Node]] = {}
        self.starts: dict[frozenset[str], list[int]] = {}
        self.parents: dict[frozenset[str], list[int]] = {}
        self.above: dict[Node, Node] = {}
        self.outline: tuple[list[Node], list[int], list[int]] | None = None

    def around(self, node: Node) -> Node | None:
        """The node around one of this tree; None for the root, and for nodes of other trees.

        A node is asked for its parent from the root down, which takes long where a tree is deep. Here it is from the
        next node around that is known, and what lies on the way down is kept.
        """
        known = self.above.get(node)
        if known is None and (above := self._anchor(node)) is not None:
            while above != node and (inner := above.child_with_descendant(node)) is not None:
                self.above[inner] = known = above
                above = inner
            if above != node:
                return None
        return known

    def _anchor(self, node: Node) -> Node | None:
        """The nearest known node that is longer than a node and holds it; the root where there is none."""
        if self.outline is None:
            starts, parents = [one.start_byte for one in self.nodes], list[int]()
            for number, one in enumerate(self.nodes):
                parents.append(_holding(self.nodes, parents, number - 1, one))
            self.outline = self.nodes, starts, parents
        nodes, starts, parents = self.outline
        start, end = node.start_byte, node.end_byte
        at = _holding(nodes, parents, bisect_right(starts, start) - 1, node)
        while at >= 0 and nodes[at].start_byte == start and nodes[at].end_byte == end:
            at = parents[at]
        return nodes[at] if at >= 0 else self.root


class Kinds:
    """Finds the nodes of some kinds below a node, in the order of the file, which a node is in before its children.

    A whole tree is gone through once for all kinds that somebody looks for, `identifier` and other `parts` excepted,
    of which there are too many. It is walked: the parser's own search takes nine tenths of the time for each node, ten
    milliseconds to prepare for each set of kinds, and the square of the length where trees are deep.
    """

    _everywhere: ClassVar[dict[str, set[str]]] = {}
    """The kinds that are looked for in whole trees, by grammar."""
    _trees: ClassVar[list[_Held]] = []
    """What the trees hold that were looked through last."""

    def __init__(self, grammar_name: str, *kinds: str, parts: bool = False) -> None:
        self._grammar, self._kinds, self._parts = grammar_name, frozenset(kinds), parts
        if not parts:
            self._everywhere.setdefault(grammar_name, set()).update(kinds)

    @classmethod
    def trees(cls) -> Sequence[_Held]:
        """What is known of the trees that were looked through last."""
        return cls._trees

    def below(self, root: Node) -> list[Node]:
        """The nodes of these kinds, `root` among them if it is one."""
        if self._parts or root.type not in _ROOTS or root.parent is not None:
            return self._search(root, self._kinds)[0]
        return list(self._of_tree(root).ordered[self._kinds])

    def within(self, root: Node, node: Node) -> list[Node]:
        """The same for a node of the tree with this root: for many nodes of one tree, much faster."""
        nodes, starts, end = self._of_tree(root).ordered[self._kinds], self.starts(root), node.end_byte
        part = nodes[bisect_left(starts, node.start_byte) : bisect_left(starts, end)]
        return [one for one in part if one.end_byte <= end]

    def starts(self, root: Node) -> Sequence[int]:
        """Where these nodes begin in the tree with this root, in order."""
        held = self._of_tree(root)
        if self._kinds not in held.starts:
            held.starts[self._kinds] = [node.start_byte for node in held.ordered[self._kinds]]
        return held.starts[self._kinds]

    def around(self, root: Node, node: Node) -> Iterator[Node]:
        """The nodes of these kinds around a node of the tree with this root, nearest first.

        A step up begins at the root: deep in a tree this is much faster than to look at all that is around.
        """
        nodes, parents = self._of_tree(root).ordered[self._kinds], self._parents(root)
        at = _holding(nodes, parents, bisect_right(self.starts(root), node.start_byte) - 1, node)
        while at >= 0:
            if nodes[at] != node:
                yield nodes[at]
            at = parents[at]

    def _parents(self, root: Node) -> Sequence[int]:
        """For each of these nodes the number of the one around it, -1 for none."""
        held = self._of_tree(root)
        if self._kinds not in held.parents:
            parents = held.parents[self._kinds] = []
            nodes = held.ordered[self._kinds]
            for number, node in enumerate(nodes):
                parents.append(_holding(nodes, parents, number - 1, node))
        return held.parents[self._kinds]

    def _of_tree(self, root: Node) -> _Held:
        """What is known of a whole tree, the nodes of these kinds among it."""
        for held in self._trees:
            if held.root == root:
                break
        else:
            held = _Held(root)
            self._trees[:] = [held, *self._trees[: _TREES - 1]]
        if self._kinds not in held.ordered:
            if not self._kinds <= held.kinds.keys():
                held.nodes, held.kinds = self._search(root, frozenset(self._everywhere[self._grammar]))
                held.outline = None
            lists = [held.kinds[kind] for kind in self._kinds]
            numbers = sorted(chain.from_iterable(lists)) if len(lists) > 1 else lists[0]
            held.ordered[self._kinds] = [held.nodes[number] for number in numbers]
        return held

    def _search(self, root: Node, kinds: frozenset[str]) -> tuple[list[Node], dict[str, list[int]]]:
        """The nodes of some kinds below a node, in the order of the file, and their numbers in it by kind."""
        found: list[Node] = []
        places: dict[str, list[int]] = {kind: [] for kind in kinds}
        table = _tokens(self._grammar).copy()
        table.update((number, places[kind].append) for number, kind in _numbers(self._grammar, kinds))
        into = table.get
        cursor = root.walk()
        first, following, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        while True:
            node = cursor.node
            assert node is not None
            add = into(node.kind_id)
            if add is not _is_token:
                if add is not None:
                    add(len(found))
                    found.append(node)
                if first():
                    continue
            while not following():
                if not up():
                    return found, places


def _holding(nodes: Sequence[Node], parents: Sequence[int], at: int, node: Node) -> int:
    """The number of the node at a place, or of the next one around it, that ends where `node` does or behind."""
    while at >= 0 and nodes[at].end_byte < node.end_byte:
        at = parents[at]
    return at


def _is_token(_number: int) -> None:
    """What stands for kinds of nodes that hold nothing and that nobody looks for."""


@cache
def _tokens(name: str) -> dict[int, Callable[[int], None]]:
    """The numbers of the kinds that have no name of their own: signs and keywords, which have no nodes in them."""
    known = grammar(name)
    return {number: _is_token for number in range(known.node_kind_count) if not known.node_kind_is_named(number)}


@cache
def _numbers(name: str, kinds: frozenset[str]) -> list[tuple[int, str]]:
    """The numbers that a grammar has for kinds of nodes: a kind may have several."""
    known = grammar(name)
    named = (number for number in range(known.node_kind_count) if known.node_kind_is_named(number))
    return [(number, kind) for number in named if (kind := known.node_kind_for_id(number)) in kinds]


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
    around = parent(node)
    while around is not None:
        yield around
        around = parent(around)


def parent(node: Node) -> Node | None:
    """The node around `node`: found without a search from the root in a tree that somebody looked through."""
    for held in Kinds.trees():
        around = held.around(node)
        if around is not None:
            return around
    return node.parent


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
