"""Values -> JSON text in pieces, each item of a list and each entry of an object of objects on a line of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from itertools import chain
from typing import Any, TypeAlias

from cudamigrate.errors import printable_json
from cudamigrate.lazy_re import re
from cudamigrate.model import JsonValue

_SURROGATE = re.compile("[\ud800-\udfff]")
_BETWEEN = ",\n    "
"""What is between two rows of a list of the report."""
_AT_ONCE = 128
"""Rows that are encoded together."""
_MOST = 4096
"""Texts of parts that are kept at most."""
_ENCODED = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
"""One encoder for all lines: `json.dumps` makes another each time. What is encoded here is made of trees."""


class Rows:
    """A list whose items are made one after the other, as they are written: a report can have very many.

    `whole` says that all items are objects without a number that has a fraction, which encoders spell in different
    ways, and without a list in which objects and texts are mixed.
    """

    def __init__(self, items: Sequence[Any], make: Callable[[Any], JsonValue], whole: bool = False) -> None:
        self.items, self.make, self.whole = items, make, whole

    def __iter__(self) -> Iterator[JsonValue]:
        return map(self.make, self.items)

    def __bool__(self) -> bool:
        return bool(self.items)


class Texts:
    """A list of one item at least whose items are text already: what `rows` makes, several items in each."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = texts


Value: TypeAlias = "JsonValue | Rows | Texts | Mapping[str, Value]"


def entries(document: Mapping[str, Value], before: str) -> Iterator[str]:
    """The entries of the object that a report is; `before` is what comes before the first."""
    for key, value in document.items():
        yield f"{before}  {_dump(key)}: "
        if isinstance(value, Texts):  # as they are: who gives them knows them again
            yield from _parted(value)
        else:
            yield from map(_readable, _lines(value))
        before = ",\n"


def rows(items: Rows) -> Iterator[str]:
    """The items of a list of the report, without the brackets around them."""
    before = ""
    for text in _encoded(items, _BETWEEN):
        yield before + _readable(text)
        before = _BETWEEN


def plain(value: Any) -> JsonValue:
    """A value of the report as JSON: the names of its fields are the names in JSON."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value  # whichever of the two it was, the bytes are the same
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    kind: Any = type(value)
    names = _names(kind)
    return {name: plain(getattr(value, name)) for name in names} if names is not None else value


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """The names of a dataclass's fields; None for any other class."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


def _parted(value: Texts) -> Iterator[str]:
    """A list of texts in pieces, each text in one of its own."""
    before = f"[{_BETWEEN[1:]}"
    for text in value.texts:
        yield before
        yield text
        before = _BETWEEN
    yield "\n  ]"


def _readable(text: str) -> str:
    """Bytes of a name that are not UTF-8 arrive as lone surrogates, which JSON readers refuse: spelled out."""
    return text if text.isascii() else _SURROGATE.sub(lambda match: rf"\\u{ord(match[0]):04x}", text)


def _lines(value: Value, indent: str = "  ") -> Iterator[str]:
    """`value` as JSON with each item of a list, and each entry of an object of objects, on its own line."""
    if isinstance(value, (list, Rows)) and value:
        items = _encoded(value, f",\n{indent}  ") if isinstance(value, Rows) else map(_dump, value)
        return _block("[", ([item] for item in items), "]", indent)
    if isinstance(value, Mapping) and any(isinstance(item, Mapping) for item in value.values()):
        deep = any(isinstance(_first(item), Mapping) for item in value.values())
        show = partial(_lines, indent=indent + "  ") if deep else _line
        return _block("{", (chain((f"{_dump(key)}: ",), show(item)) for key, item in value.items()), "}", indent)
    return _line([] if isinstance(value, Rows) else value)


def _line(value: Value) -> Iterator[str]:
    return iter((_dump(value),))


def _first(value: Value) -> JsonValue:
    """The first item of a list, None where it has none, and for what is no list."""
    return next(iter(value), None) if isinstance(value, (list, Rows)) else None


def _block(opening: str, lines: Iterable[Iterable[str]], closing: str, indent: str) -> Iterator[str]:
    before, after = f"{opening}\n{indent}  ", f",\n{indent}  "
    for line in lines:
        for text in line:
            yield before + text
            before = ""
        before = after
    yield f"\n{indent}{closing}"


def _dump(value: Value) -> str:
    return printable_json(_ENCODED(value))


def _encoded(items: Rows, between: str) -> Iterator[str]:
    """The items as text: one in each, or many with what is `between` them, which is a few times faster."""
    if not items.whole:
        texts = _TextsOfParts()
        yield from map(texts.of, items.items if items.make is plain else items)  # of `plain` it is the text itself
        return
    import msgspec  # other formats do without

    encode = msgspec.json.Encoder().encode
    for start in range(0, len(items.items), _AT_ONCE):
        part = [items.make(one) for one in items.items[start : start + _AT_ONCE]]
        # A text that is empty between each two tells where one ends: in no text are quotation marks without escapes.
        parted: list[JsonValue] = [value for one in part for value in ("", one)][1:]
        try:
            text = msgspec.json.format(encode(parted), indent=0).decode()[1:-1]
        except UnicodeEncodeError:  # halves of a pair, which stand for bytes of a name
            text = ""
        if text and text.isascii() and "\x7f" not in text:
            yield text.replace('}, "", {', f"}}{between}{{")
        else:
            yield from map(_dump, part)


class _TextsOfParts:
    """The JSON texts of values that have most of their parts in common: each part is encoded once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}
        self._texts: dict[str, str] = {}
        self._of_kinds: dict[type, Sequence[tuple[str, str]]] = {}

    def of(self, value: Any) -> str:
        """The text of one value, as `_dump` of what `plain` makes of it."""
        kind: Any = type(value)
        names = _names(kind)
        if names is None:
            return _dump(plain(value))
        part = self._part
        return f"{{{', '.join([head + part(getattr(value, name)) for name, head in self._heads(kind, names)])}}}"

    def _heads(self, kind: type, names: Sequence[str]) -> Sequence[tuple[str, str]]:
        """The names of a type's fields, each with what is before its value."""
        found = self._of_kinds.get(kind)
        if found is None:
            found = self._of_kinds[kind] = [(name, f"{self._text(name)}: ") for name in names]
        return found

    def _part(self, value: Any) -> str:
        kind = type(value)
        if kind is str:
            return self._text(value)
        if kind is int:
            return str(value)
        found = self._known.get(id(value))
        if found is not None:
            return found[1]
        text = _dump(plain(value))
        if len(self._known) < _MOST:
            self._known[id(value)] = (value, text)  # the value itself too: its number is another's once it is gone
        return text

    def _text(self, value: str) -> str:
        found = self._texts.get(value)
        if found is None:
            found = _dump(value)
            if len(self._texts) < _MOST:
                self._texts[value] = found
        return found
