"""JSON text -> typed objects: `msgspec` decodes and checks; here are its complaints in plain words, and two rules more.

An int in a report is a count, never negative, and no number is larger than a double can count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import msgspec

from cudamigrate.lazy_re import re

Kind = TypeVar("Kind")
Json = Any
_BYTE = re.compile(r"(?:JSON is malformed: )?(?P<said>.+?) \(byte (?P<byte>\d+)\)")
"""The complaint about malformed text, and its place: `JSON is malformed: invalid character (byte 12)`."""
_PLACE = re.compile(r"(?P<said>.+) - at `(?:key in )?\$(?P<place>.*)`", re.DOTALL)
"""A complaint, and the place of the value or key it is about: Expected `int`, got `str` - at `$.rules[0]`."""
_LARGEST = 1e15
"""Beyond it, a double no longer holds every whole number."""


class WrongError(Exception):
    """What does not fit, and where."""


def parse(text: str) -> Json:
    """JSON text as plain values. Raises WrongError."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise WrongError("it is nested too deeply") from None
    except msgspec.ValidationError:
        raise WrongError("it holds a number that is too large") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WrongError(_where(str(error), data)) from None


def _where(said: str, data: bytes) -> str:
    match = _BYTE.fullmatch(said)
    if match is None:
        return "it ends before it is complete" if "truncated" in said else f"it is not valid JSON: {said}"
    trailing = match["said"].startswith("trailing")  # msgspec's offset is one byte late
    before = data[: int(match["byte"]) - trailing]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"line {line}, column {column}: {match['said']}"


def decode(kind: type[Kind], value: Json) -> Kind:
    """Plain values as an instance of `kind`, a dataclass or `msgspec.Struct`. Raises WrongError."""
    try:
        found = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        match = _PLACE.fullmatch(str(error))
        said, place = (match["said"], match["place"].lstrip(".")) if match is not None else (str(error), "")
        raise WrongError(f"{place or 'the file'}: {said[:1].lower()}{said[1:]}") from None
    for place in _odd_numbers(found, ""):
        raise WrongError(f"{place}: not a number that a report can hold")
    return found


def _odd_numbers(value: object, where: str) -> Iterator[str]:
    """The places of negative counts and of numbers beyond reason."""
    if isinstance(value, (str, bool)) or value is None:
        return
    if isinstance(value, (int, float)):
        if abs(value) > _LARGEST or (isinstance(value, int) and value < 0):
            yield where
        return
    for name, inner in _parts(value):
        yield from _odd_numbers(inner, f"{where}{name}" if where else name.lstrip("."))


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, tuple):
        yield from ((f"[{at}]", inner) for at, inner in enumerate(value))
    elif isinstance(value, Mapping):
        yield from ((f".{key:.40}", inner) for key, inner in value.items())
    elif is_dataclass(value):
        yield from ((f".{field.name}", getattr(value, field.name)) for field in fields(value))
    elif isinstance(value, msgspec.Struct):
        yield from ((f".{name}", getattr(value, name)) for name in value.__struct_fields__)
