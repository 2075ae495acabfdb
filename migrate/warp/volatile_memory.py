"""Shared memory that a routine reads again each time: arrays of any dimensions, and pointers to them or their rows.

An element is the array with all indices that lead to it, whichever name of the routine it is reached by: with
`volatile int *p = &rows[w][16]`, `p[l]` is `rows[w][16 + l]`. A pointer counts where one declaration says where it
points to, and nothing moves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model.warp_graph import Expression
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.declarators import plain
from cudamigrate.warp.expressions import without_casts
from cudamigrate.warp.places import Place

_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_START = ("n", 0)


class _Declared(NamedTuple):
    """What a name is declared as: how many dimensions an array has, 0 for none, and whether it is a plain pointer."""

    dimensions: int
    is_pointer: bool
    is_volatile: bool
    is_shared: bool


class SharedElement(NamedTuple):
    """An element of an array in shared memory, by the indices of all its dimensions.

    `base` is where the pointer begins by which it is reached, if it is.
    """

    array: str
    indices: tuple[Expression, ...]
    base: tuple[Expression, ...] = ()


class VolatileMemory:
    """What names of one routine lead to `volatile` shared memory."""

    def __init__(self, parsed: ParsedFile, place: Place) -> None:
        self._place = place
        self._declared = _declared(parsed, place) if place.routine.shared else {}
        self._pointed: dict[str, SharedElement | None] = {}

    def __bool__(self) -> bool:
        return any(one.is_volatile for one in self._declared.values())

    def root(self, name: str) -> str:
        """The array that a name leads to, itself or as a pointer; the name itself where that is none."""
        found = self._element(("v", name), set())
        return name if found is None else found.array

    def element(self, what: Expression) -> SharedElement | None:
        """The element of such memory that an expression is, None for any other."""
        if what[0] != "i":
            return None
        name = _base(what)
        known = self._declared.get(name)
        found = self._element(what, set()) if known is not None and known.is_volatile else None
        if found is None or len(found.indices) != self._declared[found.array].dimensions:
            return None
        begun = self._element(("v", name), set()) if known is not None and known.is_pointer else None
        return found if begun is None else found._replace(base=begun.indices or (_START,))

    def _element(self, what: Expression, seen: set[str]) -> SharedElement | None:
        """What is at an address, or an element or a row of an array; None for what leads elsewhere."""
        what = without_casts(what)
        if what[0] == "v":
            return self._named(what[1], seen)
        if what[0] == "i" and len(what) > 2:
            return self._moved(self._element(what[1], seen), what[2], _is_array(what[1], self._declared))
        if what[:2] == ("o", "+") and len(what) > 3:
            return self._moved(self._element(what[2], seen), what[3], False)
        return None

    def _moved(self, found: SharedElement | None, index: Expression, deeper: bool) -> SharedElement | None:
        """The element or row so much further on; with `deeper` in the next dimension of an array."""
        if found is None:
            return None
        array, indices = found.array, found.indices
        most = self._declared[array].dimensions
        if deeper:
            return SharedElement(array, (*indices, index)) if len(indices) < most else None
        full = (*indices, *(_START for _ in range(most - len(indices))))
        last = index if full[-1] == _START else ("o", "+", full[-1], index)
        return SharedElement(array, (*full[:-1], full[-1] if index == _START else last))

    def _named(self, name: str, seen: set[str]) -> SharedElement | None:
        known = self._declared.get(_spelled(name))
        if known is None or name in seen:
            return None
        if known.dimensions:
            return SharedElement(_spelled(name), ()) if known.is_shared else None
        if name not in self._pointed:
            self._pointed[name] = None
            given = [one for one in self._place.routine.definitions if _spelled(one.name) == _spelled(name)]
            if known.is_pointer and len(given) == 1:
                self._pointed[name] = self._element(given[0].value, {*seen, name})
        return self._pointed[name]


def _base(what: Expression) -> str:
    """The name that an element is reached by."""
    what = without_casts(what)
    while what[0] == "i" or (what[:2] == ("o", "+") and len(what) > 3):
        what = without_casts(what[1] if what[0] == "i" else what[2])
    return _spelled(what[1]) if what[0] == "v" else ""


def _is_array(what: Expression, declared: Mapping[str, _Declared]) -> bool:
    """Whether an index of an expression is one of an array's dimensions: not that of a pointer."""
    while what[0] == "i":
        what = what[1]
    known = declared.get(_spelled(what[1])) if what[0] == "v" else None
    return known is not None and known.dimensions > 0


def _spelled(name: str) -> str:
    """A variable's name without the number of its declaration."""
    return name.partition("#")[0]


def _declared(parsed: ParsedFile, place: Place) -> dict[str, _Declared]:
    """What the names of a routine are declared as, of those that all their declarations declare alike."""
    found: dict[str, list[_Declared]] = {}
    for node in _DECLARATIONS.below(parsed.tree.root_node):
        if place.routine.start <= node.start_byte < place.routine.end:
            for name, one in _declarators(node):
                found.setdefault(name, []).append(one)
    return {name: many[0] for name, many in found.items() if len(set(many)) == 1}


def _declarators(node: Node) -> Iterator[tuple[str, _Declared]]:
    declarators = node.children_by_field_name("declarator")
    head = text(node)[: declarators[0].start_byte - node.start_byte] if declarators else b""
    for whole in declarators:
        inner = whole.child_by_field_name("declarator") if whole.type == "init_declarator" else whole
        dimensions, is_pointer = 0, inner is not None and inner.type == "pointer_declarator"
        if is_pointer and inner is not None:
            inner = inner.child_by_field_name("declarator") or inner.named_children[-1]
        while inner is not None and inner.type == "array_declarator" and not is_pointer:
            dimensions, inner = dimensions + 1, inner.child_by_field_name("declarator")
        if inner is not None and inner.type == "identifier":
            yield plain(whole), _Declared(dimensions, is_pointer, b"volatile" in head, b"__shared__" in head)
