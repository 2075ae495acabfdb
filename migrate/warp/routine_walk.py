"""Walks the statements of one routine, and drafts what it defines, calls and waits for, with the conditions around."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.model.warp_graph import AGAIN, Condition, Definition, Expression, Site
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import assembly_values, first_members, named_scopes, template_instances, waiting_sites
from cudamigrate.warp.branch_regions import Around, jumped, regions, rejoined
from cudamigrate.warp.declarators import (
    bindings,
    constructed,
    continues,
    first_value,
    in_array,
    is_lambda,
    made_from,
    names_memory,
    plain,
    precedes,
    reached,
    shown,
    stored_in,
    target,
    tile_size,
)
from cudamigrate.warp.deduced_pointers import has_value
from cudamigrate.warp.expressions import (
    INTEGERS,
    below,
    called,
    decides,
    does_nothing,
    doing,
    expression,
    word,
)
from cudamigrate.warp.later_values import LaterValues
from cudamigrate.warp.local_references import LocalReferences
from cudamigrate.warp.overwritten_values import overwritten
from cudamigrate.warp.placed_objects import constructor, is_placed
from cudamigrate.warp.routine_drafts import Draft

if TYPE_CHECKING:
    from cudamigrate.warp.graph import Reader

_LOOPS = frozenset(("while_statement", "do_statement", "for_statement", "for_range_loop"))
_MEMBERS = tree_sitter_nodes.Kinds("cuda", "field_expression")
_LABELED = "labeled_statement"
_ALWAYS = frozenset[int](), frozenset[int]()
Numbers = tuple[int, ...]


class RoutineWalk:
    """Walks the statements of one routine with the conditions and loops around them."""

    def __init__(self, reader: Reader, draft: Draft, number: int, node: Node) -> None:
        self.reader, self.draft, self.number, self.node = reader, draft, number, node
        self.root = reader.parsed.tree.root_node
        self._doing = doing(self.root)
        self.again, self._last = dict[str, str](), dict[str, str]()
        self.behind: dict[str, tuple[str, ...]] = {}
        self._hidden, self._dying = dict[str, str](), set[int]()
        self._block, self._opened = 0, dict[str, int]()
        self._entered: list[frozenset[int]] = []
        self._lives: dict[str, tuple[frozenset[int], frozenset[int]]] = {}
        self._around = Around.of(node)
        self._local, self._later = LocalReferences(draft), LaterValues()

    def value(self, node: Node | None) -> Expression:
        """The expression of a node, in which a name declared twice means the declaration around."""
        return self._local.meaning(expression(node, self.again))

    def meant(self, name: str) -> str:
        """The variable that a name stands for at this place."""
        return "*" if name in self.reader.places else self.again.get(name, name)

    def _scoped(self, read: _Read, node: Node, guards: Numbers, loops: Numbers) -> None:
        """Read what has a scope of its own: names mean after it what they meant before."""
        before, block = dict(self.again) if self.again else {}, self._block
        self._block = node.id
        read(node, guards, loops)
        self._last, self.again, self._block = self.again, before, block

    def declared(self, name: str) -> str:
        """The name of a new variable: its own, or with a number where the routine has one of that name already."""
        if name not in self.draft.types:
            return name
        self.again[name] = f"{name}#{len(self.draft.types)}"
        return self.again[name]

    def statement(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        """One statement, and what it holds."""
        _READ.get(node.type, RoutineWalk.inside)(self, node, guards, loops)

    def inside(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        """What a node holds."""
        for child in node.named_children:
            if (child.named_child_count or child.type in _READ) and not does_nothing(child, self._doing):
                self.statement(child, guards, loops)

    def _compound(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        self._scoped(self._held, node, guards, loops)

    def _held(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        """What a block holds: what it gives a variable and overwrites itself is not seen behind it."""
        known = overwritten(node, self.root)
        self._dying |= known.at
        for name in known.names:
            meant = self.meant(name)
            if self.is_own(meant):
                self.define(self.anew(name, meant, guards, loops, is_seen=False), ("v", meant), guards, loops, node)
        self.inside(node, guards, loops)

    def _decides(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        later = self._later.begun(self, node, guards, loops)
        self._scoped(self._branch, node, guards, loops)
        self.again.update(later)

    def _return(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        for value in node.named_children:
            self.define("return", self.value(value), guards, loops, node)
        self.draft.returned.append(node.start_byte)
        self.inside(node, guards, loops)

    def _alone(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        """A statement that is a name only is a macro's."""
        held = node.named_children[0] if node.named_child_count == 1 else node
        if held.type == "identifier":
            self.site("call", ("c", word(held), (), None), guards, loops, held)
        else:
            self.inside(node, guards, loops)

    def _lambda(self, node: Node, _guards: Numbers, _loops: Numbers) -> None:
        self.reader.function(node, self.number)

    def _assignment(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = word(node.child_by_field_name("operator"))
        if left is not None and right is not None:
            name, given = self.meant(target(left)), self.value(right)
            given = given if sign == "=" else ("o", sign[:-1], self.value(left), given)
            value = ("n", 0) if name == "*" else given  # of memory only that it is written counts
            if left.type == "identifier" and self._is_step(node, name):
                is_seen = node.start_byte not in self._dying
                name = self.anew(word(left), name, guards, loops, is_seen)
            self._local.point(name, right, value)
            self.define(name, value, guards, loops, node, self.value(left))
            self._through(left, given, guards, loops, node)
            held = stored_in(left) if name == "*" else ""
            if held or (name == "*" and _MEMBERS.below(left)):
                self.define(f"*{self.meant(held) or '.'}", self.value(right), guards, loops, node, self.value(left))
        self.inside(node, guards, loops)

    def _is_step(self, node: Node, name: str) -> bool:
        """Whether what a local variable was is forgotten by an assignment.

        What a pointer, a reference or a lambda may change or read is one variable all the time.
        """
        return precedes(node) and self.is_own(name)

    def is_own(self, name: str) -> bool:
        """Whether a variable is local and reached by its name alone."""
        if name not in self.draft.types or name in self.draft.shared or name in self.draft.aliases:
            return False
        return name.partition("#")[0] not in self.reached

    @cached_property
    def reached(self) -> frozenset[str]:
        """Variables that are reached otherwise than by name, and all that jumps may pass."""
        return frozenset(reached(self.node, self.root))

    def anew(self, name: str, meant: str, guards: Numbers, loops: Numbers, is_seen: bool = True) -> str:
        """The name of a variable from an assignment to the end of the block.

        Those around it get all that it gets if that `is_seen` behind the block.
        """
        made, is_here = f"{name}#{len(self.draft.types)}{AGAIN}", self._opened.get(meant) == self._block
        outer = self._hidden.get(meant, meant) if is_here else meant
        behind = self.behind.get(outer, ())
        self.behind[made] = behind if self._opened.get(outer) == self._block else (outer, *behind)
        if not is_seen:
            self.behind[made], self._hidden[made] = (), outer
        self._opened[made], self.again[name] = self._block, made
        self.draft.types[made], self._lives[made] = self.draft.types[meant], (frozenset(guards), frozenset(loops))
        return made

    def _update(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        changed = node.child_by_field_name("argument")
        if changed is not None:
            more = ("o", word(node.child_by_field_name("operator"))[:1], self.value(changed), ("n", 1))
            self.define(self.meant(target(changed)), more, guards, loops, node, self.value(changed))
            self._through(changed, more, guards, loops, node)
        self.inside(node, guards, loops)

    def _through(self, left: Node, value: Expression, guards: Numbers, loops: Numbers, node: Node) -> None:
        """What an assignment gives to variables that references and pointers lead to."""
        for name, place in self._local.written(left, self.value(left)):
            self.define(name, value, guards, loops, node, place)

    def _takes(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        if not assembly_values.noted(self, node, guards, loops):
            self.inside(node, guards, loops)

    def _nothing(self, _node: Node, _guards: Numbers, _loops: Numbers) -> None:
        """Types and names hold nothing that is done."""

    def _branch(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        test = node.child_by_field_name("condition")
        fixed = any(child.type == "constexpr" for child in node.children)
        first = node.child_by_field_name("initializer")
        outer = tuple(one for one in loops if one >= 0)
        outside, self._around = self._around, self._around.inside(node)
        self.again.update(self._later.inside(node, is_tested=False))
        if first is not None:
            self.statement(first, guards, outer)
        inner = guards
        if test is not None and not fixed:
            turns = (*outer, len(self.draft.exits)) if node.type in _LOOPS else outer
            other = node.child_by_field_name("alternative") if node.type == "if_statement" else None
            lone = node.type == "if_statement" and other is None
            inner = (*guards, self._condition(test, guards, turns, lone, 0 if other is None else other.start_byte))
            self._parts(inner[-1], node, outside)
        self.again.update(self._later.inside(node, is_tested=True))
        around = (*loops, -1) if node.type == "switch_statement" else loops
        if node.type in _LOOPS:
            self._entered.append(frozenset(guards))
            first_members.ranged(self, node, guards, loops)
            tail = test.start_byte if node.type == "do_statement" and test is not None else -1
            around = (*loops, self.draft.enters(node.start_byte, node.end_byte, outer, inner[len(guards) :], tail))
        self._last = self.again
        for child in node.named_children:
            if child == test and node.type not in _LOOPS:
                self.statement(child, guards, outer)
            elif child != first:
                self.statement(child, inner, around)
        if node.type == "do_statement" and test is not None and not continues(node):
            again = self.again  # what is asked after a turn is what the turn has made of it
            self.again = self._last
            self.draft.conditions[inner[-1]] = self.draft.conditions[inner[-1]]._replace(test=self.value(test))
            self.again = again
        if node.type in (*_LOOPS, _LABELED):
            waiting_sites.of_loop(self, node, inner, around)
        self._around = outside

    def _parts(self, number: int, node: Node, around: Around) -> None:
        """Note of a condition what each answer to it runs."""
        made, is_two = regions(node, around), node.type != "switch_statement"
        known = self.draft.conditions[number]._replace(rejoined=rejoined(node, around))
        if ways := jumped(node, around):
            self.draft.jumped.append((number, ways))
            known = known._replace(is_lone=False)
        self.draft.conditions[number] = known._replace(regions=made, behind=around.behind(node), is_two=is_two)

    def _nested(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        """What reads as a function in another one."""
        outside, self._around = self._around, self._around.inside(node)
        self.inside(node, guards, loops)
        self._around = outside

    def _leave(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        """What decides a `break` decides how often the loop around runs; a `continue`, what follows it in a turn."""
        if loops and not (loops[-1] < 0 and node.type == "break_statement"):
            loop = next((one for one in reversed(loops) if one >= 0), -1)
            if loop >= 0:
                decides = {one for one in guards if one not in self._entered[loop]}
                self.draft.leaves(loop, decides, node.start_byte if node.type == "continue_statement" else -1)

    def _choice(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        test = node.child_by_field_name("condition") or decides(node)
        number = len(self.draft.conditions)
        for child in node.named_children:
            inner = guards if child == test or test is None else (*guards, self._condition(test, guards, loops))
            self.statement(child, inner, loops)
        if len(self.draft.conditions) > number and test is not None:
            self._parts(number, node, self._around)

    def _declaration(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        kind = text(node.child_by_field_name("type")).decode("latin-1")
        shared = b"__shared__" in text(node).partition(b"=")[0]
        fixed = any(text(one) == b"constexpr" for one in node.named_children)
        for declarator in node.children_by_field_name("declarator"):
            initial = self._first_value(declarator, kind, fixed)
            for bound in bindings(declarator):
                self.define(bound, ("o", "?", initial or ("o", "?")), guards, loops, node)
            name = self.declared(plain(declarator))
            self.draft.types[name], self._opened[name] = kind, self._block
            self._lives[name] = frozenset(guards), frozenset(loops)
            if shared:
                self.draft.shared.add(name)
                continue
            self.draft.held |= {name} if has_value(declarator, kind, initial, self.draft) else set()
            if size := tile_size(node, declarator, Values.of(self.reader.parsed)):
                self.draft.tiles[name] = size
            if is_lambda(declarator):
                self.reader.function(declarator.named_children[-1], self.number, name)
            elif initial is not None:
                is_own, known = self._local.declares(name, declarator, initial), self.draft.shared | self.draft.aliases
                self.draft.aliases |= {name} if not is_own and names_memory(declarator, initial, known) else set()
                if name not in self.draft.aliases or is_placed(initial):
                    self.define(name, initial, guards, loops, node)
        self._inside_of_declared(node, kind, guards, loops)

    def _inside_of_declared(self, node: Node, kind: str, guards: Numbers, loops: Numbers) -> None:
        """What the values of a declaration hold: calls, that of a constructor too."""
        for child in node.named_children:
            names, listed = constructed(child), made_from(child, node)
            given = tuple(("v", self.meant(one)) for one in names or ()) or tuple(map(self.value, listed or ()))
            if given or (listed is not None and kind not in INTEGERS):
                self.site("call", ("c", called(kind), given, None), guards, loops, child)
            if child.type == "init_declarator" and not is_lambda(child):
                self.inside(child, guards, loops)

    def _first_value(self, declarator: Node, kind: str, fixed: bool) -> Expression | None:
        """What a variable begins with; None for nothing, and for a lambda."""
        if made_from := constructed(declarator):
            return ("c", called(kind), tuple(("v", self.meant(one)) for one in made_from), None)
        value = declarator.child_by_field_name("value")
        if value is None or is_lambda(declarator):
            return None
        initial = in_array(declarator, first_value(value, kind, self.value))
        is_call = any(one[0] == "c" for one in below(initial))
        return ("o", "constexpr", initial) if fixed and is_call else initial  # a call worked out when compiling

    def _call(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        made, function = self.value(node), node.child_by_field_name("function")
        if made[0] == "c":
            self.draft.handed.update(one[1] for one in made[2] if one[0] == "v")
        if made[0] == "c" and function is not None:
            self.site("call", made, guards, loops, function)
            own = made[1] == self.draft.name and made[3] in (None, ("v", "this"))
            own = own and all(one.type != "kernel_call_syntax" for one in node.children)  # nobody waits for a launch
            if own:
                waiting_sites.of_recursion(self, node, guards, loops)
        if function is not None and function.type == "lambda_expression":
            self.reader.function(function, self.number)
        self.inside(node, guards, loops)

    def _new(self, node: Node, guards: Numbers, loops: Numbers) -> None:
        self.site("call", constructor(self.value(node)), guards, loops, node)
        self.inside(node, guards, loops)

    def _condition(self, test: Node, guards: Numbers, loops: Numbers, lone: bool = False, other: int = 0) -> int:
        line, said = self.reader.parsed.line(test), shown(test, self.reader.parsed.data)
        self.draft.conditions.append(Condition(self.value(test), line, said, lone, other, test.start_byte))
        self.draft.asked.append((test.start_byte, guards, tuple(one for one in loops if one >= 0)))
        return len(self.draft.conditions) - 1

    def define(
        self, name: str, value: Expression, guards: Numbers, loops: Numbers, node: Node, place: Expression = ()
    ) -> None:
        """Note what a variable, a member or the result is given, `place` where that is written."""
        line, every = self.reader.parsed.line(node), tuple(one for one in loops if one >= 0)
        for which in (name, *self.behind.get(name, ())) if name else ():
            passed, around = self._lives.get(which, _ALWAYS)  # only who comes there has it
            under = tuple(one for one in guards if one not in passed) if passed else guards
            outside = tuple(one for one in every if one not in around) if around else every
            made = Definition(which, value, under, line, node.start_byte, place)
            self.draft.definitions.append((made, outside, node.start_byte))

    def site(self, kind: str, call: Expression, guards: Numbers, loops: Numbers, node: Node) -> None:
        """Note a call, or a loop that waits."""
        _, callee, given, receiver = call
        names = self.reader.parsed.line(node), template_instances.arguments(node), named_scopes.named(node)
        site = Site(kind, callee, given, receiver, guards, node.start_byte, node.end_byte, *names)
        self.draft.sites.append((site, tuple(one for one in loops if one >= 0)))


_Read = Callable[[Node, Numbers, Numbers], None]
_READ: dict[str, Callable[[RoutineWalk, Node, Numbers, Numbers], None]] = {
    "compound_statement": RoutineWalk._compound,
    **dict.fromkeys((*_LOOPS, "if_statement", "switch_statement"), RoutineWalk._decides),
    **dict.fromkeys(("break_statement", "continue_statement"), RoutineWalk._leave),
    _LABELED: RoutineWalk._branch,
    "declaration": RoutineWalk._declaration,
    "return_statement": RoutineWalk._return,
    "expression_statement": RoutineWalk._alone,
    "lambda_expression": RoutineWalk._lambda,
    "function_definition": RoutineWalk._nested,
    **dict.fromkeys(("conditional_expression", "binary_expression"), RoutineWalk._choice),
    "assignment_expression": RoutineWalk._assignment,
    "update_expression": RoutineWalk._update,
    "call_expression": RoutineWalk._call,
    "new_expression": RoutineWalk._new,
    **dict.fromkeys(("pointer_expression", "gnu_asm_expression"), RoutineWalk._takes),
    **dict.fromkeys(
        ("type_descriptor", "template_argument_list", "template_type", "string_literal"), RoutineWalk._nothing
    ),
    **dict.fromkeys(("qualified_identifier", "template_function", "preproc_call"), RoutineWalk._nothing),
}
