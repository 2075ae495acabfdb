"""CMake: NVIDIA's profilers and checkers that a build or a test runs or looks for.

`add_test(COMMAND compute-sanitizer ...)` fails with ROCm, and a search for the tool finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import started_programs
from cudamigrate.syntax.cmake import Argument, Command

NAMES = "|".join(sorted(started_programs.TOOLS))
"""A pattern of the names that the rules go by."""
_RUNS = ("add_test", "execute_process", "add_custom_command", "add_custom_target")

_SHELL = re.compile(r"(?:.*/)?(?:ba|da|k|z)?sh")
_HANDS = re.compile(r"-[a-z]*c")
"""The option of a shell behind which its script is: `-c`, `-ec`."""
_COMMANDS, _WORDS = re.compile(r"[^;&|\n]+"), re.compile(r"\S+")


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """Each such tool that a command runs, by its name, and the first that `find_program` looks for."""
    for command in found:
        if command.name == "find_program":
            names = (one for one in command.args[1:] if one.text in started_programs.TOOLS)
            yield from ((one.text, one.span, command) for one in list(names)[:1])
        elif command.name in _RUNS:
            yield from ((name, span, command) for name, span in _run(command))


def _run(command: Command) -> Iterator[tuple[str, Span]]:
    words = command.words()
    starts = [at + 1 for at, word in enumerate(words) if word == "COMMAND"]
    for start, end in zip(starts, [*starts[1:], len(words)], strict=False):
        given = command.args[start:end]
        found = started_programs.tool([one.text for one in given], [one.span for one in given])
        yield from [found] if found is not None else []
        for before, argument in pairwise(given) if any(map(_SHELL.fullmatch, words[start:end])) else ():
            if _HANDS.fullmatch(before.text) and "\\" not in argument.text:
                yield from _in_shell(argument)


def _in_shell(script: Argument) -> Iterator[tuple[str, Span]]:
    """The tools that the commands of a shell's script run: `sh -c "nsys profile ./app && echo done"`."""
    for command in _COMMANDS.finditer(script.text):
        words = list(_WORDS.finditer(script.text, *command.span()))
        starts = [script.span.start + len(script.text[: word.start()].encode()) for word in words]
        spans = [Span(start, start + len(word[0].encode())) for start, word in zip(starts, words, strict=True)]
        found = started_programs.tool([word[0] for word in words], spans) if words else None
        yield from [found] if found is not None else []
