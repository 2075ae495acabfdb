"""What a call does to memory, by itself or in what it calls: nothing, the same however often, or a change each time.

A lock that is asked for again, `atomicCAS(&lock, 0, 1)`, leaves memory as it is until somebody lets go of it, as does a
read, `atomicAdd(&flag, 0)`. What a loop asks so cannot end it without another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from cudamigrate.analysis.constant_values import KEEPING_FUNCTIONS, NUMBER_FUNCTIONS
from cudamigrate.analysis.type_sizes import type_size
from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.warp import sources
from cudamigrate.warp.expressions import below
from cudamigrate.warp.lock_free_updates import is_lock_free
from cudamigrate.warp.places import Place
from cudamigrate.warp.questions import Questions

if TYPE_CHECKING:
    from cudamigrate.warp.transfer import Evaluator

_IDLE = frozenset(("__nanosleep", "__threadfence", "__threadfence_block", "__threadfence_system", "__syncwarp"))
_NUMBERS = frozenset(name.decode() for name in KEEPING_FUNCTIONS | NUMBER_FUNCTIONS)
_OF_CUDA = ("__", "printf")
"""How functions of CUDA's begin that write no memory of the program's: `__ldcg`, `__popc`; and its output."""
_STORES = ("__st", "__pipeline_memcpy", "__builtin_nontemporal_store", "__builtin_mem", "__hip_atomic_store")
"""How those begin that store: `__stcg`."""
Fixed = Callable[[Expression], bool]
Names = frozenset[str]


def atomic(call: Expression) -> str:
    """What an atomic operation does, as `rules/warp-facts` says; empty for any other function."""
    _, callee, _, receiver = call
    is_member = receiver is not None
    what = sources.atomics().get(callee.removesuffix("_block").removesuffix("_system"), "")
    return "" if is_member == callee.startswith(FUNCTIONS) else what


LASTING = ("take", "compare", "set", "clear")
"""What leaves memory the second time as it left it the first time."""
COUNTERS = ("add", "sub", "inc", "dec")
"""What gives each thread another number."""
_NOTHING = ("n", 0)
_ALL_ONES = (("o", "~", _NOTHING), ("o", "-", ("n", 1)), ("n", 2**32 - 1), ("n", 2**64 - 1))


def changes_nothing(what: str, operands: tuple[Expression, ...]) -> bool:
    """Whether an atomic operation of some kind only reads: what it does with its first operand leaves all as it is."""
    if what in ("add", "sub", "set", "flip"):
        return operands[:1] == (_NOTHING,)
    if what == "compare":  # what is there already is put there, if anything is
        return len(operands) > 1 and operands[0] == operands[1] and is_plain(operands[0])
    return what == "read" or (what == "clear" and bool(operands) and operands[0] in _ALL_ONES)


FUNCTIONS = "atomic"
"""How CUDA's atomic functions begin; those of another name are members: `flag.load()`."""


class Own(NamedTuple):
    """Variables of a thread's own, and those of them that nobody asks."""

    held: Names = frozenset()
    free: Names = frozenset()


class MemoryEffects:
    """Answers for the calls of one evaluator's routines."""

    def __init__(self, evaluator: Evaluator, readers: Names = frozenset()) -> None:
        self.evaluator = evaluator
        self._readers = readers
        """Functions of libraries that only read what they are given."""
        self._questions = Questions()
        self._values: dict[int, dict[str, list[Expression]]] = {}

    def changes(self, place: Place, call: Expression, fixed: Fixed, seen: bool = False, own: Own | None = None) -> bool:
        """Whether a call may change memory, so that it returns something else next time.

        `fixed` tells which expressions of the routine are the same each time; with `seen` only functions count that
        are. A new value of a variable of the thread's `own` is no change.
        """
        callee, arguments, receiver = call[1:]
        targets = self._targets(place, call)
        what = "" if targets else atomic(call)
        if what:
            again = _is_again(what, arguments, receiver, fixed)
            return not again or not _expects_the_same(place, what, call)
        if callee in _IDLE or (callee in self._readers and not targets):
            return False
        if targets:
            mine = Own(place.routine.held) if own is None else own
            given = ((one, _fixed_parameters(one, arguments, fixed), _own(one, call, mine)) for one in targets)
            return any(self._writes(*one) for one in given)
        plain = receiver is None and all(one[0] == "n" for one in arguments)
        makes = callee in _NUMBERS or type_size(callee.encode("latin-1")) is not None
        if receiver is None and callee.startswith(_STORES):
            return True
        return not (seen or plain or makes or callee.startswith(_OF_CUDA))

    def takes(self, place: Place, call: Expression, fixed: Fixed) -> bool:
        """Whether a call asks for a lock: by what one thread at a time gets, and the others find as they left it."""
        _, _, arguments, receiver = call
        targets = self._targets(place, call)
        if what := "" if targets else atomic(call):
            given = arguments if receiver is not None else arguments[1:]
            asks = what in LASTING and not changes_nothing(what, given)
            return asks and _is_again(what, arguments, receiver, fixed) and _expects_the_same(place, what, call)
        return any(self._takes(one, _fixed_parameters(one, arguments, fixed)) for one in targets)

    def changes_asked(self, place: Place, site: Site, watched: Names = frozenset()) -> bool:
        """Whether a waiting loop, or what it asks, calls something that changes what it looks at.

        An exchange of lock-free code does: where it does not, another thread's did.
        A function that is not seen reads where it is given a pointer to volatile memory, one of `watched`, for a value.
        """
        asked = calls_in(site.receiver or ())
        done = [one for one in site.arguments if one[0] == "c" and not self._reads(place, one, watched)]
        named = {one[1].partition("#")[0] for one in below(site.receiver or ()) if one[0] == "v"}
        own = Own(place.routine.held, place.routine.held - named)
        if any(atomic(one) == "compare" and is_lock_free(place, site, one) for one in (*asked, *done)):
            return True
        return any(self.changes(place, one, is_plain, seen=True) for one in asked) or any(
            self.changes(place, one, is_plain, own=own) for one in done if one not in asked
        )

    def polls(self, place: Place, site: Site, watched: Names = frozenset()) -> bool:
        """Whether a loop does nothing but look at memory until another thread writes there, and asks for no lock.

        `watched` are names of pointers to volatile memory.
        """
        waits = site.kind != "call" and not self.changes_asked(place, site, watched)
        return waits and not any(self.takes(place, one, is_plain) for one in calls_in(site.receiver or ()))

    def asked(self, place: Place, site: Site) -> Iterator[Expression]:
        """What decides whether a loop goes on: its conditions, and the calls in it that its variables come from.

        `while (held) { if (lane == 0) held = atomicOr(lock, 1) & 1; held = __shfl_sync(all, held, 0); }` asks by
        `atomicOr`, whatever is made of what it gave.
        """
        for test in (site.receiver or ())[1:]:
            yield test
            names = {one[1].partition("#")[0] for one in below(test) if one[0] == "v"}
            table = self._given(place) if site.arguments else {}
            for name in sorted(names & table.keys()):
                yield from (call for value in table[name] for call in calls_in(value) if call in site.arguments)

    def _given(self, place: Place) -> dict[str, list[Expression]]:
        """What the definitions of a routine give each variable, whichever of its name: only what has a call in it."""
        known = self._values.get(id(place))
        if known is None:
            known = self._values[id(place)] = {}
            for one in place.routine.definitions:
                if calls_in(one.value):
                    known.setdefault(one.name.partition("#")[0], []).append(one.value)
        return known

    def _reads(self, place: Place, call: Expression, watched: Names) -> bool:
        """Whether a function that is not seen is given a pointer to volatile memory, and a variable what it returns."""
        given = {one[1].partition("#")[0] for one in call[2] if one[0] == "v"}
        if watched.isdisjoint(given) or call[3] is not None or atomic(call) or self._targets(place, call):
            return False
        made = (inner for one in place.routine.definitions for inner in below(one.value) if inner[:2] == call[:2])
        return any(_plain_names(one) == _plain_names(call) for one in made)

    def _targets(self, place: Place, call: Expression) -> list[Place]:
        callee, arguments, receiver = call[1:]
        made = Site("call", callee, arguments, receiver, (), 0, 0, 0)
        return self.evaluator.called(place, made) if callee else []

    def _takes(self, target: Place, parameters: frozenset[str]) -> bool:
        def any_takes() -> bool:
            return any(self.takes(target, call, self._fixed(target, parameters)) for call in calls(target))

        return self._questions.ask((id(target), parameters, "takes"), first=False, work=any_takes)

    def _writes(self, target: Place, parameters: Names, own: Own) -> bool:
        """Whether a routine changes memory, members of its class or what it is given."""
        if self.stores(target, own):
            return True

        def any_changes() -> bool:
            fixed = self._fixed(target, parameters)
            return any(self.changes(target, call, fixed, own=own) for call in calls(target))

        return self._questions.ask((id(target), parameters, own, "writes"), first=False, work=any_changes)

    def stores(self, target: Place, own: Own | None = None) -> bool:
        """Whether a routine itself stores to memory, to members of its class or to what it is given.

        To parameters that stand for the caller's `own` variables, and to those of a routine around, only what leads
        them on counts.
        """
        own = own or Own()
        members, routine = set[str]() if "this" in own.free else self._members(target), target.routine
        places = [*zip(routine.definitions, routine.definitions[1:], strict=False), (routine.definitions[-1:] * 2)]
        for one, after in (pair for pair in places if pair):
            holder, dot, _ = one.name.partition(".")
            if one.name == "*":
                holder = after.name[1:] if after.line == one.line else ""
                if holder not in routine.held | own.held | own.free or not holder:
                    return True
            elif one.name.startswith("*"):
                if holder[1:] in own.held - own.free and _names(one.value, holder[1:]):
                    return True
            elif one.name in members or one.name in routine.references or (dot and holder not in routine.held):
                if holder not in own.free and (holder not in own.held or _names(one.value, holder)):
                    return True
            elif target.around is not None and holder not in routine.types and _names(one.value, holder):
                return True
        return False

    def _fixed(self, place: Place, parameters: frozenset[str]) -> Fixed:
        """What is the same each time a routine is called: numbers, constants, and parameters that are given such."""
        members = self._members(place)

        def is_fixed(what: Expression) -> bool:
            return all(
                one[0] in "nrko" or (one[0] == "v" and (one[1] in parameters or _is_outer(place, one[1], members)))
                for one in below(what)
            )

        return is_fixed

    def _members(self, place: Place) -> set[str]:
        owner = place.routine.owner
        return self.evaluator.fields.of_class(owner) if owner else set()


def _expects_the_same(place: Place, what: str, call: Expression) -> bool:
    """Whether an operation that writes what it found to the variable it compares with finds a number there again."""
    _, _, arguments, receiver = call
    if what != "compare" or receiver is None or not arguments or arguments[0][0] != "v":
        return True
    given = [
        one.value
        for one in place.routine.definitions
        if one.name.partition("#")[0] == arguments[0][1].partition("#")[0]
    ]
    return bool(given) and all(one[0] in "nr" for one in given)


def leaves_memory(site: Site) -> bool:
    """Whether a call is of a function of CUDA's that writes no memory and lets no other thread write any."""
    of_cuda = site.callee.startswith(_OF_CUDA) and not site.callee.startswith(_STORES)
    return site.receiver is None and (of_cuda or site.callee in _NUMBERS)


def calls(place: Place) -> Iterator[Expression]:
    """The calls of a routine, as expressions."""
    return (("c", one.callee, one.arguments, one.receiver) for one in place.routine.sites if one.kind == "call")


def calls_in(what: Expression) -> list[Expression]:
    """The calls in an expression."""
    return [one for one in below(what) if one[0] == "c"]


def is_plain(what: Expression) -> bool:
    """Whether an expression is made of variables and numbers, and asks nothing."""
    return all(one[0] in "nrkvo" for one in below(what))


def _is_outer(place: Place, name: str, members: set[str]) -> bool:
    """Whether a name is no variable of a routine or its class: a constant, or one of an enumeration."""
    return name not in place.routine.types and name not in members


def _fixed_parameters(target: Place, arguments: tuple[Expression, ...], fixed: Fixed) -> frozenset[str]:
    named = zip(target.routine.parameters, arguments, strict=False)
    return frozenset(name for name, given in named if name in target.routine.held and fixed(given))


def _own(target: Place, call: Expression, own: Own) -> Own:
    """The parameters of a routine that stand for variables of the caller's own."""
    _, _, arguments, receiver = call
    named = [*zip(target.routine.parameters, arguments, strict=False), ("this", receiver or ("v", "this"))]
    plain = [(name, given[1].partition("#")[0]) for name, given in named if given[0] == "v"]
    held, free = (frozenset(name for name, given in plain if given in names) for names in own)
    return Own(target.routine.held | held, free)


def _plain_names(what: Expression) -> tuple[str, ...]:
    """The variables of an expression, whichever of a name they are: a loop's are asked for behind it, too."""
    return tuple(one[1].partition("#")[0] for one in below(what) if one[0] == "v")


def _names(what: Expression, name: str) -> bool:
    return any(one[0] == "v" and one[1].partition("#")[0] == name for one in below(what))


def _is_again(what: str, arguments: tuple[Expression, ...], receiver: Expression | None, fixed: Fixed) -> bool:
    """Whether an atomic operation leaves memory as it was left by itself before, or at all."""
    given = arguments if receiver is not None else arguments[1:]
    if changes_nothing(what, given):
        return True
    return what in LASTING and bool(given or what == "take") and all(map(fixed, given[:1]))
