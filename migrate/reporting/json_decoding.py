"""Plain JSON -> dataclasses, checked on the way by the types of their fields.

Comes in: what `json.loads` gives, and a dataclass. Goes out: an instance, or WrongError with the first place that does
not fit. Types may be str, int, float, bool, None, Literal, unions with None, tuples, mappings and dataclasses; an int
is a count, never negative.
"""

from __future__ import annotations

import json
import math
import re
import types
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Kind = TypeVar("Kind")
Json = Any
_SURROGATE = re.compile("[\ud800-\udfff]")
_LARGEST = 1e15
"""Beyond it, a double no longer holds every whole number."""


class WrongError(Exception):
    """What does not fit, and where."""


def decode(kind: type[Kind], value: Json) -> Kind:
    """`value` as an instance of `kind`. A class with `closed = True` takes no further keys. Raises WrongError."""
    found: Kind = _object(kind, value, "")
    return found


def parse(text: str) -> Json:
    """JSON text as plain values. Raises WrongError."""
    try:
        return json.loads(text, parse_constant=_not_a_number)
    except json.JSONDecodeError as error:
        raise WrongError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise WrongError("it is nested too deeply, or holds numbers that JSON cannot hold") from None


def _not_a_number(text: str) -> float:
    raise ValueError(text)


def _decode(hint: Any, value: Json, where: str) -> Any:
    """`value` as the type `hint`. Raises WrongError with the place."""
    if isinstance(hint, type) and is_dataclass(hint):
        return _object(hint, value, where)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple:
        return _sequence(parts, value, where)
    if origin in (Union, types.UnionType):
        inner = type(None) if value is None else next(part for part in parts if part is not type(None))
        return _decode(inner, value, where)
    if origin is Literal:
        if not any(value == part and type(value) is type(part) for part in parts):
            raise WrongError(f"{where}: {value!r:.40} is none of {', '.join(map(str, parts))}")
        return value
    if origin is not None:
        mapping = _checked(dict, value, where, "an object")
        return {_spelled(key): _decode(parts[1], item, f"{where}.{key:.40}") for key, item in mapping.items()}
    return _scalar(hint, value, where)


def _scalar(hint: Any, value: Json, where: str) -> Any:
    if hint is str:
        return _spelled(_checked(str, value, where, "a string"))
    if hint is object:
        return value
    if hint is type(None):
        return _checked(type(None), value, where, "null")
    if hint is bool:
        return _checked(bool, value, where, "true or false")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise WrongError(f"{where}: {_shown(value)} is not a number")
    if abs(value) > _LARGEST or math.isnan(value):
        raise WrongError(f"{where}: {_shown(value)} is not a number that can be meant")
    if hint is int and (int(value) != value or value < 0):
        raise WrongError(f"{where}: {value} is not a count")
    return int(value) if hint is int else float(value)


def _object(kind: type, value: Json, where: str) -> Any:
    mapping = _checked(dict, value, where or "the file", "an object")
    known = {}
    for name, hint, needed in _fields(kind):
        place = f"{where}.{name}" if where else name
        if name in mapping:
            known[name] = _decode(hint, mapping[name], place)
        elif needed:
            raise WrongError(f"{place} is missing")
    more = set(mapping) - {name for name, _, _ in _fields(kind)}
    if more and getattr(kind, "closed", False):
        raise WrongError(f"{where}: {min(more)!r:.40} is not known")
    return kind(**known)


@cache
def _fields(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    hints = get_type_hints(kind)
    return tuple((f.name, hints[f.name], f.default is MISSING and f.default_factory is MISSING) for f in fields(kind))


def _sequence(parts: tuple[Any, ...], value: Json, where: str) -> Any:
    items = _checked(list, value, where, "a list")
    if parts[-1] is Ellipsis:
        return tuple(_decode(parts[0], item, f"{where}[{at}]") for at, item in enumerate(items))
    if len(items) != len(parts):
        raise WrongError(f"{where}: {len(items)} items, and {len(parts)} are needed")
    return tuple(_decode(part, items[at], f"{where}[{at}]") for at, part in enumerate(parts))


def _checked(kind: type, value: Json, where: str, said: str) -> Any:
    if not isinstance(value, kind):
        raise WrongError(f"{where}: {_shown(value)} is not {said}")
    return value


def _shown(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _spelled(text: str) -> str:
    """Halves of surrogate pairs, which no writer of reports leaves in, as escapes: UTF-8 cannot hold them."""
    return _SURROGATE.sub(lambda match: rf"\u{ord(match[0]):04x}", text) if not text.isascii() else text
