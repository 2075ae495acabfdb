"""What each thread of the first warps of a block answers to a condition, where that is a matter of its number alone."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from cudamigrate.model.warp_graph import Definition, Expression, Site
from cudamigrate.warp import lane_functions, sources
from cudamigrate.warp.places import Place

if TYPE_CHECKING:
    from cudamigrate.warp.transfer import Evaluator

Answers = tuple[int, ...]
THREADS = 128
"""Four warps: what tells warps apart by one bit or two is seen."""
_WARP, _LARGEST, _DEPTH = 32, 1024, 12
_BITS = 0xFFFFFFFF
_SIGNS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "&&": lambda a, b: bool(a) and bool(b), "||": lambda a, b: bool(a) or bool(b),
    "and": lambda a, b: bool(a) and bool(b), "or": lambda a, b: bool(a) or bool(b),
}  # fmt: skip
_LANES = frozenset(("__lane_id", "lane_id", "laneid", "LaneId", "canonical_lane_idx"))

_RANK = "thread_rank"
_RANKS = (_RANK, "meta_group_rank")


class _UnseenError(Exception):
    """What a thread's number does not tell."""


class LaneAnswers:
    """Answers for one evaluator's routines."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._known: dict[tuple[int, Expression, int], Answers | None] = {}

    def of(self, place: Place, what: Expression, threads: int = THREADS) -> Answers | None:
        """The value for each thread; None where it depends on anything else. Rows of a block are whole warps."""
        key = id(place), what, threads
        if key not in self._known:
            try:
                self._known[key] = tuple(int(self._value(place, what, {}, at, _DEPTH)) for at in range(threads))
            except (_UnseenError, ZeroDivisionError, OverflowError):
                self._known[key] = None
        return self._known[key]

    def one(self, place: Place, what: Expression, given: Mapping[str, int], at: int) -> int | None:
        """The value for one thread, where some variables have values that are known; None as in `of`."""
        try:
            return int(self._value(place, what, given, at, _DEPTH))
        except (_UnseenError, ZeroDivisionError, OverflowError):
            return None

    def is_one_of_wave(self, place: Place, guards: Iterable[int]) -> bool:
        """Whether conditions let at most one warp of each wave come by, in the largest block that there is."""
        there = self._there(place, guards)
        warps = [any(there[at : at + _WARP]) for at in range(0, _LARGEST, _WARP)]
        return not any(first and second for first, second in zip(warps[::2], warps[1::2], strict=True))

    def is_within(self, place: Place, guards: Iterable[int], other: int) -> bool:
        """Whether only threads that another condition lets in come by some conditions."""
        answers = self.of(place, place.routine.conditions[other].test, _LARGEST)
        return answers is not None and not any(
            there and not mine for there, mine in zip(self._there(place, guards), answers, strict=True)
        )

    def _there(self, place: Place, guards: Iterable[int]) -> list[bool]:
        """Whether each thread of the largest block comes by conditions; what is not seen lets all in."""
        there = [True] * _LARGEST
        for one in (place.routine.conditions[guard] for guard in guards):
            answers = self.of(place, one.test, _LARGEST) if one.is_lone else None
            there = there if answers is None else [a and bool(b) for a, b in zip(there, answers, strict=True)]
        return there

    def _value(self, place: Place, what: Expression, given: Mapping[str, int], at: int, depth: int) -> int:
        kind = what[0]
        if depth == 0:
            raise _UnseenError
        if kind == "n":
            return int(what[1])
        if kind == "r" and what[1] in ("true", "false"):
            return int(what[1] == "true")
        if kind == "k":
            return {"thread": at, "wave": _WARP, "warp": at // _WARP}[self._seen(what[1])]
        if kind == "v":
            return self._variable(place, what[1], given, at, depth)
        if kind == "m":
            return self._member(self.evaluator.classes.one(place, what[1]), what[2], at, depth)
        if kind == "b" and len(what) == 3:
            return self._value(place, what[2], given, at, depth - 1)
        return self._operation(place, what, given, at, depth)

    def _operation(self, place: Place, what: Expression, given: Mapping[str, int], at: int, depth: int) -> int:
        """The value of a call, an element or an operation, which may be one of a class."""
        kind = what[0]
        own = self.evaluator.operators.call(place, what) if kind in ("o", "i") else None
        if kind == "c" or own is not None:
            return self._call(place, what if own is None else own, given, at, depth)
        if kind == "i":
            return self._element(place, what, at, depth)
        if kind != "o":
            raise _UnseenError
        parts = [self._value(place, one, given, at, depth - 1) for one in what[2:]]
        return _worked_out(what[1], parts)

    @staticmethod
    def _seen(kind: str) -> str:
        if kind not in ("thread", "wave", "warp"):
            raise _UnseenError
        return kind

    def _variable(self, place: Place, name: str, given: Mapping[str, int], at: int, depth: int) -> int:
        if name in given:
            return given[name]
        routine = place.routine
        known = self.evaluator.definitions(place).get(name, ())
        if name in routine.parameters:
            calls = self.evaluator.calls_of(place)
            number = routine.parameters.index(name)
            if known or name in routine.taken or calls is None or len(calls) != 1 or routine.kernel:
                raise _UnseenError
            caller, site = calls[0]
            if number >= len(site.arguments):
                return self._value(place, self._default(place, number), {}, at, depth - 1)
            return self._value(caller, site.arguments[number], {}, at, depth - 1)
        if name in routine.types:
            if len(known) != 1 or name in routine.taken | routine.shared | routine.aliases:
                raise _UnseenError
            return self._value(place, routine.definitions[known[0]].value, given, at, depth - 1)
        if place.around is not None:
            return self._variable(place.around, name, {}, at, depth - 1)
        if self.evaluator.fields.has(routine.owner, name):
            return self._member(routine.owner, name, at, depth)
        constant = self.evaluator.constant(name)
        if constant is None or name in routine.templates:
            raise _UnseenError
        return constant

    @staticmethod
    def _default(place: Place, number: int) -> Expression:
        """What a parameter is where a call gives nothing."""
        known, from_end = place.routine.defaults, len(place.routine.parameters) - number
        if from_end > len(known):
            raise _UnseenError
        return known[-from_end]

    def _member(self, owner: str, name: str, at: int, depth: int) -> int:
        """A member of a class that code gives one value beside a literal, to whichever object."""
        fields = self.evaluator.fields
        every = fields.given(owner, name)
        given = [one for one in every if one[1].value[0] not in ("n", "r")] or every
        if not owner or len(given) != 1 or fields.lent(owner, name) or given[0][1].guards:
            raise _UnseenError
        return self._value(given[0][0], given[0][1].value, {}, at, depth - 1)

    def _element(self, place: Place, what: Expression, at: int, depth: int) -> int:
        """An element of an array that each thread has for itself, by a number, which one assignment gives its value."""
        array, index = what[1], self._value(place, what[2], {}, at, depth - 1)
        key = self.evaluator.fields.named(place, array)
        if key is not None and self.evaluator.fields.is_array(place, array):
            given = self.evaluator.fields.given(*key)
            unseen = bool(self.evaluator.fields.lent(*key))
        else:
            given, unseen = self._in_variable(place, array), False
        found = [one for one in given if one[1].place[:1] != ("i",) or one[1].place[2] in (("n", index), what[2])]
        others = [one for one in given if one not in found and one[1].place[2][0] != "n"]
        if len(found) != 1 or others or unseen or found[0][1].guards or found[0][1].place[:1] != ("i",):
            raise _UnseenError
        return self._value(found[0][0], found[0][1].value, {}, at, depth - 1)

    def _in_variable(self, place: Place, array: Expression) -> list[tuple[Place, Definition]]:
        """What the elements of an array of a routine's own are given, and the array itself."""
        routine = place.routine
        if array[0] != "v" or array[1] not in routine.held or array[1] in routine.taken | routine.shared:
            raise _UnseenError
        known = self.evaluator.definitions(place)
        return [(place, routine.definitions[one]) for name in (f"*{array[1]}", array[1]) for one in known.get(name, ())]

    def _call(self, place: Place, what: Expression, given: Mapping[str, int], at: int, depth: int) -> int:
        _, callee, arguments, receiver = what
        if callee in _RANKS and receiver is not None and receiver[0] in ("v", "c"):
            size = _size(place, receiver)
            return (at % size if callee == _RANK else at // size) if size else self._rank(place, callee, receiver, at)
        site = Site("call", callee, arguments, receiver, (), 0, 0, 0)
        found = [one for one in self.evaluator.called(place, site) if one.routine.end] if callee else []
        if not found:
            if callee in _LANES and not arguments:
                return at % _WARP
            if receiver is None and not self.evaluator.by_name.get(callee) and callee in lane_functions.COMPUTED:
                return self._computed(callee, [self._value(place, one, given, at, depth - 1) for one in arguments])
            if len(arguments) == 1 and self.evaluator.is_enumeration(callee):
                return self._value(place, arguments[0], given, at, depth - 1)
            raise _UnseenError
        routine = found[0].routine
        returned = self.evaluator.definitions(found[0]).get("return", ())
        is_member = receiver is None or bool(self.evaluator.classes.one(place, receiver))
        if len(found) != 1 or len(returned) != 1 or not is_member or len(arguments) != len(routine.parameters):
            raise _UnseenError
        if any(name in self.evaluator.definitions(found[0]) for name in routine.parameters):
            raise _UnseenError
        values = [self._value(place, one, given, at, depth - 1) for one in arguments]
        handed = dict(zip(routine.parameters, values, strict=True))
        return self._value(found[0], routine.definitions[returned[0]].value, handed, at, depth - 1)

    @staticmethod
    def _computed(callee: str, values: list[int]) -> int:
        made = lane_functions.computed(callee, values)
        if made is None:
            raise _UnseenError
        return made

    def _rank(self, place: Place, callee: str, group: Expression, at: int) -> int:
        if callee != _RANK or group[0] != "v":
            raise _UnseenError
        kinds = {sources.groups().get(one) for one in self.evaluator.classes.of(place, group)}
        if kinds != {"block"}:
            raise _UnseenError
        return at


def _size(place: Place, group: Expression) -> int:
    """How many threads the tile has that a variable or a call gives; 0 where that is not seen."""
    if group[0] == "v":
        return tile(place, group[1])
    last = group[2][-1] if group[1] == "tiled_partition" and len(group[2]) == 2 else ("n", 0)
    return int(last[1]) if last[0] == "n" else 0


def tile(place: Place, name: str) -> int:
    """How many threads the tile has that a variable holds, in its routine or one around; 0 where that is not seen."""
    at: Place | None = place
    while at is not None:
        if name in at.routine.types:
            spelled = at.routine.types[name].replace(" ", "")
            size = spelled.partition("thread_block_tile<")[2].partition(">")[0].partition(",")[0]
            return dict(at.routine.tiles).get(name, 0) or (int(size) if size.isdigit() else 0)
        at = at.around
    return 0


def _worked_out(sign: str, parts: list[int]) -> int:
    """What an operation makes of whole numbers."""
    if sign == "?:" and len(parts) == 3:
        return parts[1] if parts[0] else parts[2]
    if len(parts) == 1:
        if sign in ("!", "-", "~", "+", "not", "cast"):
            return {"!": not parts[0], "not": not parts[0], "-": -parts[0], "~": ~parts[0]}.get(sign, parts[0])
        raise _UnseenError
    if len(parts) != 2:
        raise _UnseenError
    left, right = parts
    if sign in ("/", "%"):
        share = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return share if sign == "/" else left - share * right
    if sign in ("<<", ">>") and 0 <= right < 64:
        return left << right if sign == "<<" else left >> right
    if sign not in _SIGNS:
        raise _UnseenError
    return int(_SIGNS[sign](left, right))
