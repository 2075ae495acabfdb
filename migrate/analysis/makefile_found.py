"""Folders of the CUDA toolkit that Makefiles work out from where nvcc is found, in one text or over variables.

`BIN := $(dir $(NVCC))` with `NVCC := $(shell which nvcc)` is the folder beside nvcc, `$(BIN)..` the toolkit's. A
variable is followed where all that sets it has one value. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import found_folders
from cudamigrate.syntax.makefile import Line

_PROGRAM = "nvcc"
_REFERENCE = re.compile(r"\$[({]([\w.-]+)(?::([^\s%=(){}]*)=([^\s%=(){}]*))?[)}]")
"""A variable that make puts in, also with another ending for its words: `$(NVCC:/bin/nvcc=)`."""
_ALONE = re.compile(r"\$[({][\w.-]+[)}]/?")
_ASKS = re.compile(rb"\b(?:which|command\s+-v|type\s+-[pP])\s+nvcc\b")
"""What asks where the program is."""
_NAMES = re.compile(rb"\$[({]([\w.-]+)[):}]")
_LONGEST = 400
_PAIRS = {"(": ")", "{": "}"}


def root_value(variables: Variables, file: Makefile, line: Line) -> bool:
    """Whether a line sets a variable to the toolkit's folder, worked out from where nvcc is found.

    What only takes the value of another variable is none.
    """
    value = file.text(line.value).decode("utf-8", "replace").strip() if line.kind == "assignment" else ""
    return _is_root(variables, value) and _ALONE.fullmatch(value) is None


def is_root(variables: Variables, name: str) -> bool:
    """Whether a variable is the toolkit's folder, worked out from where nvcc is found."""
    return found_folders.folder(_text(variables, name), _PROGRAM) == found_folders.ROOT


def roots(variables: Variables, file: Makefile, line: Line) -> Iterator[Span]:
    """Where a line works the folder out: in its whole value, or in a word, `$(BIN)/..` in `-L$(BIN)/../lib64`.

    A variable alone is none.
    """
    data = file.data
    if root_value(variables, file, line):
        at = data.index(value := file.text(line.value).strip(), line.value.start)
        yield Span(at, at + len(value))
        return
    if not _may_hold(variables, data, line.span.start, line.span.end):
        return
    for start, end in _words(data, line.value.start, line.value.end):
        word = data[start:end].decode("latin-1")  # one letter for each byte, so that places stay
        if len(word) > _LONGEST or not _may_hold(variables, data, start, end):
            continue
        place = found_folders.place(word, partial(_is_root, variables))
        if place is not None and _ALONE.fullmatch(word[place[0] : place[1]]) is None:
            yield Span(start + place[0], start + place[1])


def _may_hold(variables: Variables, data: bytes, start: int, end: int) -> bool:
    """Whether a text asks for the program, or names a variable that says where it is."""
    if _ASKS.search(data, start, end) is not None:
        return True
    return any(_text(variables, match[1].decode()) for match in _NAMES.finditer(data, start, end))


def _is_root(variables: Variables, text: str) -> bool:
    return found_folders.folder(_filled_in(variables, text), _PROGRAM) == found_folders.ROOT


def _filled_in(variables: Variables, text: str) -> str:
    """A text with the variables in it that say where nvcc is found."""

    def given(match: re.Match[str]) -> str:
        held = _text(variables, match[1])
        if not held or match[2] is None:
            return held or match[0]
        return f"$(patsubst %{match[2]},%{match[3]},{held})"

    return _REFERENCE.sub(given, text)


def _text(variables: Variables, name: str) -> str:
    """What a variable holds that works out a folder from nvcc's, or is nvcc or where that is found; else empty."""
    if name not in variables.found:
        variables.found[name] = ""  # a variable that refers to itself
        held = {file.text(line.value).strip() for file, line in variables.assigned.get(name, ())}
        text = held.pop().decode("utf-8", "replace") if len(held) == 1 else ""
        text = _filled_in(variables, text) if 0 < len(text) <= _LONGEST else ""
        variables.found[name] = text if text == _PROGRAM or found_folders.folder(text, _PROGRAM) else ""
    return variables.found[name]


def _words(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The words of a line; what brackets hold together, and backticks, is one."""
    begin, open_, ticks = start, list[str](), False
    for at in range(start, end):
        letter = chr(data[at])
        if letter == "`":
            ticks = not ticks
        elif letter in _PAIRS and data[at - 1 : at] == b"$":
            open_.append(_PAIRS[letter])
        elif open_ and letter == open_[-1]:
            open_.pop()
        elif letter in " \t\n;|&" and not open_ and not ticks:
            if begin < at:
                yield begin, at
            begin = at + 1
    if begin < end:
        yield begin, end
