"""CMake: files whose text a build puts into a program as bytes, and the functions that read or write text for it.

A list of bytes is made by `file(READ x.cu content HEX)`, or by a tool such as `xxd`. What a project's own function does
with a file that it is given, shows in its body; a file may go through several before it becomes such a list. No target
compiles what is a text only. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.analysis.cmake_endings import Scope
from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Command

Placed = Mapping[str, Sequence[tuple[Command, Scope]]]
"""The commands of files, each with the function or macro that it is in."""
_WRITES = ("WRITE", "APPEND", "CONFIGURE")
_TOOLS = re.compile(r"(?:.*/)?(?:xxd|bin2c|bin2h)(?:\.exe)?")
"""Programs that make a list of bytes of a file."""
_RUNS = ("add_custom_command", "add_custom_target", "execute_process")
_MAKES = re.compile(r"(?:cuda_)?(?:add_(?:library|executable)|compile\w*)|target_sources")
"""Commands that compile what they are given."""
_PARAMETER = re.compile(r"\$\{(\w+)\}")


class TextFunction(NamedTuple):
    """A function that reads files as text and compiles nothing: the numbers of its arguments for each.

    `listed` are read as bytes in hexadecimal, `read` in any way, and `written` are files that it writes.
    """

    read: frozenset[int]
    listed: frozenset[int]
    written: frozenset[int]


def functions(commands: Placed) -> dict[str, TextFunction]:
    """The functions of a project that only read and write text of files which they are given, by their names."""
    bodies = dict[Scope, list[Command]]()
    for many in commands.values():
        for command, scope in many:
            if scope.function:
                bodies.setdefault(scope, []).append(command)
    own = {scope.function for scope in bodies}
    found = ((scope.function, _function(scope, body)) for scope, body in bodies.items() if _compiles_none(body, own))
    return {name: made for name, made in found if made.read}


def _compiles_none(body: Sequence[Command], own: set[str]) -> bool:
    """Whether the commands of a function make no target, as far as they show; it may leave that to another one."""
    return not any(_MAKES.fullmatch(one.name) or one.name in own for one in body)


def _function(scope: Scope, body: Sequence[Command]) -> TextFunction:
    read, listed, written = set[int](), set[int](), set[int]()
    for words in (one.words() for one in body if one.name == "file" and len(one.args) > 1):
        match = _PARAMETER.fullmatch(words[1])
        at = scope.params.index(match[1]) if match is not None and match[1] in scope.params else -1
        if at < 0:
            continue
        if words[0] == "READ":
            read.add(at)
            listed.update((at,) if "HEX" in words else ())
        elif words[0] in _WRITES:
            written.add(at)
    return TextFunction(frozenset(read), frozenset(listed), frozenset(written))


def embedded(commands: Placed) -> Iterator[tuple[str, str]]:
    """The files that become lists of bytes, as CMake files name them, each with the file that does."""
    known = functions(commands)
    listed, made_of = set[str](), dict[str, set[str]]()
    given = list[tuple[str, str]]()
    for path, command in ((path, one) for path, many in commands.items() for one, _ in many):
        words = command.words()
        inputs, outputs, is_listed = _texts(command.name, words, known)
        listed.update(inputs if is_listed else ())
        for output in outputs:
            made_of.setdefault(output, set()).update(inputs)
        given += [(path, one) for one in inputs]
    waiting = [*listed]
    while waiting:
        new = made_of.get(waiting.pop(), set()) - listed
        listed |= new
        waiting += new
    yield from dict.fromkeys((path, word) for path, word in given if word in listed)


def _texts(name: str, words: Sequence[str], known: Mapping[str, TextFunction]) -> tuple[list[str], list[str], bool]:
    """The files whose text a command reads, those that it writes of it, and whether it makes a list of bytes."""
    if name in known:
        one = known[name]
        read, written = ([words[at] for at in sorted(each) if at < len(words)] for each in (one.read, one.written))
        return read, written, bool(one.listed)
    if name == "configure_file" and len(words) > 1:
        return [words[0]], [words[1]], False
    if name == "file" and words[:1] == ["READ"] and "HEX" in words:
        return [words[1]], [], True
    is_tool = name in _RUNS and any(map(_TOOLS.fullmatch, words))
    return [word for word in words if is_tool and word.endswith(".cu")], [], is_tool
