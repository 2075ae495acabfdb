"""The value of a preprocessor condition, in three values, and the parts of one that ask for the device pass.

Only the macros that mark HIP, or a number that is assumed, are known; everything else may be either.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from cudamigrate.cuda.lexer import COMMENT, CONTINUED
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

_HIP_5 = 50_000_000
"""The least `HIP_VERSION` of a release since 5.0."""
_OF_ZERO: Mapping[bytes, Callable[[int], bool]] = {
    b"<": lambda number: number > 0,
    b"<=": lambda number: True,
    b">": lambda number: False,
    b">=": operator.not_,
}
"""What a comparison of 0 with a number gives."""
COMPARISONS: Mapping[bytes, Callable[[int, int], bool]] = {
    b"<": operator.lt,
    b"<=": operator.le,
    b">": operator.gt,
    b">=": operator.ge,
    b"==": operator.eq,
    b"!=": operator.ne,
}
"""What each comparison of two numbers asks."""
TURNED = {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<=", b"==": b"==", b"!=": b"!="}
"""The comparison that says the same with its sides exchanged."""
_PASS = b"__CUDA_ARCH__"
"""nvcc's macro that only its device pass defines, with the number of the GPU."""
_GPUS = (1, 9999)
"""Numbers that bound those of all GPUs."""


@dataclass(frozen=True, slots=True)
class PassTest:
    """A part of a condition that asks which pass compiles, and not for what GPU; places are offsets in its text.

    `device` is False where it holds in the host's pass. `bare` is False for what is `defined(__CUDA_ARCH__)` alone.
    """

    start: int
    end: int
    device: bool
    bare: bool


@lru_cache(maxsize=4096)
def pass_tests(text: bytes) -> tuple[PassTest, ...]:
    """The parts of a condition that are false for the host and true for every GPU, or the contrary, by `__CUDA_ARCH__`.

    `__CUDA_ARCH__`, `(__CUDA_ARCH__ > 0)`, `0 == __CUDA_ARCH__`; with `defined(__CUDA_ARCH__) &&` before it, that too.
    """
    if _PASS not in text:
        return ()
    blank = CONTINUED.sub(lambda match: b" " * len(match[0]), text)
    condition = _Condition(COMMENT.sub(lambda match: b" " * len(match[0]), blank), frozenset(), hip=True)
    condition.value()
    found: list[PassTest] = []
    for first, last in condition.operands:
        one = condition.pass_test(first, last)
        before = found[-1] if found else None
        if one is not None and before is not None and not before.bare and one.bare and one.device:
            negated = blank[: before.start].rstrip().endswith(b"!")
            if blank[before.end : one.start].strip() == b"&&" and not negated:
                found.pop()
                one = PassTest(before.start, one.end, device=True, bare=True)
        found += [one] if one is not None else []
    return tuple(found)


def without_pass_tests(text: bytes, instead: bytes = b" ") -> bytes:
    """A condition with blanks in the place of its bare tests for the pass, of the same length, or with `instead`."""
    for one in reversed(pass_tests(text)):
        if one.bare:
            new = (b"" if one.device else b"!") + instead if instead.strip() else b" " * (one.end - one.start)
            text = text[: one.start] + new + text[one.end :]
    return text


@lru_cache(maxsize=4096)
def value_with(text: bytes, guards: frozenset[bytes], hip: bool) -> bool | None:
    """The value of a condition where HIP compiles, or where CUDA does; None where other macros decide."""
    return _Condition(text, guards, hip).value()


def _number(guard: bytes) -> tuple[bytes, int]:
    """The name and the number of a guard `NAME=NUMBER`."""
    name, _, number = guard.partition(b"=")
    return name, int(number)


class _Condition:
    """Three-valued value of a preprocessor condition when only the HIP macros are known."""

    _PARTS = re.compile(rb"\w+|&&|\|\||==|!=|<=|>=|\S")

    def __init__(self, text: bytes, guards: frozenset[bytes], hip: bool) -> None:
        self.text, self.places = text, [match.span() for match in self._PARTS.finditer(text)]
        self.parts = [text[start:end] for start, end in self.places]
        self.guards, self.hip, self.at = guards, hip, 0
        self.operands: list[tuple[int, int]] = []  # the first part of each, and that after its last
        self.numbers = dict(_number(guard) for guard in guards if b"=" in guard and b"==" not in guard) if hip else {}

    def value(self) -> bool | None:
        """True, False, or None where other macros decide."""
        result = self._either()
        return result if self.at >= len(self.parts) else None

    def pass_test(self, first: int, last: int) -> PassTest | None:
        """What an operand asks for, brackets around it included, where that is the pass alone."""
        text = self.text[self.places[first][0] : self.places[last - 1][1]]
        if _PASS not in self.parts[first:last]:
            return None
        host, *gpus = (value_with(text, frozenset((b"%b=%d" % (_PASS, number),)), hip=True) for number in (0, *_GPUS))
        if host is None or gpus != [not host, not host]:
            return None
        bare = self.parts[first] != b"defined"
        while bare and self.parts[:first][-1:] == [b"("] and self.parts[last : last + 1] == [b")"]:
            first, last = first - 1, last + 1
        return PassTest(self.places[first][0], self.places[last - 1][1], not host, bare)

    def _next(self) -> bytes:
        part = self.parts[self.at] if self.at < len(self.parts) else b""
        self.at += 1
        return part

    def _peek(self) -> bytes:
        return self.parts[self.at] if self.at < len(self.parts) else b""

    def _either(self) -> bool | None:
        values = [self._both()]
        while self._peek() == b"||":
            self._next()
            values.append(self._both())
        return True if True in values else (None if None in values else False)

    def _both(self) -> bool | None:
        values = [self._compared()]
        while self._peek() == b"&&":
            self._next()
            values.append(self._compared())
        return False if False in values else (None if None in values else True)

    def _compared(self) -> bool | None:
        start, before = self.at, len(self.operands)
        value = self._single()
        left, middle, depth = self.parts[start : self.at], self.at, 0
        while self._peek() and (depth > 0 or self._peek() not in (b"&&", b"||", b")")):
            part = self._next()
            depth += (part == b"(") - (part == b")")
        rest = self.parts[middle : self.at]
        if rest:
            self.operands[before:] = [(start, self.at)]
        while len(left) > 2 and (left[0], left[-1]) == (b"(", b")"):
            left = left[1:-1]
        return self._comparison(left, value, rest) if rest else value

    def _comparison(self, left: Sequence[bytes], value: bool | None, rest: Sequence[bytes]) -> bool | None:
        """The value of a comparison, where a guard or its being 0 decides it."""
        number = rest[1] if len(left) == 1 and len(rest) == 2 else b""
        if number in self.numbers and left[0].isdigit() and rest[0] in TURNED:
            left, rest, number = [number], [TURNED[rest[0]], left[0]], left[0]
        if left[0] in self.numbers and number.isdigit():
            return COMPARISONS[rest[0]](self.numbers[left[0]], int(number)) if rest[0] in COMPARISONS else None
        if number and rest[0] in (b"==", b"!="):
            equal = self._equals(left[0], value, number)
            return equal if equal is None or rest[0] == b"==" else not equal
        if number.isdigit() and rest[0] in _OF_ZERO:
            if left[0] == b"HIP_VERSION" and 0 < int(number) < _HIP_5:  # every release is above it, and CUDA's 0 below
                return _OF_ZERO[rest[0]](int(number)) is not self.hip
            if value is False:  # a guard that is not defined counts as 0; the value of one that is defined is not known
                return _OF_ZERO[rest[0]](int(number))
        return False if value is False and not self.hip else None

    def _equals(self, name: bytes, value: bool | None, other: bytes) -> bool | None:
        if b"%b==%b" % (name, other) in self.guards:
            return self.hip
        if b"!%b==%b" % (name, other) in self.guards:
            return not self.hip
        if self.hip and any(guard.startswith(name + b"==") for guard in self.guards):
            return False  # it has one value at a time
        if other == b"0":
            return None if value is None else not value
        return False if value is False else None

    def _single(self) -> bool | None:
        start, part = self.at, self._next()
        if part == b"!":
            value = self._single()
            return None if value is None else not value
        if part == b"(":
            value = self._either()
            self._next()
            return value
        if part == b"defined":
            name = self._next()
            if name == b"(":
                name = self._next()
                self._next()
            self.operands.append((start, self.at))
            return self._known(name)
        if part.isdigit():
            return part.strip(b"0") != b""
        self.operands.append((start, self.at))
        return {b"true": True, b"false": False}.get(part, self._known(part))

    def _known(self, name: bytes) -> bool | None:
        if name in self.guards:
            return self.hip
        if b"?" + name in self.guards:
            return None if self.hip else False
        if b"-" + name in self.guards:
            return False if self.hip else None
        if name in self.numbers:
            return self.numbers[name] != 0
        return (not self.hip) if b"!" + name in self.guards else None
