"""What of the text each answer to a condition runs alone: branches, cases, and what a branch that leaves passes by.

A region is a row of spans of bytes. No thread runs code of two regions of a condition while it answers it once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import Rejoined
from cudamigrate.syntax import tree_sitter_nodes

Spans = tuple[tuple[int, int], ...]
_LOOPS = frozenset(("while_statement", "do_statement", "for_statement", "for_range_loop"))
_ROUTINES = frozenset(("function_definition", "lambda_expression"))
_HOLDING = frozenset(("compound_statement", "case_statement", "else_clause", "labeled_statement"))
_LABELS = tree_sitter_nodes.Kinds("cuda", "labeled_statement")
_JUMPS = tree_sitter_nodes.Kinds("cuda", "goto_statement")
_TURNS = tree_sitter_nodes.Kinds("cuda", *sorted(_LOOPS))


class Jump(NamedTuple):
    """A jump of a routine: its bytes, and where the label begins that it goes to."""

    start: int
    end: int
    target: int


class Jumps(NamedTuple):
    """The jumps of a routine, none where no one goes back; and all loops, those too that jumps back make."""

    jumps: tuple[Jump, ...] = ()
    loops: tuple[tuple[int, int], ...] = ()


class Around(NamedTuple):
    """Where what is around a statement ends: the routine, the innermost loop, and what a `break` leaves; 0 for none.

    `again` is up to where a `continue` passes by: of a loop that asks at its end, what it asks is for all.
    `left` has what is known of statements by their nodes, so that each is looked at once however deep it is,
    `labels` those of a routine by its node, and `jumps` those of a routine by where it ends.
    """

    routine: int
    left: dict[int, int]
    labels: dict[int, list[Node]]
    jumps: dict[int, Jumps]
    loop: int = 0
    broken: int = 0
    again: int = 0

    @classmethod
    def of(cls, routine: Node) -> Around:
        """That of the statements of a routine, or of a macro's body in the function that it is read as."""
        inner = (routine, *(() if routine.type in _ROUTINES else tree_sitter_nodes.ancestors(routine)))
        return cls(next((one.end_byte for one in inner if one.type in _ROUTINES), 0), {}, {}, {})

    def inside(self, node: Node) -> Around:
        """That of what a statement holds."""
        if node.type in _LOOPS:
            test = node.child_by_field_name("condition") if node.type == "do_statement" else None
            again = node.end_byte if test is None else test.start_byte
            return self._replace(loop=node.end_byte, broken=node.end_byte, again=again)
        if node.type == "switch_statement":
            return self._replace(broken=node.end_byte)
        if node.type in _ROUTINES:
            return Around(node.end_byte, self.left, self.labels, self.jumps)
        return self

    def labels_of(self, routine: Node) -> list[Node]:
        """The labeled statements of a routine, looked for once."""
        if routine.id not in self.labels:
            self.labels[routine.id] = list(_LABELS.below(routine))
        return self.labels[routine.id]

    def jumps_of(self, node: Node) -> Jumps:
        """The jumps of the routine around a node, looked for once."""
        if self.routine not in self.jumps:
            routine = next((one for one in tree_sitter_nodes.ancestors(node) if one.type in _ROUTINES), None)
            self.jumps[self.routine] = Jumps() if routine is None else _jumps(routine, self)
        return self.jumps[self.routine]

    def behind(self, node: Node) -> tuple[int, int]:
        """What all threads come to after a statement: up to the end of the loop or the routine around."""
        return node.end_byte, self.loop or self.routine or node.end_byte


def regions(node: Node, around: Around) -> tuple[Spans, ...]:
    """The regions of a branch, a choice, a `switch`, or of the turns of a loop, which is one."""
    if node.type == "switch_statement":
        return tuple(_cases(node, around.inside(node)))
    if node.type in ("conditional_expression", "if_statement"):
        first, second = (node.child_by_field_name(part) for part in ("consequence", "alternative"))
        parts: list[list[tuple[int, int]]] = [[_span(one)] if one is not None else [] for one in (first, second)]
        for at, one in enumerate((first, second) if node.type == "if_statement" else ()):
            end = _left_at(one, around) if one is not None else 0
            if one is not None and end > node.end_byte:
                parts[1 - at].append((node.end_byte, end))
                parts[at] += _beyond(one, end, around)
        return tuple(tuple(one) for one in parts if one)
    part = node.child_by_field_name("body" if node.type in _LOOPS else "right")
    return () if part is None else ((_span(part),),)


def jumped(node: Node, around: Around) -> Spans:
    """What each of two ways runs alone that a jump in a branch parts, up to where they meet: `if (c) goto other;`."""
    found: list[tuple[int, int]] = []
    for one in (node.child_by_field_name(part) for part in ("consequence", "alternative")):
        end = _left_at(one, around) if one is not None and node.type == "if_statement" else 0
        beyond = _beyond(one, end, around) if one is not None and end > node.end_byte else ()
        found += ((node.end_byte, end), *beyond) if beyond else ()
    return tuple(found)


def rejoined(node: Node, around: Around) -> tuple[Rejoined, ...]:
    """The loops that some threads leave or pass by as a branch jumps, and come back into by another jump.

    Those who do not jump turn in the loop meanwhile: `if (lane == 0) goto work; while (true) { next: ... } work: ...;
    goto next;`. Where both ways of a branch leave the loop nobody does.
    """
    jumps, loops = around.jumps_of(node) if node.type in ("if_statement", "switch_statement") else Jumps()
    taken = [one for one in jumps if node.start_byte <= one.start < node.end_byte]
    left = _left_at(node, around) if taken else 0
    found = dict[tuple[int, int], Rejoined]()
    for jump in taken:
        for start, end in loops:
            back = [
                one
                for one in jumps
                if jump.target <= one.start and not start <= one.start < end and start <= one.target < end
            ]
            if not back or start <= jump.target < end or left >= end:
                continue
            elsewhere = jump.target, back[-1].end
            if start <= node.start_byte < end:
                spans = (start, node.start_byte), (node.end_byte, end)
                found.setdefault((start, end), Rejoined(spans, elsewhere, is_entered=False))
            elif node.end_byte <= start and end <= jump.target:
                found.setdefault((start, end), Rejoined(((start, end),), elsewhere, is_entered=True))
    return tuple(found.values())


def _jumps(routine: Node, around: Around) -> Jumps:
    """The jumps and loops of a routine, where it has a jump back."""
    labels = {text(one.child_by_field_name("label")): one.start_byte for one in around.labels_of(routine)}
    found = [(one, labels.get(text(one.child_by_field_name("label")))) for one in _JUMPS.below(routine)]
    jumps = tuple(sorted(Jump(one.start_byte, one.end_byte, at) for one, at in found if at is not None))
    back = [one for one in jumps if one.target < one.start]
    if not back:
        return Jumps()
    return Jumps(jumps, tuple(sorted({*map(_span, _TURNS.below(routine)), *((one.target, one.end) for one in back)})))


def _span(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte


def _cases(node: Node, around: Around) -> Iterator[Spans]:
    """One region for each row of cases that run into each other."""
    body = node.child_by_field_name("body")
    start = 0
    for case in body.named_children if body is not None else ():
        if case.type == "case_statement":
            start = start or case.start_byte
            if _left_at(case, around):
                yield ((start, case.end_byte),)
                start = 0
    if start and body is not None:
        yield ((start, body.end_byte),)


def _left_at(node: Node, around: Around) -> int:
    """Where what a statement that never runs to its end passes by ends; 0 where it may run to its end."""
    known = around.left.get(node.id)
    if known is None:
        known = around.left[node.id] = _found(node, around)
    return known


def _found(node: Node, around: Around) -> int:
    """The same, looked for: what is around all that is looked at is the same, as no loop or `switch` is entered."""
    kind = node.type
    if kind == "return_statement":
        return around.routine
    if kind in ("continue_statement", "break_statement"):
        return around.again if kind == "continue_statement" else around.broken
    if kind == "goto_statement":
        label = _label(node, around)
        return label.start_byte if label is not None and label.start_byte > node.end_byte else 0
    if kind in _HOLDING:
        held = [one for one in node.named_children if one.type != "comment"]
        return next((end for one in reversed(held) if (end := _left_at(one, around))), 0)
    if kind == "if_statement":
        parts = [node.child_by_field_name(part) for part in ("consequence", "alternative")]
        return min(_left_at(one, around) if one is not None else 0 for one in parts)
    return 0


def _label(jump: Node, around: Around) -> Node | None:
    """The statement that a jump of the same routine goes to."""
    routine = next((one for one in tree_sitter_nodes.ancestors(jump) if one.type in _ROUTINES), None)
    name = jump.child_by_field_name("label")
    if routine is None or name is None:
        return None
    labels = around.labels_of(routine)
    return next((one for one in labels if text(one.child_by_field_name("label")) == text(name)), None)


def _beyond(branch: Node, end: int, around: Around) -> Spans:
    """What is behind the label that a branch jumps to, up to where those come who never reach it themselves.

    `goto done; other: ...; done:` is the end of two ways. Nothing where the code before the label runs into it.
    """
    if end in (around.routine, around.loop, around.broken, around.again):
        return ()  # it jumps to no label: looking for one in the whole routine takes long
    routine = next((one for one in tree_sitter_nodes.ancestors(branch) if one.type in _ROUTINES), None)
    labels = around.labels_of(routine) if routine is not None else []
    label = next((one for one in labels if one.start_byte == end), None)
    before = label.prev_named_sibling if label is not None else None
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    # what a `break` leaves is not looked for: the label may be in another loop than the jump
    left = _left_at(before, Around(around.routine, {}, around.labels, around.jumps)) if before is not None else 0
    return ((end, left),) if left > end else ()
