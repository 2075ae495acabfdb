"""CMake: what a project only shows of CUDA's compiler, its release and its name: those of HIP's do as well.

Elsewhere they decide something, by numbers and names that HIP's compiler does not have. And the variables of the
language that the text of an error or a warning asks a user to set: conditions read HIP's, so that what the text says
would not help.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.cmake import Command

_NAMES = frozenset(("CMAKE_CUDA_COMPILER_VERSION", "CMAKE_CUDA_COMPILER_ID"))
_REFERENCE = re.compile(r"\$\{([\w.+-]+)\}")
_RESULTS = {"REPLACE": 3, "REGEX MATCH": 3, "REGEX REPLACE": 4, "SUBSTRING": 4, "STRIP": 2, "TOLOWER": 2, "TOUPPER": 2}
"""Which argument of `string` is the variable that gets the result."""
_RUNNING = ("add_custom_command", "add_custom_target")
_ECHO = ("echo", "echo_append")
_SIGNS = (">", ">>", "|", "1>", "&&")
_OWN_WORD = re.compile(r"COMMAND|COMMENT|DEPENDS|VERBATIM|WORKING_DIRECTORY|BYPRODUCTS|SOURCES|ARGS|[A-Z]+_[A-Z_]+")
MESSAGE = "message"
"""What is before the name of a variable that the text of a message speaks of."""
_MODES = ("FATAL_ERROR", "SEND_ERROR", "WARNING", "AUTHOR_WARNING")
_VARIABLE = re.compile(r"(?:(?<![\w{])|(?<=-D))CMAKE_CUDA_(?:ARCHITECTURES|COMPILER|FLAGS|STANDARD)(?![\w-])")
"""Variables of the language that a user sets, as they are written in a text; `${...}` is read, and a use of its own."""


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The variables of the language in the texts of errors and warnings, as the rules name them."""
    for command in found:
        warns = command.name == "message" and bool(command.args) and command.args[0].text in _MODES
        for argument in (one for one in command.args if warns and one.quoted):
            for match in _VARIABLE.finditer(argument.text):
                start = argument.span.start + len(argument.text[: match.start()].encode())
                yield f"{MESSAGE} {match[0]}", Span(start, start + len(match[0])), command


def marked(uses: Sequence[Use], found: Sequence[Command]) -> list[Use]:
    """The uses, with `shown` before the names in commands that show them, or make a text that is only shown."""
    if not any(use.name in _NAMES for use in uses):
        return list(uses)
    read = {name for one in found if one.name != "message" for name in _read(one)}
    spans = [one.span for one in found if one.name == "message" or (_made(one) and _made(one) not in read)]
    spans += [span for one in found if one.name in _RUNNING for span in _echoed(one)]
    shown = [use for use in uses if use.name in _NAMES and any(at.start <= use.span.start < at.end for at in spans)]
    return [replace(use, name=f"shown {use.name}") if use in shown else use for use in uses]


def _echoed(command: Command) -> Iterator[Span]:
    """The arguments that `cmake -E echo` prints, up to the next word of the command's own: a file may take the rest."""
    words, printing = command.words(), False
    for at, argument in enumerate(command.args):
        if printing and not argument.quoted and (_OWN_WORD.fullmatch(argument.text) or argument.text in _SIGNS):
            printing = False
        if printing:
            yield argument.span
        printing = printing or (words[max(0, at - 1)] == "-E" and argument.text in _ECHO and not _is_kept(words[at:]))


def _is_kept(words: Sequence[str]) -> bool:
    """Whether what is printed goes to a file or another program, where it may decide something."""
    return any(one in _SIGNS for one in words)


def _made(command: Command) -> str:
    """The variable that a command sets to a text made of others; empty for any other command, or for another scope."""
    words = command.words()
    if command.name == "set" and len(words) == 2:
        return words[0]
    operation = " ".join(words[:2]) if words[:1] == ["REGEX"] else " ".join(words[:1])
    at = _RESULTS.get(operation, 0) if command.name == "string" else 0
    return words[at] if at and len(words) > at else ""


def _read(command: Command) -> set[str]:
    """The variables that a command reads, a condition by their bare names too."""
    words, made = command.words(), _made(command)
    bare = {word for word in words if word != made}
    return bare | {name for word in words for name in _REFERENCE.findall(word)}
