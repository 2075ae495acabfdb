"""What a routine stores to and reads from memory that other blocks see, by the array or the member it is part of."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Expression, Routine
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import below
from cudamigrate.warp.places import Place

_ARROW = re.compile(rb"\b(\w+)\s*->")
"""A name that code takes for a pointer, whatever its type is called."""
_ASSIGNMENTS = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_COORDINATES = frozenset("xyzw")
_ATOMIC = "atomic"
_COHERENT = (_ATOMIC, "__ld", "__hip_atomic")
"""How functions begin that read past the caches which other blocks do not write to."""


class Access(NamedTuple):
    """An element of memory as code names it: what it is part of, where it is, and the expression."""

    key: str
    start: int
    what: Expression


class Accesses:
    """The accesses of one routine.

    `pointers` are names that its text follows by `->`, whatever they are declared as, and `updates` the bytes at which
    assignments begin that read what they write: `sum[i] += x`.
    """

    def __init__(self, place: Place, pointers: Container[str] = (), updates: Container[int] = ()) -> None:
        self.place, self.pointers, self.updates = place, pointers, updates

    @staticmethod
    def of(parsed: ParsedFile, place: Place) -> Accesses:
        """Those of a routine of a file."""
        found = _ARROW.findall(parsed.data, place.routine.start, place.routine.end)
        return Accesses(place, frozenset(one.decode("latin-1") for one in found), parsed.once(_updates))

    def key_of(self, what: Expression) -> str:
        """The array or the member that an expression is an element of; empty for what no other block sees."""
        if what[0] not in ("m", "i") or not self._is_global(what):
            return ""
        if what[0] == "i":
            return self.key_of(what[1]) if what[1][0] in ("m", "i") else named(what[1])
        inner = what[1]
        if what[2] in _COORDINATES and inner[0] in ("m", "i"):
            return f"{self.key_of(inner)}.{what[2]}"
        return f".{what[2]}"

    def stores(self) -> Iterator[Access]:
        """What the routine itself stores, in the order of the text."""
        for one in self.place.routine.definitions:
            if one.place and (key := self.key_of(one.place)):
                yield Access(key, one.start, one.place)

    def updates_of_atomics(self) -> Iterator[Access]:
        """The elements that the routine's atomic operations update by their address: `atomicAdd(&bins[i], 1)`."""
        for one in self.place.routine.sites:
            place = one.arguments[0] if one.kind == "call" and one.callee.startswith(_ATOMIC) and one.arguments else ()
            if place and (key := self.key_of(place)):
                yield Access(key, one.start, place)

    def reads(self) -> Iterator[Access]:
        """What the routine itself reads, by plain loads."""
        routine = self.place.routine
        said = [(one.start, one.value) for one in routine.definitions if one.name != "*"]
        said += [(one.start, one.test) for one in routine.conditions]
        calls = (one for one in routine.sites if one.kind == "call")
        said += [(one.start, _read(one.callee, one.arguments)) for one in calls]
        for start, what in said:
            for part in _plain(what):
                if key := self.key_of(part):
                    yield Access(key, start, part)
        yield from (one for one in self.stores() if one.start in self.updates)

    def _is_global(self, what: Expression) -> bool:
        name = root(what)
        at = self.place.declaring(name)
        if not name or at is None or name in at.routine.shared:
            return False
        return name in self.pointers or name not in at.routine.held


def _updates(parsed: ParsedFile) -> frozenset[int]:
    """Where assignments begin that read what they write."""
    found = _ASSIGNMENTS.below(parsed.tree.root_node)
    return frozenset(one.start_byte for one in found if text(one.child_by_field_name("operator")) != b"=")


def inside(found: Iterable[Access], start: int, end: int) -> list[Access]:
    """Those in a range of bytes."""
    return [one for one in found if start <= one.start < end]


def root(what: Expression) -> str:
    """The variable that a piece of memory is reached by, without the number of its declaration."""
    while what[0] in ("m", "i") or (what[0] == "o" and len(what) > 2 and what[1] in ("cast", "+", "-")):
        what = what[2] if what[0] == "o" else what[1]
    return named(what)


def is_shared(routine: Routine, what: Expression) -> bool:
    """Whether memory is the block's own."""
    return root(what) in {one.partition("#")[0] for one in routine.shared}


def named(what: Expression) -> str:
    """The variable that an expression is, without the number of its declaration; empty for anything else."""
    return what[1].partition("#")[0] if what[0] == "v" else ""


def _read(callee: str, arguments: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """The arguments that plain loads read: not the place that an atomic operation or a load of another kind is for."""
    return arguments[1:] if callee.startswith(_COHERENT) else arguments


def _plain(what: Expression) -> Iterator[Expression]:
    """An expression and its parts, without the places that atomic operations and loads of other kinds are for."""
    if what and isinstance(what[0], str):
        if what[0] == "c":
            what = (*what[:2], _read(what[1], what[2]), *what[3:])
        yield what
    for part in what:
        if isinstance(part, tuple):
            yield from _plain(part)


def mentions(what: Expression, part: Expression) -> bool:
    """Whether an expression has another one in it."""
    return any(one == part for one in below(what))
