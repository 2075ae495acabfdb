"""Operators that a project defines for one of CUDA's vectors and a number, and whether they do what HIP's own do."""

from __future__ import annotations

from typing import NamedTuple

from cudamigrate.analysis import declared_types
from cudamigrate.analysis.arithmetic_types import parted
from cudamigrate.analysis.vector_types import vector_named
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_PARTS = (b"x", b"y", b"z", b"w")
_NUMBERS = frozenset(b"float double int unsigned long bool".split())
_PARAMETER = rb"\s*(?:const\s+)?(?P<%b>\w+)\b(?:\s+const)?\s*&?\s*(?P<%b>\w+)\s*"
MIXED = re.compile(
    rb"\boperator\s*(?P<sign>[-+*/])\s*\(%b,%b\)" % (_PARAMETER % (b"left", b"a"), _PARAMETER % (b"right", b"b"))
)
"""The head of an operator of two values, by value or reference: `operator/(float a, const float2 &b)`."""
HEAD = re.compile(
    rb"(?<!::)\boperator\s*(?P<sign>(?:[-+*/%%&|^]|<<|>>)=?)\s*\(%b,%b\)"
    % (_PARAMETER % (b"left", b"a"), _PARAMETER % (b"right", b"b"))
)
"""The same of any sign that HIP's vectors have, assigning ones too: `operator*=(C& a, const C& b)`."""
_TEMPLATE = re.compile(rb"\btemplate\s*<(?P<parameters>[^;{}]*)>\s*\Z")
_LONGEST = 400
"""Bytes before a function in which its `template <...>` is looked for."""
_TYPE = re.compile(rb"\b(?:typename|class)\s+(\w+)")
_PIECES = re.compile(rb"[;,{}?]")
_GIVES = re.compile(rb"(?<![=!<>]) (?:[-+*/]?=) ")
_RETURNED = re.compile(rb"\breturn\b(?P<value>[^;]*);\s*\}\s*\Z")
_GIVEN = re.compile(rb"\s*(?:(?:make_)?\w+\s*)?(?:\((?P<round>.*)\)|\{(?P<curly>.*)\})\s*", re.DOTALL)
"""What makes a vector: `make_float2(a, b)`, `float2{a, b}`."""
_GIVEN_TO = re.compile(rb"\b(?P<name>\w+)\s*[-+*/]?=(?!=)(?P<value>.*)", re.DOTALL)
_OF_COMPLEX = re.compile(rb"\s*cuC(?:div|mul|add|sub)f?\s*\(")
"""CUDA's own arithmetic of complex numbers."""


class OfNumber(NamedTuple):
    """An operator of a vector and a number: its sign, the vector's type, whether the number is first, and its type.

    `differs` where the body is seen to do something else than to apply the sign to each component.
    """

    sign: bytes
    vector: bytes
    first: bool
    number: str
    differs: bool
    span: Span


def of_numbers(parsed: ParsedFile) -> list[OfNumber]:
    """Those that a file defines; what only HIP or only CUDA compiles is left out."""
    return [one for function in parsed.functions if (one := _of_number(parsed, function)) is not None]


def of_any_type(parsed: ParsedFile, function: Function, head: re.Match[bytes]) -> bool:
    """Whether the operands are of types that the template of a function leaves open."""
    start = function.span.start
    before = _TEMPLATE.search(parsed.data, max(0, start - _LONGEST), start)
    return before is not None and {head["left"], head["right"]} <= set(_TYPE.findall(before["parameters"]))


def mixes(parsed: ParsedFile, function: Function, head: re.Match[bytes]) -> bool:
    """Whether an expression has different components of the two operands: `a.x * b.x - a.y * b.y`."""
    part = re.compile(rb"(?<![\w.])(%b|%b) \. ([xyzw])\b" % (re.escape(head["a"]), re.escape(head["b"])))
    body = b" ".join(map(parsed.lexed.text, parsed.lexed.tokens(function.body.start, function.body.end)))
    for piece in _PIECES.split(body):
        found = part.findall(_GIVES.split(piece)[-1])
        if len({one for _, one in found}) > 1 and len({name for name, _ in found}) > 1:
            return True
    return False


def _of_number(parsed: ParsedFile, function: Function) -> OfNumber | None:
    head = MIXED.search(parsed.data, function.span.start, function.body.start)
    if head is None or head["left"] == head["right"] or parsed.hip(function.span.start) is not None:
        return None
    left, right = (declared_types.named_type(parsed, head[side]) for side in ("left", "right"))
    first = left in _NUMBERS
    number, vector = (left, vector_named(right)) if first else (right, vector_named(left))
    if number not in _NUMBERS or not vector:
        return None
    differs = _differs(parsed.lexed, function, vector, head["b"] if first else head["a"])
    return OfNumber(head["sign"], vector, first, number.decode(), differs, function.span)


def _differs(lexed: Lexed, function: Function, vector: bytes, name: bytes) -> bool:
    """Whether an operator gives its components by another expression each, or as complex numbers have it."""
    body = lexed.data[function.body.start : function.body.end]
    plain = re.sub(rb"//[^\n]*|/\*.*?\*/", b"", body, flags=re.DOTALL)
    returned = _RETURNED.search(plain)
    if returned is None:
        return False
    if _OF_COMPLEX.match(returned["value"]) is not None:
        return True
    made = _GIVEN.fullmatch(returned["value"])
    given = parted((made["round"] or made["curly"] or b"") if made is not None else b"")
    parts = _PARTS[: int(vector[-1:])]
    if len(given) != len(parts) or len(parts) < 2:
        return False
    bare = [b"".join(one.split()) for one in given]
    own = [re.sub(rb"\b%b\.%b\b" % (re.escape(name), part), b"?", one) for one, part in zip(bare, parts, strict=True)]
    if any(name + b"." not in one for one in bare):
        return False
    return len(set(own)) > 1 or _mixes(plain[: returned.start()], own[0], name)


def _mixes(before: bytes, given: bytes, name: bytes) -> bool:
    """Whether a component is made with a variable that components went into: `d = b.x * b.x + b.y * b.y`."""
    made = {name}
    for statement in re.split(rb"[;,]", before):
        given_to = _GIVEN_TO.search(statement)
        if given_to is not None and not made.isdisjoint(re.findall(rb"\w+", given_to["value"])):
            made.add(given_to["name"])
    return not (made - {name}).isdisjoint(re.findall(rb"\w+", given))
