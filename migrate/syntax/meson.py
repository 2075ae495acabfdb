"""Meson files -> their calls, with the strings of the arguments as far as the files alone give them. Nothing is run.

Variables that are assigned strings, lists of strings or files are put in, and a `subdir` is read where it is, as Meson
does it; what anything else gives is `UNKNOWN` in the text. Source: Meson's manual, "Syntax" and
"Reference manual, Functions".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax.build_words import MOST, SOME, UNKNOWN, Value, Word

_TOKEN = re.compile(
    r"(?P<blank>#[^\n]*|\\\r?\n|[ \t\r]+)|f?'''(?P<long>.*?)'''|f?'(?P<text>(?:[^'\\\n]|\\.)*)'"
    r"|(?P<word>\w+)|(?P<sign>\+=|[=!<>]=|[()\[\]{}:,.+=?\n/]|.)",
    re.DOTALL,
)
_HELD = re.compile(r"@\w+@")
"""A part of a string that a variable or an argument gives: `@0@` of `format`, `@name@` of `f'...'`."""
_ESCAPED = re.compile(r"\\([\\'])")
_OPENS, _CLOSES = ("if", "foreach"), ("endif", "endforeach")
_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_JOINS = frozenset(("+", "/", "?", "==", "!=", "<", ">", "<=", ">=", "and", "or", "in"))
_PASSES = ("get_supported_arguments", "first_supported_argument")
"""Methods whose value is their arguments, as far as a compiler takes them."""
_DEEP = 60
"""So deep do brackets nest in what is followed."""


_NOTHING = Value(())


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, not of a method: its plain arguments, and those with a name.

    `folder` is the absolute one whose file calls, and `sure` is true outside of conditions and loops.
    """

    name: str
    words: tuple[Word, ...]
    named: Mapping[str, tuple[Word, ...]]
    folder: str
    sure: bool


def calls(text: str, folder: str, enter: Callable[[str], str]) -> list[Call]:
    """The calls of the file with `text` in the absolute `folder`, in their order, those within arguments first.

    `enter` gives the text of the Meson file of another absolute folder, empty for none. Raises RecursionError where
    brackets or folders nest deep.
    """
    found: list[Call] = []
    _Reader(text, folder, enter, found, {}).read()
    return found


class _Reader:
    """Reads a file from its beginning to its end, with the variables that hold where it is."""

    def __init__(
        self, text: str, folder: str, enter: Callable[[str], str], found: list[Call], values: dict[str, Value]
    ) -> None:
        self._tokens = list(_tokens(text))
        self._folder, self._enter, self._found, self._values = folder, enter, found, values
        self._at = self._deep = self._conditions = 0

    def read(self, deep: int = 0, conditions: int = 0) -> None:
        """Read all of it, so many folders and conditions deep."""
        self._deep, self._conditions = deep, conditions
        while self._at < len(self._tokens):
            self._statement()

    def _next(self, ahead: int = 0) -> tuple[str, str]:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ("end", "")

    def _is(self, sign: str) -> bool:
        return self._next() == ("sign", sign)

    def _statement(self) -> None:
        """A line: a condition, an assignment, or a call."""
        kind, text = self._next()
        sign = self._next(1)[1] if self._next(1)[0] == "sign" else ""
        if kind == "word" and text in (*_OPENS, *_CLOSES):
            self._conditions += 1 if text in _OPENS else -1
            self._at += 1
        elif kind == "word" and sign in ("=", "+="):
            self._at += 2
            given = self._expression()
            before = self._values.get(text, _NOTHING)
            if self._conditions > 0:
                given = given.unsure()
                before = before if sign == "+=" else before.unsure()
            other = sign == "=" and self._conditions > 0
            self._values[text] = before.both(given) if other else _sum(before, given) if sign == "+=" else given
        else:
            start = self._at
            self._expression()
            self._at += self._at == start

    def _expression(self) -> Value:
        """Operands with what joins them; those of other signs than `+` and `/` give what is not known."""
        value = self._operand()
        while True:
            sign = self._next()[1] if self._next()[0] in ("sign", "word") else ""
            if sign not in _JOINS:
                return value
            self._at += 1
            if sign in ("+", "/"):
                separated = _sum(value, Value((Word("/"),), False)) if sign == "/" and not value.listed else value
                value = _sum(separated, self._operand())
                continue
            value = self._expression() if sign == "?" else SOME
            if sign == "?":
                self._at += self._is(":")
                value = value.unsure().both(self._expression().unsure())
            else:
                self._operand()

    def _operand(self) -> Value:
        kind, text = self._next()
        self._at += kind in ("text", "word") or text in _CLOSED_BY
        value = SOME
        if kind == "text":
            value = Value((Word(text),), listed=False)
        elif kind == "word" and self._is("("):
            value = self._call(text)
        elif kind == "word" and text in ("true", "false"):
            value = Value((Word(text),), listed=False)
        elif kind == "word":
            value = self._operand() if text == "not" else self._values.get(text, SOME)
        elif text in _CLOSED_BY:
            words, pairs = self._arguments(_CLOSED_BY[text])
            joined = (Word(f"{key}={word.text}", word.sure) for key, given in pairs.items() for word in given)
            value = Value((*words, *joined), text != "(")
        while self._is(".") and self._next(1)[0] == "word":
            self._at += 2
            method = self._next(-1)[1]
            value = self._method(method, value) if self._is("(") else SOME
        return value

    def _call(self, name: str) -> Value:
        """What a call of a function gives."""
        self._at += 1
        words, named = self._arguments(")")
        self._found.append(Call(name, words, named, self._folder, self._conditions <= 0))
        if name == "files":
            return Value(tuple(Word(os.path.join(self._folder, word.text), word.sure) for word in words))
        if name == "subdir" and words and UNKNOWN not in words[0].text:
            if self._deep >= _DEEP:
                raise RecursionError
            inner = os.path.normpath(os.path.join(self._folder, words[0].text))
            reader = _Reader(self._enter(inner), inner, self._enter, self._found, self._values)
            reader.read(self._deep + 1, max(self._conditions, 0))
        return SOME

    def _method(self, name: str, of: Value) -> Value:
        """What a call of a value's method gives: the arguments that a compiler takes, or a string with parts put in."""
        self._at += 1
        words, _ = self._arguments(")")
        return of if name == "format" else Value(words) if name in _PASSES else SOME

    def _arguments(self, end: str) -> tuple[tuple[Word, ...], dict[str, tuple[Word, ...]]]:
        """The values up to the bracket `end`, plain ones and by their names."""
        words, named = list[Word](), dict[str, tuple[Word, ...]]()
        self._deep += 1
        if self._deep > _DEEP:
            raise RecursionError
        while self._next()[0] != "end" and self._next()[1] not in _CLOSED_BY.values():
            start = self._at
            key = self._next()
            value = self._expression()
            if self._is(":"):
                self._at += 1
                named[key[1]] = self._expression().words
            else:
                words += value.words
            self._at += self._is(",") or self._at == start
        self._at += self._is(end)
        self._deep -= 1
        return tuple(words[:MOST]), named


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """The tokens with their kinds: `text` of strings, `word` and `sign`; ends of lines within brackets are none."""
    depth = 0
    for match in _TOKEN.finditer(text):
        kind, written = match.lastgroup or "", match[0]
        if kind in ("text", "long"):
            raw = match[kind] if kind == "long" else _ESCAPED.sub(r"\1", match[kind])
            yield "text", _HELD.sub(UNKNOWN, raw)
        elif kind in ("word", "sign"):
            depth += (written in _CLOSED_BY) - (written in _CLOSED_BY.values())
            if written != "\n" or depth <= 0:
                yield kind, written


def _sum(one: Value, other: Value) -> Value:
    """Two strings joined, or a list with what is added to it: nothing but a string can be added to a string."""
    return one.both(other) if one.listed else one.joined(other)
