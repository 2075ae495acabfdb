"""CMake: where the list of NVIDIA's architectures is a number to the code: in a macro, a comparison or a longer name.

There `80` is what something else counts with, and a name such as `gfx90a` is none that it knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Argument, Command

LIST = "CMAKE_CUDA_ARCHITECTURES"
_DEFINES = ("add_definitions", "add_compile_definitions", "target_compile_definitions")
_PROPERTY = "COMPILE_DEFINITIONS"
_SPEAKS = ("message", "include", "find_package", "function", "macro")
_CONDITIONS = ("if", "elseif", "while")
_COMPARED = re.compile(r"(?:VERSION_)?(?:LESS|GREATER|EQUAL)(?:_EQUAL)?|MATCHES|IN_LIST")
_COUNTS = re.compile(r"(?:VERSION_)?(?:LESS|GREATER|EQUAL)(?:_EQUAL)?")
"""Comparisons of numbers; others look for a text, and for one that has a digit."""
_USED = re.compile(r"\$\{(\w+)\}")


def numbers(found: Sequence[Command]) -> frozenset[Span]:
    """Where the list is used as a number, itself or through a variable that gets it."""
    counted = {name for one in found for argument in one.args for name in _counted(one, argument)}
    spans = set[Span]()
    for command in found:
        for argument in command.args:
            if LIST in _counted(command, argument) or (
                _hands_on(command, argument) and command.args[0].text in counted
            ):
                spans.update(_places(argument))
    return frozenset(spans)


def _hands_on(command: Command, argument: Argument) -> bool:
    """Whether a command sets a variable to the list."""
    return command.name == "set" and argument.text == f"${{{LIST}}}"


def _places(argument: Argument) -> Iterator[Span]:
    for match in re.finditer(LIST, argument.text):
        start = argument.span.start + len(argument.text[: match.start()].encode())
        yield Span(start, start + len(LIST))


def _counted(command: Command, argument: Argument) -> set[str]:
    """The variables that are numbers, or parts of names, in one argument."""
    text, words = argument.text, command.words()
    if command.name in _CONDITIONS:
        return _compared(words, text)
    if "$" not in text or command.name in _SPEAKS:
        return set()
    if command.name in _DEFINES or _PROPERTY in words:
        return set(_USED.findall(text)) if "=" in text else set()
    if text.startswith("-"):
        return set(re.findall(rf"-D(?!{LIST}[:=])\w+=[^\s;]*\$\{{(\w+)\}}", text))
    return set(re.findall(r"\w\$\{(\w+)\}", text)) | set(re.findall(r"\$\{(\w+)\}\w", text))


def _compared(words: Sequence[str], text: str) -> set[str]:
    """The variable that a condition compares with a number."""
    found = set()
    for left, sign, right in zip(words, words[1:], words[2:], strict=False):
        if _COMPARED.fullmatch(sign) and text in (left, right):
            other = right if text == left else left
            name = _USED.fullmatch(text)
            if _COUNTS.fullmatch(sign) or re.search(r"\d", other):
                found.add(name[1] if name else text)
    return found
