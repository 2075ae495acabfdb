"""What is between the options of a list or text: commas, blanks, semicolons and comments, past which an edit goes."""

from __future__ import annotations

from collections.abc import Mapping

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile

_ASSIGNS = re.compile(rb"\A[ \t]*\w+[ \t]*[+:?]{0,3}=(-)")
"""What is before an option that a line assigns without a blank: `FLAGS+=-g`."""
_VALUE_ENDS = re.compile(rb"(?:\s|#[^\n]*\n)*(?:\)|CACHE\b|PARENT_SCOPE\b)")
"""What follows the last value of CMake's `set`."""
_COMMENTED = ("cmake", "make", "shell")
"""Languages in which a mark begins a comment behind options, up to the end of the line."""
_EXPRESSION = re.compile(r"\$<|>")
"""Where a generator expression begins and ends."""
_SETS = rb"[ \t]*[\w.-]+[ \t]*[:?+]?="
"""A variable that a line of a Makefile sets: `NVCCFLAGS +=`."""


def skip(data: bytes, at: int, listed: bool, language: str) -> int:
    """Past the separator after an option."""
    if listed:
        comma = re.compile(rb"\s*,[^\S\r\n]*(?:\r?\n[^\S\r\n]*(?![\s#\])}]))?").match(data, at)
        return comma.end() if comma else match(rb"\s*", data, at)
    return match(separator(language), data, at)


def back(data: bytes, at: int, listed: bool, language: str) -> int:
    """Before the separator in front of an option; a comment in front keeps its line end."""
    start = max(0, at - 200)
    if listed:
        comma = re.search(rb",\s*\Z", data[start:at])
        return start + comma.start() if comma else at
    blank = re.search(separator(language) + rb"\Z", data[start:at])
    if blank is None:
        return at
    line = data.rfind(b"\n", 0, start + blank.start()) + 1
    return at if b"#" in data[line : start + blank.start()] else start + blank.start()


def match(pattern: bytes, data: bytes, at: int) -> int:
    """Past what a pattern matches at a place; the place itself where it does not."""
    found = re.compile(pattern).match(data, at)
    return found.end() if found else at


def separator(language: str) -> bytes:
    """Blanks and what else is between options: an end of line only where it does not end the command."""
    return rb"(?:\\\r?\n|\\[ \t]|[ \t\r\n;])*" if language == "cmake" else rb"(?:\\\r?\n|[ \t])*"


def last_end(data: bytes, element: Span, gone: Mapping[int, int]) -> int:
    """Where an element at the end of its list ends: past the comma after it where nothing of the list is left."""
    comma = re.compile(rb"\s*,(?=\s*[\])}])").match(data, element.end)
    starts = {end: start for start, end in gone.items()}
    at = _without_blanks(data, element.start)
    while data.endswith(b",", 0, at) and at - 1 in starts:
        at = _without_blanks(data, starts[at - 1])
    return comma.end() if comma is not None and data.endswith((b"[", b"(", b"{"), 0, at) else element.end


def _without_blanks(data: bytes, end: int) -> int:
    """Where what is before `end` ends, blanks and line ends left out."""
    while data[end - 1 : end].isspace():
        end -= 1
    return end


def empties(data: bytes, start: int, end: int) -> bool:
    """Whether a `set` would be left without a value, which unsets its variable."""
    head = re.search(rb"\bset\s*\(\s*[\w${}]+\Z", data[max(0, start - 120) : start], re.IGNORECASE)
    return head is not None and _VALUE_ENDS.match(data, end) is not None


def commented_line(data: bytes, language: str, at: int, gone: Mapping[int, int]) -> Span | None:
    """The line of an option, if all its options go and a comment says what they were for; in a Makefile the values."""
    if language not in _COMMENTED:
        return None
    start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
    end = len(data) if end < 0 else end
    set_ = match(_SETS, data, start) if language == "make" else start
    first = ahead = match(rb"[ \t]*", data, set_)
    while ahead in gone:
        ahead = match(rb"[ \t]*", data, gone[ahead])
    if ahead == first or data[ahead : ahead + 1] != b"#":
        return None
    if language != "make":
        return Span(start, min(end + 1, len(data)))
    return Span(set_, end - data[start:end].endswith(b"\r")) if set_ > start else None


def beside(data: bytes, language: str, span: Span) -> set[str]:
    """The other words of the line that an option is in, as far as quotes reach: they need not be said twice."""
    start = max(data.rfind(mark, 0, span.start) for mark in (b"\n", b'"', b"'")) + 1
    ends = [at for mark in (b"\n", b'"', b"'") if (at := data.find(mark, span.end)) >= 0]
    if language == "make" and b"$" in data[start : span.start]:
        assigns = _ASSIGNS.match(data, start, span.start)
        start = assigns.start(1) if assigns is not None else start
        words = makefile.beside(data, start, min(ends, default=len(data)), span.start)
        return {word.text for word in words if word.span.start != span.start}
    before = _ASSIGNS.sub(rb" \1", data[start : span.start], count=1)
    behind = data[span.end : min(ends, default=len(data))]
    found = set((before + b" " + behind).decode("utf-8", "replace").split())
    if language == "cmake" and b"$<" in before:
        found |= _in_expression(before.decode("utf-8", "replace"), behind.decode("utf-8", "replace"))
    return found


def _in_expression(before: str, behind: str) -> set[str]:
    """The words of a generator expression that is open between two parts of a line: `$<$<CONFIG:Debug>:-O0 -g` and
    `-G>`."""
    opened: list[int] = []
    for mark in _EXPRESSION.finditer(before):
        if mark[0] == "$<":
            opened.append(mark.end())
        elif opened:
            opened.pop()
    if not opened:
        return set()
    depth, words = 0, before[opened[-1] :].rpartition(":")[2]
    for mark in _EXPRESSION.finditer(behind):
        depth += 1 if mark[0] == "$<" else -1
        if depth < 0:
            behind = behind[: mark.start()]
            break
    return {word for word in f"{words} {behind}".replace(";", " ").split() if "$<" not in word and ">" not in word}
