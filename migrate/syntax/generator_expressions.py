"""CMake's generator expressions as options are written in them: the parts that become options, and who gets them.

Result: stretches of bytes outside of any expression, or that one gives where its condition holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Command, expression_end

_KEEPS = (b"HOST_LINK", b"BUILD_INTERFACE", b"INSTALL_INTERFACE", b"BUILD_LOCAL_INTERFACE", b"LINK_ONLY", b"1", b"0")
"""Expressions that give their text as it is, whoever gets it."""
_VARIABLE = re.compile(rb"\$\{(\w+)\}")
_LANGUAGES = re.compile(rb"_LANGUAGE:([^<>]*)")
_UNSPLIT = b"SHELL:"
"""What CMake takes away from the begin of an option that it shall not split."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes that hold options; `nvcc` is True where nvcc alone gets them, False where another compiler may, and None
    where the expressions around say nothing; `inside` tells those that an expression gives."""

    span: Span
    nvcc: bool | None
    inside: bool


def stretches(data: bytes, command: Command) -> list[Stretch]:
    """Those of a command's arguments, in order."""
    found: list[Stretch] = []
    done = 0
    for argument in command.args:
        start = max(done, argument.span.start)
        if start >= argument.span.end:
            continue
        opening = data.find(b"$<", start, argument.span.end)
        while opening >= 0:  # an expression may go on over several arguments
            done = expression_end(data, opening, command.span.end)
            opening = data.find(b"$<", done, argument.span.end)
        found += _plain(data, start, max(done, argument.span.end), None, inside=False)
    return found


def _plain(data: bytes, start: int, end: int, nvcc: bool | None, inside: bool = True) -> Iterator[Stretch]:
    """The stretches of a text, and of the expressions in it."""
    at = start = _begun(data, start, end)
    while (opening := data.find(b"$<", at, end)) >= 0:
        if start < opening:
            yield Stretch(Span(start, opening), nvcc, inside)
        start = at = expression_end(data, opening, end)
        yield from _inside(data, opening, at, nvcc)
    if start < end:
        yield Stretch(Span(start, end), nvcc, inside)


def _inside(data: bytes, start: int, end: int, nvcc: bool | None) -> Iterator[Stretch]:
    """What an expression gives: `$<condition:text>`, `$<IF:condition,text,text>`, or an interface's text."""
    colon = _sign(data, start + 2, end - 1, b":")
    if colon < 0:
        return
    head = data[start + 2 : colon]
    if head.startswith(b"$<") or _VARIABLE.fullmatch(head):
        yield from _plain(data, colon + 1, end - 1, _who(_condition(data, head), nvcc))
    elif head == b"IF":
        first = _sign(data, colon + 1, end - 1, b",")
        second = _sign(data, first + 1, end - 1, b",") if first >= 0 else -1
        if second < 0:
            return
        given = _who(data[colon + 1 : first], nvcc)
        yield from _plain(data, first + 1, second, given)
        other = (False if given else nvcc) if b"LANG" in data[colon + 1 : first] else nvcc
        yield from _plain(data, second + 1, end - 1, other)
    elif head in _KEEPS:  # `DEVICE_LINK` is CUDA's step alone, and empty for all other languages
        yield from _plain(data, colon + 1, end - 1, nvcc)


def _condition(data: bytes, head: bytes) -> bytes:
    """A condition, or the one that the file puts into the variable that it is: `set(c "$<COMPILE_LANGUAGE:CUDA>")`."""
    variable = _VARIABLE.fullmatch(head)
    if variable is None:
        return head
    given = re.compile(rb"(?i)\bset\s*\(\s*%b\s+\"?(\$<[^\"\s]*>)\"?\s*\)" % re.escape(variable[1]))
    found = {match[1] for match in given.finditer(data)}
    return found.pop() if len(found) == 1 else head


def _who(condition: bytes, nvcc: bool | None) -> bool | None:
    """Whether nvcc alone gets what a condition lets through: it asks for the language, or says nothing of it."""
    if b"CUDA" in condition:
        others = any(b"," in found for found in _LANGUAGES.findall(condition))  # `COMPILE_LANGUAGE:CUDA,CXX`
        return b"NOT:" not in condition and not others
    return False if b"LANG" in condition else nvcc


def _begun(data: bytes, start: int, end: int) -> int:
    """Where a text begins without the blanks and the word that keeps it whole."""
    while start < end and data[start : start + 1].isspace():
        start += 1
    return start + len(_UNSPLIT) if data.startswith(_UNSPLIT, start, end) else start


def _sign(data: bytes, start: int, end: int, sign: bytes) -> int:
    """The first place of a sign that is in no expression inside; -1 where there is none."""
    at = start
    while at < end:
        if data.startswith(b"$<", at):
            at = expression_end(data, at, end)
        elif data[at : at + 1] == sign:
            return at
        else:
            at += 1
    return -1


def before(data: bytes, command: Command, offset: int) -> bytes:
    """What the outermost expression around an offset holds up to there, its conditions; empty where none is."""
    start = data.find(b"$<", command.span.start, offset)
    while start >= 0:
        end = expression_end(data, start, command.span.end)
        if offset < end:
            return data[start:offset]
        start = data.find(b"$<", end, offset)
    return b""


def given(data: bytes, command: Command, offset: int) -> Span | None:
    """The expression `$<$<...>:text>` with an offset in its condition; None where there is none."""
    start = data.find(b"$<$<", command.span.start, offset)
    while start >= 0:
        end = expression_end(data, start, command.span.end)
        middle = expression_end(data, start + 2, end)
        if offset < middle and data[middle : middle + 1] == b":":
            return Span(start, end)
        start = data.find(b"$<$<", start + 2, offset)
    return None


def text_of(data: bytes, expression: Span) -> Span:
    """What an expression that `given` tells gives, with the bracket that closes it."""
    return Span(expression_end(data, expression.start + 2, expression.end) + 1, expression.end)


def cut(command: Command | None, offset: int) -> Span | None:
    """The expression around an offset that a semicolon in it cuts in two: one without quotes among a folder's options.

    Options of a target are joined again before they are read.
    """
    if command is None or command.name not in ("add_compile_options", "add_link_options"):
        return None
    around = next((one for one in command.args if one.span.start <= offset < one.span.end), None)
    if around is None or around.quoted or not (around.text.startswith("$<") and around.text.endswith(">")):
        return None
    return around.span
