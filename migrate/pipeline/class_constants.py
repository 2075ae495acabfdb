"""Constants of other files by the class that declares them: macros, constants and enumerators, with their numbers.

A method reads the constants of its class, then those of the classes that this one derives from, then those of no class.
A constant that two files give two numbers has none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping

from cudamigrate.cuda.conditions import number_with
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.words import among, begun
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Step
from cudamigrate.pipeline.read_again import lexed

_CLASS = re.compile(rb"\b(?:class|struct)\s+(?:\w+\s+)?(\w+)\s*(<[^<>{};]*>)?(?:\s+final)?\s*(?::([^;{}()]*))?\{")
"""The head of a class, perhaps with a qualifier before its name; then what it is specialized for, and its bases."""
_BASE = re.compile(rb"(?:public|protected|private|virtual|\s)*(?:\w+\s*::\s*)*(\w+)")
_GIVEN = re.compile(rb"\b(?:const|constexpr)\b([\w\s:]*)[={]([^;{}=]{1,80})\}?\s*;")
"""The type and name of a constant, and what it is given: `constexpr unsigned kWarp = 32;`."""
_MAY_BE_GIVEN = re.compile(rb"const(?:expr)?\b([\w\s:]{0,200})[={]")
"""What may be such a constant, in a comment too."""
_MAY_BE_DEFINED = re.compile(rb"(?:define|undef)(?:\s|\\\r?\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)+(\w+)")
"""What may be a macro's definition, in a comment too: `define LANES`. A comment in it ends at the first `*/`."""
_ENUM = re.compile(rb"\benum\b[^;{}()]*\{([^{}]*)\}")
_ENUMERATOR = re.compile(rb"(\w+)\s*=\s*([^,]{1,80})")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_NO_NUMBER = re.compile(rb"[.\[\"]|->")
"""What no constant is made of that is worked out here: members, elements and texts. What it names is not looked for."""
_METHOD = re.compile(rb"(\w+)\s*(?:<[^<>]*>\s*)?::\s*[~\w]+\s*\Z")
_LONGEST = 200
"""Bytes of a macro's text that may be a number: a longer one is code."""
_DEPTH = 6
"""Constants made of constants, and classes behind classes, that are followed."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant: the class that has it, empty for none, what it is given, and where; nothing for one that goes."""

    owner: bytes
    name: bytes
    value: bytes
    path: str
    start: int


class Classes:
    """The classes of a file: their bases by name, and which is the innermost around a place."""

    def __init__(self, tokens: Lexed) -> None:
        self.bases: dict[bytes, set[bytes]] = {}
        self._places, self._names = [0], [b""]
        around = list[tuple[int, bytes]]()
        for match in tokens.matches(_CLASS, b"class", b"struct"):
            name, end = match[1] + (match[2] or b""), tokens.closing(match.end() - 1)  # a specialization is no word
            listed = (_BASE.match(part) for part in (match[3] or b"").split(b","))
            self.bases.setdefault(name, set()).update(one[1] for one in listed if one is not None)
            self._leave(around, match.end())
            around.append((end if end > 0 else len(tokens.data), name))
            self._note(match.end(), name)
        self._leave(around, len(tokens.data) + 1)

    def _leave(self, around: list[tuple[int, bytes]], offset: int) -> None:
        """Note the ends of the classes that end before a place."""
        while around and around[-1][0] < offset:
            end, _ = around.pop()
            self._note(end, around[-1][1] if around else b"")

    def _note(self, place: int, name: bytes) -> None:
        self._places.append(place)
        self._names.append(name)

    def owner(self, offset: int) -> bytes:
        """The innermost class around a place; empty for none."""
        return self._names[bisect_right(self._places, offset) - 1]


def owner_of_method(head: bytes) -> bytes:
    """The class that the head of a function defined outside of it names: `int Scan::below(int a)`; empty for none."""
    match = _METHOD.search(head.partition(b"(")[0].rstrip())
    return match[1] if match is not None else b""


def constants(path: str, tokens: Lexed, classes: Classes) -> Iterator[Constant]:
    """The constants that a file with some classes defines, with what they are given."""
    for directive in tokens.directives:
        words = directive.argument(tokens.data).split(None, 1) if directive.name in ("define", "undef") else []
        if words and _NAME.fullmatch(words[0]):
            yield Constant(b"", words[0], words[1] if len(words) > 1 else b"", path, directive.start)
    for match in tokens.matches(_GIVEN, b"const", b"constexpr"):
        words = _NAME.findall(match[1])
        if words and tokens.directive_at(match.start()) is None:
            yield Constant(classes.owner(match.start()), words[-1], match[2].strip(), path, match.start())
    for body in tokens.matches(_ENUM, b"enum"):
        for match in _ENUMERATOR.finditer(tokens.data, *body.span(1)):
            owner = classes.owner(body.start())
            yield Constant(owner, match[1], match[2].strip(), path, match.start())


def may_define(data: bytes, names: frozenset[bytes]) -> bool:
    """Whether a text looks as if it defined one of some names: found much faster than what is code in it."""
    macros = begun(data, _MAY_BE_DEFINED, (b"define", b"undef"))
    if any(match[1] in names for match in macros):
        return True
    if any(names.intersection(_NAME.findall(match[1])[-1:]) for match in begun(data, _MAY_BE_GIVEN, (b"const",))):
        return True
    return b"enum" in data and bool(among(data, names))


@dataclass(slots=True)
class ClassConstants:
    """The constants that some files define, by class and name, and the bases of their classes."""

    found: dict[tuple[bytes, bytes], list[Constant]] = field(default_factory=dict)
    owners: dict[bytes, set[bytes]] = field(default_factory=dict)
    bases: dict[bytes, set[bytes]] = field(default_factory=dict)
    _numbers: dict[tuple[bytes, bytes, int], tuple[int, Constant] | None] = field(default_factory=dict)

    def read(self, sources: Iterable[SourceFile], names: frozenset[bytes]) -> frozenset[bytes]:
        """Add what files define of some names; the further names that their values are made of."""
        more = set[bytes]()
        self._numbers.clear()
        for source in sources:
            tokens = lexed(source)
            if names.isdisjoint(tokens.spellings):
                continue
            classes = Classes(tokens)
            for one in constants(source.path, tokens, classes):
                if one.name in names:
                    self.found.setdefault((one.owner, one.name), []).append(one)
                    self.owners.setdefault(one.name, set()).add(one.owner)
                    more.update(() if _NO_NUMBER.search(one.value) else _NAME.findall(one.value))
            for name, bases in classes.bases.items():
                self.bases.setdefault(name, set()).update(bases)
        return frozenset(more) - names

    def may_be_number(self, name: bytes) -> bool:
        """Whether code of any class reads a name as a number."""
        return any(self.number(owner, name) is not None for owner in (b"", *self.owners.get(name, ())))

    def number(self, owner: bytes, name: bytes, depth: int = _DEPTH) -> tuple[int, Constant] | None:
        """The number of a constant as code of a class reads it, and where it is defined; None where that is not one."""
        key = (owner, name, depth)
        if key not in self._numbers:
            self._numbers[key] = self._number(owner, name, depth)
        return self._numbers[key]

    def _number(self, owner: bytes, name: bytes, depth: int) -> tuple[int, Constant] | None:
        owners = self._around(owner, name) or self.owners.get(name, set())
        given = [one for around in sorted(owners) for one in self.found.get((around, name), ())]
        values = {self._value(one, depth) for one in given}
        value = next(iter(values), None)
        return None if value is None or len(values) != 1 else (value, given[0])

    def _around(self, owner: bytes, name: bytes) -> set[bytes]:
        """The class that gives a name its meaning in a class: itself, or the first of its bases that have it."""
        level, seen = {owner} if owner else set[bytes](), set[bytes]()
        while level:
            having = {one for one in level if (one, name) in self.found}
            if having:
                return having
            seen |= level
            level = {base for one in level for base in self.bases.get(one, ())} - seen
        return set()

    def _value(self, one: Constant, depth: int) -> int | None:
        known: Mapping[bytes, int] = {}
        if len(one.value) > _LONGEST:
            return None
        if depth > 0:
            names = dict.fromkeys(_NAME.findall(one.value))
            numbers = ((name, self.number(one.owner, name, depth - 1)) for name in names)
            known = {name: number[0] for name, number in numbers if number is not None}
        return number_with(one.value, known)


def step(source: SourceFile, one: Constant, number: int) -> Step:
    """The place of a constant in words."""
    return Step(one.path, source.position(one.start).line, f"`{one.name.decode('latin-1')}` is {number} here")
