"""References and pointers of a routine to its own variables: other names of what each thread has for itself.

`int &w = ctx.warp;` makes `w` mean that member wherever it is read or written; `int *p = &v;` lets `*p = 1;` give `v` a
value. What they lead to in shared memory or by a pointer of unseen origin is memory, and none of this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Expression
from cudamigrate.warp.expressions import word

if TYPE_CHECKING:
    from cudamigrate.warp.routine_drafts import Draft

_PARTS = ("m", "i")


class LocalReferences:
    """Those of one routine, as far as it is read: `draft` knows its variables."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._meant: dict[str, Expression] = {}
        self._reached: dict[str, list[Expression]] = {}

    def declares(self, name: str, declarator: Node, initial: Expression) -> bool:
        """Take a declaration for another name of a variable, a member or an element; False where it is none."""
        inner = declarator.child_by_field_name("declarator")
        if inner is None or inner.type != "reference_declarator" or not self._is_own(initial):
            self.point(name, declarator.child_by_field_name("value"), initial)
            return False
        self._meant[name] = initial
        return True

    def point(self, name: str, value: Node | None, made: Expression) -> None:
        """Note what a pointer is set to: the address of a variable, a member or an element of the routine's own."""
        is_address = value is not None and value.type == "pointer_expression" and text(value)[:1] == b"&"
        if is_address and self._is_own(made):
            self._reached.setdefault(name.partition("#")[0], []).append(made)

    def meaning(self, what: Expression) -> Expression:
        """An expression with what its references stand for."""
        if not self._meant or not what:
            return what
        if what[0] == "v":
            return self._meant.get(what[1], what)
        made = tuple(self._part(one) if isinstance(one, tuple) else one for one in what)
        return what if made == what else made

    def _part(self, what: Expression) -> Expression:
        """The same of an expression, or of a list of some."""
        if what and isinstance(what[0], str):
            return self.meaning(what)
        return tuple(self.meaning(one) for one in what)

    def written(self, left: Node, place: Expression) -> Iterator[tuple[str, Expression]]:
        """What else an assignment may change, by the name that its definition has, with its place.

        `left` is its left side, and `place` that as an expression.
        """
        if left.type == "identifier":
            yield from self._named(self._meant[word(left)]) if word(left) in self._meant else ()
        elif left.type == "pointer_expression" or (left.type == "subscript_expression" and place[2:] == (("n", 0),)):
            for one in self._reached.get(word(left.child_by_field_name("argument")), ()):
                yield from self._named(one)
        elif left.type == "field_expression":
            held = left.child_by_field_name("argument")
            for one in (*self._reached.get(word(held), ()), *((place[1],) if word(held) in self._meant else ())):
                yield from self._named(("m", one, word(left.child_by_field_name("field"))))

    def _named(self, what: Expression) -> Iterator[tuple[str, Expression]]:
        """How definitions name a place: `v`, `object.member`, and an element or a member of one by its array."""
        if what[0] == "v":
            yield what[1], what
        elif what[0] == "m" and what[1][0] == "v":
            yield f"{what[1][1]}.{what[2]}", what
        else:
            held = what
            while held[0] in _PARTS:
                held = held[1]
            yield f"*{held[1]}", what

    def _is_own(self, what: Expression) -> bool:
        """Whether an expression is a place in a variable that each thread has for itself."""
        while what[0] in _PARTS:
            what = what[1]
        draft = self.draft
        return what[0] == "v" and what[1] in draft.held and what[1] not in draft.shared and what[1] not in draft.aliases
