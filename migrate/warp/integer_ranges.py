"""Bounds of integers and what C++ operators make of them, with the types that they are worked out in.

Where an unsigned result is outside its type, all values of the type are possible: it wraps around. Signed arithmetic
that overflows has no meaning in C++ and is not looked at, but a value that is put into a narrower type is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

INT_MAX, UINT_MAX, ULONG_MAX = (1 << 31) - 1, (1 << 32) - 1, (1 << 64) - 1
INT, UINT, LONG, ULONG = range(4)
"""The types that operators work in, by rank: the larger of two is that of their result."""
_SMALLEST_UNKNOWN = 127
"""What every integer type holds: a value up to it is the same in a type that is not known."""


class Range(NamedTuple):
    """The smallest and the largest value, both included; None where there is no bound."""

    low: int | None
    high: int | None

    def within(self, low: int, high: int) -> bool:
        """Whether all values lie between two bounds, both included."""
        return self.low is not None and self.high is not None and low <= self.low and self.high <= high

    @property
    def is_natural(self) -> bool:
        """Whether no value is negative."""
        return self.low is not None and self.low >= 0


ANY = Range(None, None)


class Integer(NamedTuple):
    """A type: the rank of what operators make of it, and its values; no bounds for `int` and `long`."""

    rank: int
    values: Range = ANY


_TYPES = {
    "bool": Integer(INT, Range(0, 1)),
    "char": Integer(INT, Range(-128, 255)),
    "schar": Integer(INT, Range(-128, 127)),
    "uchar": Integer(INT, Range(0, 255)),
    "short": Integer(INT, Range(-0x8000, 0x7FFF)),
    "ushort": Integer(INT, Range(0, 0xFFFF)),
    "int": Integer(INT),
    "uint": Integer(UINT, Range(0, UINT_MAX)),
    "long": Integer(LONG),
    "ulong": Integer(ULONG, Range(0, ULONG_MAX)),
}
_NAMED = {
    **{name.encode(): name for name in _TYPES},
    b"int8_t": "schar",
    b"uint8_t": "uchar",
    b"int16_t": "short",
    b"uint16_t": "ushort",
    b"int32_t": "int",
    b"uint32_t": "uint",
    b"int64_t": "long",
    b"uint64_t": "ulong",
    b"ssize_t": "long",
    b"ptrdiff_t": "long",
    b"size_t": "ulong",
}
_SIGNS = frozenset((b"signed", b"unsigned"))
_QUALIFIERS = frozenset(b"const constexpr volatile static register std __restrict__".split())


def integer_type(spelled: bytes) -> Integer | None:
    """The integer type that C++ or its library spells so; None for others and for names of a project."""
    words = [word for word in spelled.replace(b"::", b" ").split() if word not in _QUALIFIERS]
    kinds = [word for word in words if word not in _SIGNS and (word != b"int" or len(words) == 1)]
    if not words or any(word not in _NAMED for word in kinds):
        return None
    kind = _NAMED[kinds[0]] if kinds else "int"
    if b"unsigned" in words and kind in ("char", "short", "int", "long"):
        kind = "u" + kind
    return _TYPES["schar" if kind == "char" and b"signed" in words else kind]


def is_signed(rank: int | None) -> bool:
    """Whether operators are known to work with a sign."""
    return rank in (INT, LONG)


def joined(ranks: Iterable[int | None]) -> int | None:
    """The rank of what an operator makes of several values."""
    known = list(ranks)
    return None if not known or None in known else max(one for one in known if one is not None)


def converted(found: Range, target: Integer | None, rank: int | None) -> Range:
    """The values of a range, worked out in `rank`, in a type; None stands for a type that is not known.

    The number of a thread in its grid is taken to fit an `int` where code puts it into one.
    """
    if target is None:
        return found if found.within(0, _SMALLEST_UNKNOWN) else ANY
    low, high = target.values
    if low is not None and high is not None:
        return found if found.within(low, high) else target.values
    too_large = found.high is not None and found.high > INT_MAX
    return ANY if target.rank == INT and rank != INT and too_large else found


def wrapped(found: Range, rank: int | None) -> Range:
    """A result as its type holds it."""
    if is_signed(rank):
        return found
    if not found.is_natural:
        return ANY
    most = {UINT: UINT_MAX, ULONG: ULONG_MAX}.get(INT if rank is None else rank, INT_MAX)
    return Range(0, None if rank is None else most) if found.high is not None and found.high > most else found


def union(found: Iterable[Range]) -> Range:
    """The range that holds all values of several."""
    ranges = list(found)
    lows, highs = [one.low for one in ranges], [one.high for one in ranges]
    return Range(
        None if None in lows else min(one for one in lows if one is not None),
        None if None in highs else max(one for one in highs if one is not None),
    )


def least(left: Range, right: Range, low: int | None = None) -> Range:
    """The range of the smaller of two; `low` is a bound known otherwise."""
    highs = [one for one in (left.high, right.high) if one is not None]
    lows = None if left.low is None or right.low is None else min(left.low, right.low)
    return Range(low if low is not None else lows, min(highs) if highs else None)


def most(left: Range, right: Range, high: int | None = None) -> Range:
    """The range of the larger of two; `high` is a bound known otherwise."""
    lows = [one for one in (left.low, right.low) if one is not None]
    highs = None if left.high is None or right.high is None else max(left.high, right.high)
    return Range(max(lows) if lows else None, high if high is not None else highs)


def repeated(sign: bytes, first: Range, by: Range) -> Range:
    """What an operation makes of a value that may go through it any number of times."""
    if not first.is_natural:
        return operate(sign, ANY, by)
    if sign in (b">>", b"/") and by.low is not None and by.low >= (sign == b"/"):
        return Range(0, first.high)
    if sign == b"&" or sign == b"%":
        return union([first, operate(sign, Range(0, None), by)])
    if sign in (b"<<", b"*", b"+") and by.is_natural:
        return Range(first.low if sign != b"*" or by.low else 0, None)
    return Range(None, first.high) if sign == b"-" and by.is_natural else ANY


def operate(sign: bytes, left: Range, right: Range) -> Range:
    """The range of an operation on two ranges, in whole numbers without bounds."""
    if sign == b"&":
        bounds = [one.high for one in (left, right) if one.is_natural and one.high is not None]
        return Range(0 if left.is_natural or right.is_natural else None, min(bounds) if bounds else None)
    if sign == b"+":
        return Range(_both(left.low, right.low, 1), _both(left.high, right.high, 1))
    if sign == b"-":
        return Range(_both(left.low, right.high, -1), _both(left.high, right.low, -1))
    if not left.is_natural or not right.is_natural:
        return ANY
    return _of_natural(sign, left, right)


def _both(left: int | None, right: int | None, sign: int) -> int | None:
    return None if left is None or right is None else left + sign * right


def _of_natural(sign: bytes, left: Range, right: Range) -> Range:
    """The range of an operation on two values that are not negative."""
    assert left.low is not None and right.low is not None
    high = left.high
    if sign in (b"|", b"^"):
        known = high is not None and right.high is not None
        return Range(0, (1 << max(high or 0, right.high or 0).bit_length()) - 1 if known else None)
    if sign == b"%":
        bounds = [one for one in (high, right.high - 1 if right.high else None) if one is not None]
        return Range(0, min(bounds) if bounds else None)
    if sign == b"/":
        return Range(0, None if high is None else high // max(1, right.low))
    if sign == b">>":
        return Range(0, None if high is None else high >> min(right.low, 64))
    if sign == b"*":
        return Range(left.low * right.low, None if high is None or right.high is None else high * right.high)
    if sign == b"<<":
        known = high is not None and right.high is not None and right.high < 64
        return Range(left.low << min(right.low, 64), (high or 0) << (right.high or 0) if known else None)
    return ANY
