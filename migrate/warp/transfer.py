"""Expressions -> facts: what flows through locals, members, parameters and results, across functions and files.

A routine is worked out once for each set of facts that it is called with; a value that depends on itself is what it
begins with and what is added to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Step
from cudamigrate.model.warp_graph import AGAIN, Definition, Expression, FileGraph, Instance, Shape, Site
from cudamigrate.warp import assumed_choices, chosen_constants, graph, sources
from cudamigrate.warp.call_targets import CallTargets
from cudamigrate.warp.cancelled_terms import CancelledTerms
from cudamigrate.warp.class_fields import ClassFields
from cudamigrate.warp.expressions import INTEGERS, expression
from cudamigrate.warp.facts import (
    OPEN,
    SAME,
    THREAD,
    UNIFORM,
    WARP,
    Fact,
    alike,
    join,
    number,
    operate,
    shown,
    shuffled,
    with_step,
)
from cudamigrate.warp.function_objects import FunctionObjects
from cudamigrate.warp.kept_facts import KeptFacts
from cudamigrate.warp.launch_values import KINDS, of_launch
from cudamigrate.warp.macro_routines import MacroValues
from cudamigrate.warp.method_calls import MethodCalls
from cudamigrate.warp.object_classes import ANY, ObjectClasses
from cudamigrate.warp.object_members import ObjectMembers
from cudamigrate.warp.object_operators import ObjectOperators
from cudamigrate.warp.places import Place, placed
from cudamigrate.warp.reference_parameters import ReferenceParameters

_DEPTH, _ROUNDS = 60, 8
Facts = tuple[Fact, ...]


@dataclass(slots=True)
class Evaluator(CallTargets):
    """Works out facts over the graphs of files, of one file or of a whole repository.

    `launches` names kernels, `together` gives the files that may be compiled with one.
    """

    graphs: Collection[FileGraph]
    launches: frozenset[str] = frozenset()
    together: Callable[[str], frozenset[str]] | None = None
    instances: list[Instance] = field(default_factory=list)
    by_name: dict[str, list[Place]] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    blocks: dict[str, set[Shape]] = field(default_factory=dict)
    _lambdas: dict[int, list[Place]] = field(default_factory=dict)
    constants: dict[str, set[int]] = field(default_factory=dict)
    callers: dict[str, list[tuple[Place, Site]]] = field(default_factory=dict)
    taking: dict[tuple[str, str, int, bool], list[Place]] = field(default_factory=dict)
    kept: KeptFacts = field(default_factory=KeptFacts)
    _names: dict[int, dict[str, list[int]]] = field(default_factory=dict)
    _handed: dict[tuple[object, ...], Facts] = field(default_factory=dict)
    fields: ClassFields = field(init=False)
    classes: ObjectClasses = field(init=False)
    objects: FunctionObjects = field(init=False)
    members: ObjectMembers = field(init=False)
    operators: ObjectOperators = field(init=False)
    methods: MethodCalls = field(init=False)
    references: ReferenceParameters = field(init=False)
    macros: MacroValues = field(init=False)
    terms: CancelledTerms = field(init=False)

    def __post_init__(self) -> None:
        for one in self.graphs:
            for name, value in (one.constants or {}).items():
                self.constants.setdefault(name, set()).add(value)
            self.instances += one.instances
            for place in placed(one):
                self._list(place)
                if place.around is not None:
                    self._lambdas.setdefault(id(place.around), []).append(place)
                self.places.append(place)
        for block in (block for one in self.graphs for block in one.blocks):
            self.blocks.setdefault(block.kernel, set()).add(self.launched(block))
        self.objects, self.classes, self.members = FunctionObjects(self), ObjectClasses(self), ObjectMembers(self)
        self.references, self.macros, self.terms = ReferenceParameters(self), MacroValues(self), CancelledTerms(self)
        self.fields, self.operators, self.methods = ClassFields(self), ObjectOperators(self), MethodCalls(self)

    def solve(self, conditions: Collection[tuple[Place, int]], values: Collection[tuple[Place, Expression]]) -> None:
        """Work out what is asked for until nothing changes: what depends on itself begins with what is known."""
        for _ in range(_ROUNDS if conditions or values else 0):
            for place, number_ in conditions:
                self.condition(place, number_)
            for place, what in values:
                self.value(place, what)
            if not self.kept.next_round():
                return
        self.kept.give_up()

    def _list(self, place: Place) -> None:
        routine = place.routine
        self.by_name.setdefault(routine.name, []).append(place)
        for site in routine.sites:
            if site.callee:
                self.callers.setdefault(site.callee, []).append((place, site))

    def value(self, place: Place, what: Expression, given: Facts | None = None, depth: int = _DEPTH) -> Fact:
        """The fact of an expression in a routine that is called with some facts; None for all calls together."""
        if depth <= 0:
            return OPEN
        kind = what[0]
        if kind in ("n", "r"):
            return number(what[1]) if kind == "n" else SAME._replace(exact=what[1])
        if kind == "k":
            return of_launch(self, place, what[1])
        read = {"v": self._named_value, "c": self.result, "m": self._member}.get(kind, self._operation)
        made = read(place, what, given, depth)
        converted = self.operators.converted(place, what, given, depth)
        return join([*converted, *([made] if made.level >= WARP else [])]) if converted else made

    def _named_value(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact:
        return self._variable(place, what[1], given, depth)

    def _operation(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact:
        """The fact of an operation, a lambda, an element, a list or what braces make."""
        kind = what[0]
        parts = what[1:] if kind in ("i", "a") else what[2:]  # of an operation or a lambda
        if kind in ("o", "i") and (own := self.operators.of(place, what, given, depth)) is not None:
            return own
        if kind == "o" and what[1] in ("==", "!="):
            chosen = chosen_constants.compared(self, place, parts, given, depth - 1)
            if chosen is not None:
                return chosen
        if (simpler := self.terms.simpler(place, what)) is not None:
            return self.value(place, simpler, given, depth - 1)
        facts = [self.value(place, part, given, depth - 1) for part in parts]
        if kind in ("o", "l") or (kind == "b" and len(facts) != 1):
            return operate(what[1] if kind == "o" else "?", facts)
        if kind == "i":
            made = operate("[]", facts[1:] + facts[:1] + [SAME])
            constant = what[1][0] == "v" and what[1][1] in place.routine.read_only and place.routine.kernel
            return made if constant else made._replace(sure=False)
        return join(facts or [OPEN])

    def _variable(self, place: Place, name: str, given: Facts | None, depth: int) -> Fact:
        key = (id(place), name, given)
        known = self.kept.known(key)
        if known is not None:
            return known
        around = self.kept.begun(key)
        return self.kept.ended(key, self._named(place, name, given, depth), around)

    def _named(self, place: Place, name: str, given: Facts | None, depth: int) -> Fact:
        routine = place.routine
        is_own = bool(routine.owner) and name not in routine.types
        own = self.methods.member(place, name, given) if is_own else None
        member = is_own and (own is not None or self.fields.has(routine.owner, name))
        if (
            name in routine.shared
            or name in routine.aliases
            or self.references.is_one_place(place, name)
            or self.macros.is_shared(place, name)
            or (member and own is None and routine.owner in self.classes.shared)
        ):
            return OPEN
        found = [self.defined(place, at, given, depth) for at in self.definitions(place).get(name, ())]
        if name in routine.parameters:
            found.append(self._parameter(place, routine.parameters.index(name), given, depth))
        found += self._stored(place, name, given, depth)
        found += self.references.given_back(place, name, given, depth)
        found += self.macros.of(place, name, depth)
        if found:
            once = len(found) == 1 and not name.endswith(AGAIN)
            known = name not in routine.taken and (once or name not in routine.handed)
            whole = " ".join(routine.types.get(name, "").split()).removeprefix("std::") in INTEGERS
            made = join(found)
            return made if known and whole else made._replace(exact="", sure=known and made.sure)
        if place.around is not None:
            return self._variable(place.around, name, None, depth - 1)
        if member:
            return self.of_class(routine.owner, name, depth) if own is None else own
        values = self.constants.get(name, set())
        if len(values) == 1 and name not in routine.templates:
            return number(next(iter(values)))._replace(strides=frozenset((name,)))
        if name in routine.templates and (numbers := self.template_numbers(place, name)):
            return join([number(one) for one in sorted(numbers)])._replace(strides=frozenset((name,)))
        unknown = SAME if name in routine.templates else OPEN
        return unknown._replace(strides=frozenset((f"{place.path}:{routine.line}:{name}",)))

    def _stored(self, place: Place, name: str, given: Facts | None, depth: int) -> Iterator[Fact]:
        """What elements and members of a variable are given, and what lambdas give to it."""
        known = self.definitions(place)
        for part in place.parts(name):
            yield from (self.defined(place, at, given, depth) for at in known.get(part, ()))
        for inner in self._lambdas.get(id(place), ()):
            if name not in inner.routine.types:
                yield from (self.defined(inner, at, None, depth) for at in self.definitions(inner).get(name, ()))

    def definitions(self, place: Place) -> dict[str, list[int]]:
        """The numbers of a routine's definitions, by what they define."""
        if id(place) not in self._names:
            table: dict[str, list[int]] = {}
            for at, one in enumerate(place.routine.definitions):
                table.setdefault(one.name, []).append(at)
                held, dot, _ = one.name.partition(".")
                if dot:
                    table.setdefault(f"{held}.", []).append(at)
            self._names[id(place)] = table
        return self._names[id(place)]

    def defined(self, place: Place, at: int, given: Facts | None, depth: int) -> Fact:
        """What one definition gives: its value, and that only some threads come by where conditions say so."""
        return self.made(place, place.routine.definitions[at], given, depth)

    def made(self, place: Place, definition: Definition, given: Facts | None, depth: int) -> Fact:
        """The same of what is no definition of the routine by itself."""
        fact = self.value(place, definition.value, given, depth - 1)
        if definition.name == "return":
            what = f"`{place.routine.name}()` returns what is {shown(fact)}"
        else:
            what = f"`{definition.name.partition('#')[0]}` is {shown(fact)}"
        fact = with_step(fact, Step(place.path, definition.line, what))
        return self.under(fact, place, definition.guards, given, depth)

    def under(self, fact: Fact, place: Place, guards: tuple[int, ...], given: Facts | None, depth: int) -> Fact:
        """A fact of what is done under conditions: only some threads come by."""
        tests = [self.condition(place, guard, given, depth - 1) for guard in guards]
        parted = max(tests, key=lambda one: one.level, default=SAME)
        made = fact if parted.level <= fact.level else Fact(parted.level, None, 1, None, parted.steps)
        sure = fact.sure and all(one.sure for one in tests)
        return made if made.sure == sure else made._replace(sure=sure)

    def condition(self, place: Place, number_: int, given: Facts | None = None, depth: int = _DEPTH) -> Fact:
        """How threads answer a condition of a routine."""
        condition = place.routine.conditions[number_]
        key = (id(place), number_, "?", given)
        known = self.kept.known(key)
        if known is not None:
            return known
        around = self.kept.begun(key)
        fact = self.value(place, condition.test, given, depth)
        if fact.level >= WARP and place.routine.templates:
            chosen = assumed_choices.under_tests(self, place, number_)
            fact = fact if chosen is None else self.value(place, chosen, given, depth)
        step = Step(place.path, condition.line, f"condition `{condition.text}` is {shown(fact)}")
        return self.kept.ended(key, with_step(fact, step), around)

    def _parameter(self, place: Place, at: int, given: Facts | None, depth: int) -> Fact:
        if place.routine.kernel:
            return SAME
        routine = place.routine
        own = (
            routine.defaults[at - len(routine.parameters) :][:1]
            if len(routine.parameters) - at <= len(routine.defaults)
            else ()
        )
        if given is not None:
            return given[at] if at < len(given) else self.value(place, own[0], None, depth - 1) if own else OPEN
        found, calls = [], self.calls_of(place)
        unseen = calls is None
        for caller, site in calls or ():
            is_given = at < len(site.arguments)
            unseen |= not is_given and not own
            found += [self.value(caller, one, None, depth - 1) for one in site.arguments[at : at + 1]]
            found += [self.value(place, one, None, depth - 1) for one in (() if is_given else own)]
        if not found and not unseen and sources.is_thread_word(place.routine.parameters[at]):
            step = Step(place.path, place.routine.line, f"parameter `{place.routine.parameters[at]}` of unseen callers")
            return Fact(THREAD, 1, 1, None, (step,), sure=False)
        made = join(found) if found else OPEN
        return made._replace(exact="", sure=False) if unseen else made

    def result(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact:
        """What a call gives, over all routines that it may reach."""
        _, callee, arguments, receiver = what
        facts = self.values(place, arguments, given, depth)
        if callee in sources.results():
            return KINDS.get(sources.results()[callee], OPEN)._replace(exact="", sure=False)
        targets = [one for one in self.called_in(place, what) if "return" in self.definitions(one)]
        if not targets:
            same = facts[0] if len(facts) == 1 and self.is_enumeration(callee) else shuffled(callee, facts)
            if same is not None:
                return same
            more = () if receiver is None else (self.value(place, receiver, given, depth - 1),)
            held = (self._variable(place, callee, given, depth - 1),) if callee in place.routine.parameters else ()
            return operate("()", [*facts, *more, *held, OPEN, OPEN])
        found: list[Fact] = []
        for one in targets:
            handed = self.methods.given(place, what, one, facts, given, depth)
            found.append(self._variable(one, "return", self.padded(place, what, handed), depth - 1))
        made = join(found)
        seen = receiver is None or ANY not in self.classes.of(place, receiver)
        return made if seen else made._replace(exact="", sure=False)

    def values(self, place: Place, parts: tuple[Expression, ...], given: Facts | None, depth: int) -> Facts:
        """The facts of several expressions."""
        return tuple(self.value(place, one, given, depth - 1) for one in parts)

    def padded(self, place: Place, what: Expression, facts: Facts) -> Facts:
        """What a call gives a routine, with short chains of steps."""
        padded = tuple(one._replace(steps=one.steps[-3:]) for one in facts)
        bare = tuple(one._replace(steps=()) for one in facts)
        return self._handed.setdefault((id(place), what, bare), padded)  # one chain a call, or it never settles

    def _member(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact:
        common = self._common(place, what[1], given, depth)
        if common is not None:
            return common
        if (own := self.of_object(place, what, given, depth)) is not None:
            return own
        owners = [one for one in self.classes.of(place, what[1]) - {ANY} if self.fields.has(one, what[2])]
        if owners:
            return join([self.of_class(one, what[2], depth) for one in sorted(owners)])
        return operate(".", [self.value(place, what[1], given, depth - 1), SAME, SAME])

    def of_object(self, place: Place, what: Expression, given: Facts | None, depth: int) -> Fact | None:
        """A member of an object that one variable holds; None where the object is not followed."""
        key = (id(place), what, given, "member")
        known = self.kept.known(key)
        if known is not None:
            return known
        around = self.kept.begun(key)
        made = self.members.of(place, what[1], what[2], given, depth)
        if made is not None:
            return self.kept.ended(key, alike(made), around)
        self.kept.given_up(key, around)
        return None

    def _common(self, place: Place, held: Expression, given: Facts | None, depth: int) -> Fact | None:
        """Which object of shared memory threads read a member of, directly or by members; None where it is another."""
        if held[0] == "v" and (
            held[1] in place.routine.shared | place.routine.aliases or self.references.is_shared_object(place, held[1])
        ):
            return OPEN
        inner = self._common(place, held[1], given, depth) if held[0] == "m" else None
        if inner is None and self.classes.one(place, held) in self.classes.shared:
            return operate(".", [self.value(place, held, given, depth - 1), SAME, SAME])
        return inner

    def of_class(self, owner: str, name: str, depth: int) -> Fact:
        """A member, over all that the class gives it; objects are not distinguished."""
        if owner in self.classes.shared:
            return OPEN
        key = (self.fields.holder(owner, name), name, "member")
        known = self.kept.known(key)
        if known is not None:
            return known
        around = self.kept.begun(key)
        found = [self.made(place, one, None, depth - 1) for place, one in self.fields.given(owner, name)]
        for one in self.fields.lent(owner, name):
            found += self.references.stored_by(one.place, one.site, one.at, depth)
        return self.kept.ended(key, alike(found or [OPEN]), around)


def evaluator_of(parsed: ParsedFile) -> Evaluator:
    """The facts of one file by itself."""
    return parsed.once(_alone)


def place_around(parsed: ParsedFile, offset: int) -> Place | None:
    """The innermost routine around a byte of a file."""
    found = (one for one in evaluator_of(parsed).places if one.routine.start <= offset < one.routine.end)
    return max(found, key=lambda one: one.routine.start, default=None)


def is_uniform(parsed: ParsedFile, condition: Node | None) -> bool:
    """Whether all threads of a block are seen to answer a condition of a file alike."""
    place = None if condition is None else place_around(parsed, condition.start_byte)
    if place is None:
        return False
    evaluator, asked = evaluator_of(parsed), expression(condition)
    evaluator.solve([], [(place, asked)])
    fact = evaluator.value(place, asked)
    return fact.level == UNIFORM and fact.sure


def _alone(parsed: ParsedFile) -> Evaluator:
    launches = frozenset(use.name.rpartition("::")[2] for use in parsed.uses if use.kind == "launch")
    return Evaluator([parsed.once(graph.of)], launches)
