"""The lattice: how far threads of a block see a value alike, and what is known of it as a number.

UNIFORM in the whole block, WAVE within 64 threads, WARP within 32 and no more, THREAD not even there. A value of level
WARP is what parts a wave of 64 lanes and no warp of 32.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import gcd
from typing import NamedTuple

from cudamigrate.model import Step

UNIFORM, WAVE, WARP, THREAD = range(4)
_MOST_STEPS = 8
_LARGEST_BLOCK = 1024


class Fact(NamedTuple):
    """What is known of a value: `per_thread` says how much more it is for the next thread of a row, None if unknown.

    `multiple` is a number that divides it, `value` what it is. `known` is False for a value that nothing was seen of.
    `strides` are names of numbers known when compiling that divide what is left of it without the thread's number; None
    stands for all of them. `sure` is False where something the value comes from was not seen: such a fact may raise a
    report and proves nothing. `exact` says which number of the launch it is, see `_EXACT`. `group` is how many threads
    in a row share each value of a thread's number that was divided; 0 for any other value.
    """

    level: int
    per_thread: int | None = 0
    multiple: int = 1
    value: int | None = None
    steps: tuple[Step, ...] = ()
    known: bool = True
    strides: frozenset[str] | None = frozenset()
    sure: bool = True
    exact: str = ""
    group: int = 0


BOTTOM = Fact(UNIFORM, None, 0, None, (), False, None)
"""Nothing yet: what a value that depends on itself is taken for while it is worked out."""
SAME = Fact(UNIFORM)
OPEN = Fact(UNIFORM, sure=False)
"""Of which nothing is seen: taken for the same in all threads, and no evidence of it."""
_EXACT = {
    ("thread", "%", 32): "lane",
    ("thread", "&", 31): "lane",
    ("thread", "/", 32): "warp",
    ("thread", ">>", 5): "warp",
    ("warp", "*", 32): "first thread",
    ("warp", "<<", 5): "first thread",
    ("first thread", "+", "lane"): "thread",
    ("threads", "/", 32): "warps",
    ("threads", ">>", 5): "warps",
    ("threads", "/", "32.0"): "warps",
    ("threads", "+", 31): "threads rounded up",
    ("threads", "+", 32): "threads and 32",
    ("threads and 32", "-", 1): "threads rounded up",
    ("threads rounded up", "/", 32): "warps",
    ("threads rounded up", ">>", 5): "warps",
    ("plane", "*", "height"): "first row",
    ("row", "+", "first row"): "row",
    ("row", "*", "threads"): "row start",
    ("plane", "*", "threads"): "plane of threads",
    ("plane of threads", "*", "height"): "plane start",
    ("first row", "*", "threads"): "plane start",
    ("threads", "*", "height"): "plane size",
    ("plane", "*", "plane size"): "plane start",
    ("plane start", "+", "row start"): "row start",
    ("plane start", "+", "thread"): "thread of plane",
    ("thread of plane", "+", "row start"): "rank",
    ("row start", "+", "thread"): "rank",
}
"""What an operation on a number of the launch gives, in warps of 32: `thread` is `threadIdx.x`, `lane` and `warp` that
of the thread, `threads` and `warps` how many a block has. A block of whole warps has no rest to divide. `rank` counts
the threads of a block of two or three dimensions, row by row as warps take them: `row` and `plane` are `threadIdx.y`
and `.z`, `height` is `blockDim.y`."""

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
    "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_TURNED: dict[str, Callable[[int], int]] = {"-": operator.neg, "~": operator.invert}
"""Of a number without a sign these are the same bits: `~0u` as -1 is a mask of all lanes."""


def number(value: int) -> Fact:
    """A constant."""
    return Fact(UNIFORM, 0, abs(value), value)


def join(facts: list[Fact]) -> Fact:
    """What holds for a value that is one of several."""
    seen = [one for one in facts if one.known]
    if not seen:
        return facts[0] if facts else SAME
    top = max(seen, key=lambda one: one.level)
    slopes = {one.per_thread for one in seen}
    values = {one.value for one in facts if one != BOTTOM}
    multiple = 0
    strides: frozenset[str] | None = None
    exact, groups = {one.exact for one in facts}, {one.group for one in facts}
    for one in facts:
        multiple, strides = gcd(multiple, one.multiple), _shared(strides, one.strides)
    return Fact(
        top.level,
        slopes.pop() if len(slopes) == 1 else None,
        multiple,
        values.pop() if len(values) == 1 else None,
        top.steps,
        strides=strides,
        sure=all(one.sure for one in facts),
        exact=exact.pop() if len(exact) == 1 else "",
        group=groups.pop() if len(groups) == 1 else 0,
    )


def alike(facts: list[Fact]) -> Fact:
    """What holds for a member that code gives one of several values, and another object perhaps others.

    It is sure to differ between threads where every value does that is no literal; that it is the same never is sure.
    """
    made = join(facts)
    others = [one for one in facts if one.value is None and one.known and not (one.level == UNIFORM and one.exact)]
    sure = made.sure and made.level >= WARP and all(one.level == made.level for one in others)
    return made._replace(exact="", sure=sure)


def _shared(left: frozenset[str] | None, right: frozenset[str] | None) -> frozenset[str] | None:
    """The strides of both; None stands for all."""
    if left is None or right is None:
        return right if left is None else left
    return left & right


def with_step(fact: Fact, step: Step) -> Fact:
    """The fact with one more step in its chain; what is the same for all threads needs none."""
    if fact.level < WARP or len(fact.steps) >= _MOST_STEPS or fact.steps[-1:] == (step,):
        return fact
    return fact._replace(steps=(*fact.steps, step))


def shuffled(callee: str, given: tuple[Fact, ...]) -> Fact | None:
    """What a shuffle gives where all lanes of a warp have the same; None for anything else."""
    data = given[callee.endswith("_sync") :][:1] if callee.startswith("__shfl") else ()
    return data[0]._replace(exact="") if data and data[0].known and data[0].level <= WARP else None


def settled(fact: Fact) -> tuple[int, bool, str]:
    """What is to stay as it is for a fact to be settled."""
    return fact.level, fact.sure, fact.exact


def shown(fact: Fact) -> str:
    """For which threads a value is the same, as a report says it."""
    return {UNIFORM: "uniform", WAVE: "the same in 64 threads", WARP: "the same in 32 threads only"}.get(
        fact.level, "different between threads"
    )


def _mixed(facts: list[Fact]) -> Fact:
    """A result of which only the level is known."""
    top = max(facts, key=lambda one: one.level, default=SAME)
    return Fact(top.level, 0 if top.level == UNIFORM else None, 1, None, top.steps, any(one.known for one in facts))


def operate(sign: str, facts: list[Fact]) -> Fact:
    """What an operation makes of its operands."""
    made = _operated(sign, facts)
    if len(facts) == 2:
        left, right = facts
        number_ = left.value or 0
        whole = sign in ("/", ">>") and number_ % 64 == 0 and 0 < number_ <= _LARGEST_BLOCK
        exact = _EXACT.get(("threads" if whole else left.exact, sign, right.exact or right.value or 0), "")
        if not exact and sign in ("*", "+"):
            exact = _EXACT.get((right.exact, sign, left.exact or left.value or 0), "")
        if exact != made.exact:
            made = made._replace(exact=exact)
        if exact == "rank":
            made = made._replace(level=THREAD, per_thread=1, multiple=1)
    if made.exact and (len(facts) == 1 or sign == "?"):
        made = made._replace(exact="")
    return made if sign != "?" and all(one.sure for one in facts) else made._replace(sure=False)


def _alone(sign: str, fact: Fact) -> Fact:
    if sign == "constexpr":
        return fact if fact.level == UNIFORM else SAME  # no thread's number is known when compiling
    if fact.value is not None and sign in _TURNED:
        return number(_TURNED[sign](fact.value))
    return fact if sign in ("+", "?") else _mixed([fact])


def _operated(sign: str, facts: list[Fact]) -> Fact:
    if any(not one.known for one in facts):
        return _growing(sign, [one for one in facts if one.known])
    if len(facts) == 1:
        return _alone(sign, facts[0])
    if len(facts) != 2:
        is_choice = sign == "?:" and len(facts) == 3 and facts[0].level == UNIFORM
        return join(facts[1:]) if is_choice else _mixed(facts)
    left, right = facts
    if left.value is not None and right.value is not None:
        made = _computed(sign, left.value, right.value)
        return made._replace(strides=_product(left, right)) if sign == "*" else made
    if sign in ("+", "-"):
        return _summed(sign, left, right)
    if sign == "*":
        return _multiplied(left, right)
    if sign in ("/", ">>"):
        by = right.value if sign == "/" else _power(right.value)
        return _divided(left, by) if right.level == UNIFORM else _mixed([left, right])
    if sign == "&" and right.value is not None and left.level:
        return _masked(left, right.value)
    if sign in ("<", "<=", ">", ">=", "==", "!="):
        return _compared(sign, left, right)
    return _mixed(facts)


def _growing(sign: str, others: list[Fact]) -> Fact:
    """What an operation on a value that is being worked out adds to it: what is the same for all keeps its slope."""
    added = _mixed(others)
    if sign in ("+", "-") and added.level == UNIFORM:
        if not others:
            return BOTTOM._replace(multiple=0)
        return BOTTOM._replace(multiple=others[0].multiple, strides=others[0].strides)
    return added._replace(per_thread=None, known=True)


def computed(sign: str, left: int, right: int) -> int | None:
    """What an operation makes of two numbers; None where C++ leaves it open or rounds another way."""
    if (sign in ("/", "%") and (right <= 0 or left < 0)) or (sign in ("<<", ">>") and not 0 <= right < 64):
        return None
    if sign == ">>" and left < 0:
        return None  # `~0u >> 16` shifts zeros in, `-1 >> 16` ones
    made = _ARITHMETIC.get(sign)
    return None if made is None else made(left, right)


def _computed(sign: str, left: int, right: int) -> Fact:
    made = computed(sign, left, right)
    return SAME if made is None else number(made)


def _power(shift: int | None) -> int | None:
    return None if shift is None or not 0 <= shift < 32 else 1 << shift


def _summed(sign: str, left: Fact, right: Fact) -> Fact:
    """Threads that add the same keep their distance; a difference of thread numbers has none."""
    if left.per_thread is None or right.per_thread is None:
        return _mixed([left, right])
    slope = left.per_thread + right.per_thread * (1 if sign == "+" else -1)
    if slope == 0 and (left.per_thread or right.per_thread):
        return SAME
    top = max((left, right), key=lambda one: one.level)
    strides = _shared(left.strides, right.strides)
    return Fact(top.level, slope, gcd(left.multiple, right.multiple), None, top.steps, strides=strides)


def _multiplied(left: Fact, right: Fact) -> Fact:
    known = left if left.value is not None else right
    other = right if known is left else left
    made = _mixed([left, right])._replace(multiple=left.multiple * right.multiple)
    if known.value is not None and other.per_thread is not None:
        made = made._replace(per_thread=other.per_thread * known.value)
    if made.level == UNIFORM:
        made = made._replace(strides=_product(left, right))
    return made


def _product(left: Fact, right: Fact) -> frozenset[str]:
    """The strides of a product: what divides either side divides it."""
    return (left.strides or frozenset()) | (right.strides or frozenset())


def _divided(left: Fact, by: int | None) -> Fact:
    """A thread's number divided: whole groups of 64 or 32 threads share the quotient."""
    group = by if left.per_thread == 1 else left.group * (by or 0)
    if not by or not group:
        return _mixed([left])
    return Fact(_level(group), None, 1, None, left.steps, group=group)


def _level(threads: int) -> int:
    """How far threads see alike what changes at multiples of a number of threads only."""
    return WAVE if threads % 64 == 0 else WARP if threads % 32 == 0 else THREAD


def in_groups(fact: Fact, threads: int) -> Fact:
    """A value that so many threads in a row share, and the next ones another."""
    return fact._replace(level=_level(threads), group=threads)


def _masked(left: Fact, mask: int) -> Fact:
    if left.per_thread == 1 and not mask & 31:
        return Fact(WARP if mask & 32 else WAVE, None, 32, None, left.steps)
    return _mixed([left])


def _compared(sign: str, left: Fact, right: Fact) -> Fact:
    """A thread's number against a bound: whole groups answer alike where the bound is a multiple of their size."""
    if left.per_thread == right.per_thread and left.per_thread not in (None, 0):
        return SAME  # both grow alike from thread to thread: their difference is the same for all
    if (right.per_thread == 1 or right.group) and left.per_thread == 0:
        flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
        return _compared(flipped, right, left)
    threads = 1 if left.per_thread == 1 else left.group
    if not threads or right.per_thread != 0 or sign in ("==", "!="):
        return _mixed([left, right])
    if sign in ("<", ">=") and right.level == UNIFORM and left.strides and _shared(left.strides, right.strides):
        return SAME  # a loop in steps of the block up to a multiple of them: all threads turn equally often
    bound = right.multiple
    if sign in ("<=", ">"):
        bound = abs(right.value + 1) if right.value is not None else 1
    return Fact(_level(bound * threads), None, 1, None, left.steps)
