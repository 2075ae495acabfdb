"""The loops and recursions of a routine that wait, noted while it is read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import macro_routines
from cudamigrate.warp.declarators import is_constexpr, parameters
from cudamigrate.warp.element_types import variable_type
from cudamigrate.warp.expressions import is_number
from cudamigrate.warp.loop_turns import changed
from cudamigrate.warp.tree_queries import declared_name, identifiers
from cudamigrate.warp.waiting_loops import Waiting, counts_only, waits, waits_again

if TYPE_CHECKING:
    from cudamigrate.warp.routine_walk import RoutineWalk

_SETS = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_TYPES = tree_sitter_nodes.Kinds("cuda", "type_identifier", "identifier", parts=True)
_LABELED, _TEMPLATE = "labeled_statement", "template_declaration"
_REQUIRED = ("type_parameter_declaration", "parameter_declaration")
"""Parameters of a template without a default."""
Numbers = tuple[int, ...]


def of_loop(walk: RoutineWalk, node: Node, guards: Numbers, loops: Numbers) -> None:
    """Note a loop that waits; the next turn of one that draws a random number is another one."""
    drawing = walk.reader.parsed.once(macro_routines.drawing)
    if counts_only(node, walk.root) or (drawing and not drawing.isdisjoint(identifiers(node))):
        return
    if (found := waits(node, _Memory(walk, node), walk.draft.read_only)) is not None:
        _note(walk, _kind(found, node), found, guards, loops, node)


def _kind(found: Waiting, node: Node) -> str:
    if found.is_partial:
        return "move"
    return "serve" if not found.is_bare else "jump" if node.type == _LABELED else "spin"


def of_recursion(walk: RoutineWalk, call: Node, guards: Numbers, loops: Numbers) -> None:
    """Note a call of the routine itself by which it waits as a loop would."""
    if _is_of_another(walk.node, call) or _is_taken_by_another(walk, call):
        return
    if (again := waits_again(walk.node, call, walk.draft.parameters, _Memory(walk, walk.node))) is not None:
        _note(walk, "spin", again, guards, loops, call)


def _is_of_another(function: Node, call: Node) -> bool:
    """Whether a call is of an overload: this template takes an argument that neither the call nor its operands tell."""
    around, called = function.parent, call.child_by_field_name("function")
    listed = around.child_by_field_name("parameters") if around is not None and around.type == _TEMPLATE else None
    if listed is None or b"<" in text(called):
        return False
    told = {text(one) for each in parameters(function.child_by_field_name("declarator")) for one in _TYPES.below(each)}
    return any(one.type in _REQUIRED and declared_name(one) not in told for one in listed.named_children)


def _is_taken_by_another(walk: RoutineWalk, call: Node) -> bool:
    """Whether a call is of an overload of the file: it gives what that one's parameters are declared as, and not this.

    `void twice(Three &x)` is what a call with a `Three` gets in `void twice(Nine &x)`.
    """
    given = [variable_type(one) for one in tree_sitter_nodes.elements(call.child_by_field_name("arguments"))]
    own = walk.node.child_by_field_name("declarator")
    if own is None or not all(given) or _taken(walk.node) == given:
        return False
    for one in _FUNCTIONS.below(walk.reader.parsed.tree.root_node):
        other = one.child_by_field_name("declarator")
        is_overload = other is not None and one != walk.node and declared_name(other) == declared_name(own)
        if is_overload and _taken(one) == given:
            return True
    return False


def _taken(function: Node) -> list[bytes]:
    """The types of a function's parameters as it spells them, for objects and references to them."""
    kinds = []
    for one in parameters(function.child_by_field_name("declarator")):
        made = one.child_by_field_name("declarator")
        is_object = made is None or made.type in ("identifier", "reference_declarator")
        kinds.append(text(one.child_by_field_name("type")) if is_object else b"")
    return kinds


def _note(walk: RoutineWalk, kind: str, found: Waiting, guards: Numbers, loops: Numbers, node: Node) -> None:
    if is_constexpr(walk.node):  # reads no memory that other threads write
        return
    rests = tuple(("v", walk.meant(name.decode("latin-1"))) for name in sorted(found.rests))
    asked = ("a", *map(walk.value, found.tests), ("o", "rests", *rests))
    walk.site(kind, ("c", "", tuple(map(walk.value, found.calls)), asked), guards, loops, node)


class _Memory:
    """Whether other threads may write what a name stands for: no value that each has, and no constant.

    An object may ask them by an operator of its own. What a call is handed, or a lambda may change, is new then. A
    number behind a reference is the lane's own where the loop sets it, `bool &todo`; a constant one, `const int &lane`,
    where the loop sets anything: it does not ask that one to change.
    """

    def __init__(self, walk: RoutineWalk, loop: Node) -> None:
        self.walk = walk
        self._loop = loop

    @cached_property
    def _set(self) -> frozenset[str]:
        """The variables that the loop sets."""
        names = (changed(one) for one in _SETS.within(self.walk.root, self._loop))
        return frozenset(name.decode("latin-1") for name, is_plain in names if is_plain)

    def __call__(self, name: str, is_handed: bool, calls: bool) -> bool:
        walk = self.walk
        draft, meant = walk.draft, walk.meant(name)
        if is_handed or (calls and name in walk.reached):
            return True
        while meant not in draft.types and draft.parent >= 0:
            draft = walk.reader.drafts[draft.parent]
        known = Values.of(walk.reader.parsed).constants()
        kind = draft.types.get(meant, "")
        sets = name in self._set if meant in draft.references else bool(self._set)
        own = meant in draft.held or (meant in draft.lent and sets)
        own = own and (is_number(kind) or kind.endswith("_t"))
        return not own and meant not in walk.draft.templates and name.encode("latin-1") not in known
