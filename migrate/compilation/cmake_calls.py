"""Calls of a project's own CMake functions and macros -> what they give compilers, with the arguments of the call.

A function is known by its name in the whole tree, where one file defines it. Its body is read with its parameters,
`ARGN`, and what `cmake_parse_arguments`, `set` and `list(APPEND)` make of them; loops over known items are unrolled.
Nothing is run: of the commands only those count that give compilers options, and the conditions around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.compilation.cmake_values import DEFINE
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_GIVES = frozenset(
    (*DEFINE, "add_compile_options", "target_compile_options", "include_directories", "target_include_directories")
)
_CONDITIONS = ("if", "elseif", "else", "endif")
_NAMED = re.compile(r"\$\{(\w+)\}")
_WHOLE = re.compile(r"\$\{(\w+)\}")
_DEPTH, _MOST = 6, 5_000
"""Functions that call functions, and commands that the calls of one file make, that are followed."""
_LONGEST = 10_000
"""Characters of one argument, and of a value."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function or macro: its parameters and the commands of its body, each a name and its words."""

    parameters: tuple[str, ...]
    body: tuple[tuple[str, tuple[str, ...]], ...]


def functions(texts: Iterable[str]) -> dict[str, Function]:
    """The functions and macros of CMake files that give compilers something, by name; none that two files define."""
    found, twice = dict[str, Function](), set[str]()
    for text in texts:
        for name, one in _defined(cmake.read(text.encode())):
            if found.setdefault(name, one) != one:
                twice.add(name)
    return {name: one for name, one in found.items() if name not in twice}


def _defined(commands: Sequence[cmake.Command]) -> Iterator[tuple[str, Function]]:
    """The outermost functions of a file."""
    depth, head, body = 0, list[str](), list[tuple[str, tuple[str, ...]]]()
    for command in commands:
        if command.name in ("function", "macro"):
            depth += 1
            if depth == 1:
                head, body = command.words(), []
                continue
        depth -= command.name in ("endfunction", "endmacro") and depth > 0
        if depth:
            body.append((command.name, tuple(command.words())))
        elif head:
            yield head[0].lower(), Function(tuple(head[1:]), tuple(body))
            head = []


def with_calls(commands: Sequence[cmake.Command], known: Mapping[str, Function]) -> list[cmake.Command]:
    """The commands of a file, behind each call of a function what that gives compilers."""
    found, inside, left = list[cmake.Command](), 0, _MOST
    for command in commands:
        inside += command.name in ("function", "macro")
        found.append(command)
        if not inside and command.name in known:
            call = _Call(known, left)
            call.run(command.name, command.words(), 0)
            left = call.left
            found += cmake.read("\n".join(call.lines).encode()) if call.is_whole() else []
        inside -= command.name in ("endfunction", "endmacro") and inside > 0
    return found


@dataclass(slots=True)
class _Call:
    """What one call gives, as lines of CMake; `left` is how many commands may still be read."""

    known: Mapping[str, Function]
    left: int
    lines: list[str] = field(default_factory=list)
    _open: int = 0

    def is_whole(self) -> bool:
        """Whether each `if` that was written has its end."""
        return self._open == 0 and self.left > 0

    def run(self, name: str, words: Sequence[str], depth: int) -> None:
        """Read the body of a function with what it is given."""
        function = self.known[name]
        given = [part for word in words for part in _items(word)] if depth else list(words)
        values = dict(zip(function.parameters, given, strict=False))
        values["ARGN"] = ";".join(given[len(function.parameters) :])
        values["ARGV"] = ";".join(given)
        if len(given) >= len(function.parameters):
            self._body(function.body, values, depth)

    def _body(self, body: Sequence[tuple[str, tuple[str, ...]]], values: dict[str, str], depth: int) -> None:
        at = 0
        while at < len(body) and self.left > 0:
            name, raw = body[at]
            at, self.left = at + 1, self.left - 1
            words = [part for word in raw for part in _expanded(word, values)]
            if name == "foreach" and raw:
                end = _end(body, at)
                for item in _looped(raw, words, values):
                    values[raw[0]] = item
                    self._body(body[at:end], values, depth)
                at = end + 1
            elif name == "set" and raw:
                values[raw[0]] = _short(";".join(words[1:]))
            elif name == "list" and raw[:1] == ("APPEND",) and len(raw) > 1:
                values[raw[1]] = _short(";".join(filter(None, (values.get(raw[1], ""), *words[2:]))))
            elif name == "cmake_parse_arguments" and len(raw) > 4:
                values.update(_parsed(raw, values))
            elif name in self.known and depth < _DEPTH:
                self.run(name, words, depth + 1)
            else:
                self._say(name, words, values)

    def _say(self, name: str, words: Sequence[str], values: Mapping[str, str]) -> None:
        """Write a command that counts, with a condition on a parameter decided."""
        self._open += (name == "if") - (name == "endif")
        if name in ("if", "elseif"):
            bare = words[-1] if words and words[:-1] in ([], ["NOT"]) else ""
            if bare in values:
                truth = values[bare].upper() not in ("", "0", "OFF", "FALSE", "NO")
                self.lines.append("set(_KNOWN_AS_TRUE ON)")
                words = [*(() if truth is (words[0] != "NOT") else ("NOT",)), "_KNOWN_AS_TRUE"]
        if name in _CONDITIONS or name in _GIVES:
            self.lines.append(f"{name}({' '.join(f'[===[{word}]===]' for word in words)})")


def _parsed(raw: Sequence[str], values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What `cmake_parse_arguments` sets: an option, one value, or several, each with the prefix before its name."""
    head = [";".join(_expanded(word, values)) for word in raw[:4]]
    options, one, many = (frozenset(text.split(";")) - {""} for text in head[1:4])
    for name in options | one | many:
        yield f"{head[0]}_{name}", "FALSE" if name in options else ""
    held, current = dict[str, list[str]](), ""
    for word in (part for text in raw[4:] for part in _expanded(text, values)):
        if word in options:
            yield f"{head[0]}_{word}", "TRUE"
            current = ""
        elif word in one | many:
            current = word
        elif current:
            held.setdefault(current, []).append(word)
            current = "" if current in one else current
    for name, words in held.items():
        yield f"{head[0]}_{name}", ";".join(words)


def _looped(raw: Sequence[str], words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The items of a loop: those listed, or of the lists named; none of a range."""
    if raw[1:2] == ("IN",) and raw[2:3] == ("LISTS",):
        return [item for name in raw[3:] for item in _items(values.get(name, ""))]
    if raw[1:2] == ("RANGE",):
        return []
    return list(words[3 if list(words[1:3]) == ["IN", "ITEMS"] else 1 :])


def _end(body: Sequence[tuple[str, tuple[str, ...]]], at: int) -> int:
    """Where the loop ends whose body begins at a place."""
    depth = 1
    for number in range(at, len(body)):
        depth += (body[number][0] == "foreach") - (body[number][0] == "endforeach")
        if depth == 0:
            return number
    return len(body)


def _short(text: str) -> str:
    """A value, or nothing for one that grows too long: lists of lists can double without end."""
    return text if len(text) <= _LONGEST else ""


def _items(text: str) -> list[str]:
    return [item for item in text.split(";") if item]


def _expanded(word: str, values: Mapping[str, str]) -> list[str]:
    """A word with the variables that are known put in: of a variable alone, each item is a word."""
    whole = _WHOLE.fullmatch(word)
    if whole is not None and whole[1] in values:
        return _items(values[whole[1]])
    text = _NAMED.sub(lambda match: values.get(match[1], match[0]), word)
    return [text if len(text) <= _LONGEST else word]
