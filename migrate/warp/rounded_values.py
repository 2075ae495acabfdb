"""Spellings of a number rounded to a multiple of another: `n & ~(b - 1)`, `n - n % b`, `n % b ? n + b - n % b : n`.

Each is written as a product, so that a loop in steps of `b` is seen to turn equally often in all threads. A mask rounds
where `b` is a power of two: code that masks by `b - 1` takes it for one, on either vendor's GPUs.
"""

from __future__ import annotations

from cudamigrate.model.warp_graph import Expression

_EQUAL, _UNEQUAL = "==", ("!=", ">")


def product(what: Expression) -> Expression | None:
    """The same number as a product, or a choice of products; None where an expression rounds nothing."""
    if what[0] != "o" or len(what) < 4:
        return None
    if what[1] == "?:" and len(what) == 5:
        return _choice(what[2], what[3], what[4])
    left, right = what[2], what[3]
    if what[1] == "&":
        step = _mask(right)
        return None if step is None else _down(left, step)
    if what[1] != "-":
        return None
    rest = _rest(right)
    if rest is None:
        return None
    if rest[0] == left:
        return _down(*rest)
    is_up = left[:2] == ("o", "+") and len(left) == 4 and set(left[2:]) == set(rest)
    return ("o", "*", ("o", "+", ("o", "/", *rest), ("n", 1)), rest[1]) if is_up else None


def _down(value: Expression, step: Expression) -> Expression:
    return ("o", "*", ("o", "/", value, step), step)


def _mask(what: Expression) -> Expression | None:
    """The step of a mask that rounds down: `b` of `~(b - 1)` and of `-b`."""
    if what[0] != "o" or len(what) != 3:
        return None
    return what[2] if what[1] == "-" else _below(what[2]) if what[1] == "~" else None


def _below(what: Expression) -> Expression | None:
    """`b` of `b - 1`, also where that is a number of ones: 256 of 255."""
    if what[:2] == ("o", "-") and what[3:] == (("n", 1),):
        step: Expression = what[2]
        return step
    return ("n", what[1] + 1) if what[0] == "n" and what[1] > 0 and not what[1] & (what[1] + 1) else None


def _rest(what: Expression) -> tuple[Expression, Expression] | None:
    """What a division leaves: value and step of `n % b` and `n & (b - 1)`."""
    if what[0] != "o" or len(what) != 4 or what[1] not in ("%", "&"):
        return None
    step = what[3] if what[1] == "%" else _below(what[3])
    return None if step is None else (what[2], step)


def _choice(test: Expression, true: Expression, false: Expression) -> Expression | None:
    """A choice by whether a division leaves anything: where it does not, the number itself is a multiple."""
    asks = test[2] if test[0] == "o" and len(test) == 4 and test[3] == ("n", 0) else test
    rest = _rest(asks)
    if rest is None:
        return None
    is_none = asks is not test and test[1] == _EQUAL
    if not is_none and asks is not test and test[1] not in _UNEQUAL:
        return None
    if (true if is_none else false) != rest[0]:
        return None
    return ("o", "?:", test, *((_down(*rest), false) if is_none else (true, _down(*rest))))
