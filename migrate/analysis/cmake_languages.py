"""CMake: the languages of a project where a variable holds them, `set(languages CXX CUDA)`, and what asks for one.

`project` and `enable_language` take a language by its name. A file whose variable gets the name by choice tells the
language where it fills that variable, and conditions on the list ask for it by the same name. So do those on the
languages that CMake says are enabled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from cudamigrate.analysis import cmake_enabled
from cudamigrate.analysis.cmake_enabled import Asked
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

_LISTED = "project(CUDA)"
"""The name of the use that stands for the language in such a place: the same as where `project` names it."""
_COMPILED = ("CUDA_SOURCE_PROPERTY_FORMAT", "OBJ")
"""The property of a source, and its value, by which FindCUDA's commands have nvcc compile it."""
_WORD = re.compile(r"(?:(?<=;)|\A)CUDA(?=;|\Z)")
_ASKING = ("if", "elseif", "while")
_TESTS = ("IN_LIST", "STREQUAL", "MATCHES")


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The languages that a file names in its variables, and gives to sources for FindCUDA, as the rules name them."""
    yield from ((_LISTED, *place) for place in _listed(found))
    for command in found if any(one.name in cmake.PROPERTIES for one in found) else ():
        for one, value in pairwise(command.args) if command.name in cmake.PROPERTIES else ():
            if (one.text, value.text) == _COMPILED:
                yield " ".join(_COMPILED), Span(one.outer.start, value.outer.end), command


def enabled(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The languages that a file looks for among those that are enabled, as the rules name them."""
    return ((_LISTED, one.span, one.command) for one in _others(found) if one.enabled)


def unseen(found: Sequence[Command]) -> Iterator[Asked]:
    """The languages that a condition looks for in a list of which the file does not say what it holds."""
    return (one for one in _others(found) if one.unseen)


def _others(found: Sequence[Command]) -> Iterator[Asked]:
    """The words that are compared with another list than those from which commands take languages."""
    asked = cmake_enabled.asked(found)
    listed = {span for span, _ in _listed(found)} if asked else set[Span]()
    return (one for one in asked if one.span not in listed)


def _listed(found: Sequence[Command]) -> Iterator[tuple[Span, Command]]:
    """Where the language is named in what fills such a variable, or in what looks for it in one; with the command."""
    lists = cmake.language_lists(found)
    for command in found if lists else ():
        words = command.words()
        filled = bool(lists.intersection(cmake.filled_by(command)))
        changed = command.name == "list" and bool(lists.intersection(words[1:2]))
        asks = command.name in _ASKING and not lists.isdisjoint(word.strip("${}") for word in words)
        for number, argument in enumerate(command.args):
            if (number and (filled or changed)) or (asks and _is_tested(words, number)):
                for match in _WORD.finditer(argument.text):
                    start = argument.span.start + len(argument.text[: match.start()].encode())
                    yield Span(start, start + len(match[0])), command


def _is_tested(words: Sequence[str], number: int) -> bool:
    """Whether an argument of a condition is compared with a list, or looked for in one."""
    around = (*words[max(number - 1, 0) : number], *words[number + 1 : number + 2])
    return any(word in _TESTS for word in around)
