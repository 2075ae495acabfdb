"""The value of a preprocessor condition, in three values, and the parts of one that ask for the device pass.

Only the macros that mark HIP, or a number that is assumed, are known; everything else may be either.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache

from cudamigrate.cuda.lexer import COMMENT, CONTINUED
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

_HIP_5 = 50_000_000
"""The least `HIP_VERSION` of a release since 5.0."""
COMPARISONS: Mapping[bytes, Callable[[int, int], bool]] = {
    b"<": operator.lt,
    b"<=": operator.le,
    b">": operator.gt,
    b">=": operator.ge,
    b"==": operator.eq,
    b"!=": operator.ne,
}
TURNED = {b"<": b">", b"<=": b">=", b">": b"<", b">=": b"<=", b"==": b"==", b"!=": b"!="}
"""The comparison that says the same with its sides exchanged."""
_SPELLED = dict(zip(b"and or not not_eq bitand bitor xor".split(), b"&& || ! != & | ^".split(), strict=True))
"""Operators that C++ spells as words too. Source: C++, "Alternative tokens"."""


class _Set(Enum):
    """The value of a macro that is set and holds as a condition, whatever its number is."""

    SET = 0


_Number = int | _Set | None
"""What is known of a part of a condition: its number, that it is not 0, or nothing."""
_ARITHMETIC: Mapping[bytes, Callable[[int, int], int]] = {
    b"*": operator.mul,
    b"+": operator.add,
    b"-": operator.sub,
    b"&": operator.and_,
    b"^": operator.xor,
    b"|": operator.or_,
}
_POWERS: Mapping[bytes, int] = {
    sign: power
    for power, signs in enumerate(("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"), 1)
    for sign in signs.encode().split()
}
"""How strongly each operator binds. Source: C++, "Expressions"; the preprocessor's are those of integers."""
_AND = _POWERS[b"&&"]
_INTEGER = re.compile(rb"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlLzZ]*")
"""A number with its suffix: `700`, `0x2BC`, `11000L`."""
_OCTAL = re.compile(rb"0[0-7]*")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_LARGEST = 1 << 63
"""The first number that the preprocessor's integers do not have."""
_DEEPEST = 100
"""Brackets and operators before a part that are followed; a deeper condition counts as unknown."""
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
            negated = blank[: before.start].rstrip().endswith((b"!", b" not"))
            if blank[before.end : one.start].strip() in (b"&&", b"and") and not negated:
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


@dataclass(frozen=True, slots=True)
class Question:
    """A condition that asks for a GPU's or a release's number: what it gives where none is defined, and for the newest.

    `macros` are those of CUDA's that it reads, in order; None for a value says that other macros decide it.
    """

    macros: tuple[bytes, ...]
    undefined: bool | None
    newest: bool | None


VERSIONS: Mapping[bytes, int] = {
    b"__CUDA_ARCH__": 9999,
    b"__CUDA_ARCH_SPECIFIC__": 9999,
    b"__CUDA_ARCH_FAMILY_SPECIFIC__": 9999,
    b"__CUDACC_VER_MAJOR__": 999,
    b"__CUDACC_VER_MINOR__": 9,
    b"__CUDACC_VER_BUILD__": 999,
    b"CUDART_VERSION": 999_090,
    b"CUDA_VERSION": 999_090,
}
"""The macros of CUDA for the number of a GPU or a release, with one that is past all that a test asks for."""
_OTHERS = re.compile(rb"(?<!\w)__(?:CUDA_ARCH_(?:FEAT_\w+|LIST__)|CUDACC\w*__|NVCC__)(?!\w)")
"""nvcc's other macros, which a compiler for NVIDIA's GPUs of today defines."""
_WORDS = re.compile(rb"[A-Za-z_]\w*")


@lru_cache(maxsize=4096)
def question(text: bytes) -> Question:
    """What a condition reads of CUDA's versions, and its value without and with them."""
    condition = _Condition(text, frozenset(), hip=True)
    condition.value()
    macros = tuple(dict.fromkeys(name for name in condition.read if name in VERSIONS))
    return Question(macros, at_version(text, 0), at_version(text, None))


def operands(text: bytes) -> list[tuple[int, int]]:
    """Where the parts of a condition are that are joined by `&&` and `||`: `AT(X)`, `defined(Y)`, `A / 10 >= 7`."""
    condition = _Condition(text, frozenset(), hip=True)
    condition.value()
    return [(condition.places[first][0], condition.places[last - 1][1]) for first, last in condition.operands]


def at_version(text: bytes, number: int | None) -> bool | None:
    """The value of a condition with all of CUDA's versions at a number, 0 for undefined; None for the newest."""
    names = set(_WORDS.findall(text))
    known = {name: newest if number is None else number for name, newest in VERSIONS.items() if name in names}
    known.update((name, 1 if number is None else number) for name in _OTHERS.findall(text) if name not in known)
    return value_with(text, frozenset(b"%b=%d" % pair for pair in known.items()), hip=True)


def number_with(text: bytes, numbers: Mapping[bytes, int]) -> int | None:
    """The number that an integer expression gives with the numbers of its names; None where it is not known."""
    condition = _Condition(text, frozenset(b"%b=%d" % pair for pair in numbers.items()), hip=True)
    return condition.number()


def _number(guard: bytes) -> tuple[bytes, int]:
    """The name and the number of a guard `NAME=NUMBER`."""
    name, _, number = guard.partition(b"=")
    return name, int(number)


class _Condition:
    """Three-valued value of a preprocessor condition when only the HIP macros are known."""

    _PARTS = re.compile(rb"\w+|&&|\|\||==|!=|<=|>=|<<|>>|\S")

    def __init__(self, text: bytes, guards: frozenset[bytes], hip: bool) -> None:
        self.text, self.places = text, [match.span() for match in self._PARTS.finditer(text)]
        self.parts = [_SPELLED.get(text[start:end], text[start:end]) for start, end in self.places]
        self.guards, self.hip, self.at, self._depth = guards, hip, 0, 0
        self.ended = False  # whether more was asked for than there is
        self.operands: list[tuple[int, int]] = []  # the first part of each, and that after its last
        self.read: list[bytes] = []  # the names whose values are asked for, and not just whether they are defined
        self.numbers = dict(_number(guard) for guard in guards if b"=" in guard and b"==" not in guard) if hip else {}

    def value(self) -> bool | None:
        """True, False, or None where other macros decide."""
        result = _truth(self._chosen())
        return result if self.at == len(self.parts) and not self.ended else None

    def number(self) -> int | None:
        """The number of the whole; None where it is not known."""
        result = self._chosen()
        return result if isinstance(result, int) and self.at == len(self.parts) and not self.ended else None

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
        part = self._peek()
        self.ended |= not part
        self.at += bool(part)
        return part

    def _peek(self) -> bytes:
        return self.parts[self.at] if self.at < len(self.parts) else b""

    def _chosen(self) -> _Number:
        """A condition, or the choice of `?` between two."""
        self._depth += 1
        if self._depth > _DEEPEST:
            self.at, self.ended = len(self.parts), True  # the whole is unknown
            return None
        result = self._joined(1)
        if self._peek() == b"?":
            self._next()
            first, sign, second = self._chosen(), self._next(), self._chosen()
            asked = _truth(result)
            result = first if asked else second if asked is False or first == second else None
            result = result if sign == b":" else None
        self._depth -= 1
        return result

    def _joined(self, least: int) -> _Number:
        """What is joined by operators that bind as strongly as `least` or more."""
        first, before = self.at, len(self.operands)
        value = self._with_rest()
        while (power := _POWERS.get(self._peek(), 0)) >= least and power > 0:
            middle, sign = self.at, self._next()
            right = self._joined(power + 1)
            if power > _AND:
                self.operands[before:] = [(first, self.at)]
            if sign in COMPARISONS:
                value = self._comparison(sign, (value, first, middle), (right, middle + 1, self.at))
            else:
                value = _calculated(sign, value, right)
        return value

    def _with_rest(self) -> _Number:
        """A single part, and what is behind it that no condition has: then it is not known."""
        first, before, value, depth = self.at, len(self.operands), self._single(), 0
        while self._peek() and (depth > 0 or (self._peek() not in (b")", b"?", b":") and self._peek() not in _POWERS)):
            part, value = self._next(), None
            depth += (part == b"(") - (part == b")")
            self.operands[before:] = [(first, self.at)]
        return value

    def _comparison(self, sign: bytes, left: tuple[_Number, int, int], right: tuple[_Number, int, int]) -> _Number:
        """The value of a comparison, where both numbers are known, or a guard or its being 0 decides it.

        Each side is its value, the place of its first part and that after its last.
        """
        (value, *one), (number, *two) = left, right
        if isinstance(value, int) and isinstance(number, int):
            return int(COMPARISONS[sign](value, number))
        name, other = self._alone(*one), self._alone(*two)
        if _INTEGER.fullmatch(name):
            value, number, name, other, sign = number, value, other, name, TURNED[sign]
        if name and other and sign in (b"==", b"!="):
            equal = self._equals(name, _truth(value), other)
            return None if equal is None else int(equal == (sign == b"=="))
        if name == b"HIP_VERSION" and isinstance(number, int) and 0 < number < _HIP_5:
            return int(COMPARISONS[sign](_HIP_5 if self.hip else 0, number))  # every release is above it
        return 0 if value == 0 and not self.hip else None

    def _alone(self, first: int, last: int) -> bytes:
        """The name or number that some parts are, without brackets around it; empty for anything else."""
        while last - first > 2 and (self.parts[first], self.parts[last - 1]) == (b"(", b")"):
            first, last = first + 1, last - 1
        return self.parts[first] if last - first == 1 else b""

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

    def _single(self) -> _Number:
        start, part = self.at, self._next()
        if part in (b"!", b"-", b"+", b"~"):
            return self._signed(part, start)
        if part == b"(":
            value = self._chosen()
            self._next()
            return value
        if part == b"defined":
            name = self._next()
            if name == b"(":
                name = self._next()
                self._next()
            self.operands.append((start, self.at))
            known = self._known(name)
            return known if known is None else int(known)
        if match := _INTEGER.fullmatch(part):
            digits = match[1]
            return int(digits, 0 if not digits.isdigit() else 8 if _OCTAL.fullmatch(digits) else 10)
        if not _NAME.fullmatch(part):
            return None
        if self._peek() == b"(":
            self._skip()
        self.operands.append((start, self.at))
        self.read.append(part)
        return self._valued(part) if self.at == start + 1 else None

    def _signed(self, sign: bytes, start: int) -> _Number:
        """What a sign, which is the part `start`, makes of what is behind it."""
        before = len(self.operands)
        self._depth += 1
        value = self._single() if self._depth < _DEEPEST else None
        self._depth -= 1
        if sign == b"!":
            holds = _truth(value)
            return None if holds is None else int(not holds)
        self.operands[before:] = [(start, self.at)]
        if isinstance(value, int):
            return {b"-": -value, b"+": value}.get(sign, ~value)
        return None if sign == b"~" else value

    def _skip(self) -> None:
        """Go behind the brackets of a macro with parameters."""
        depth = 0
        while self.at < len(self.parts):
            part = self._next()
            depth += (part == b"(") - (part == b")")
            self.read += [part] if _NAME.fullmatch(part) else []
            if depth == 0:
                return

    def _valued(self, name: bytes) -> _Number:
        """The number of a name, as far as it is known."""
        if name in self.numbers:
            return self.numbers[name]
        known = {b"true": True, b"false": False}.get(name, self._known(name))
        return None if known is None else _Set.SET if known and name != b"true" else int(known)

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


def _truth(value: _Number) -> bool | None:
    """Whether a number holds as a condition."""
    return None if value is None else value is _Set.SET or value != 0


def _calculated(sign: bytes, left: _Number, right: _Number) -> _Number:
    """What an operator other than a comparison makes of two numbers."""
    if sign in (b"&&", b"||"):
        ends = sign == b"||"  # the value of one side that decides
        values = _truth(left), _truth(right)
        return int(ends) if ends in values else None if None in values else int(not ends)
    if sign in (b"+", b"-") and isinstance(left, _Set) and right == 0:
        return left  # `MACRO + 0` is the idiom for a macro that may be empty
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    if sign in (b"/", b"%"):
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1) if right else None
        return quotient if quotient is None or sign == b"/" else left - quotient * right
    if sign in (b"<<", b">>"):
        result = None if not 0 <= right < _LARGEST.bit_length() else left << right if sign == b"<<" else left >> right
    else:
        result = _ARITHMETIC[sign](left, right)
    return result if result is not None and -_LARGEST <= result < _LARGEST else None
