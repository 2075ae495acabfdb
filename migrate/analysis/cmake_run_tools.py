"""CMake: NVIDIA's profilers and checkers that a build or a test runs or looks for.

`add_test(COMMAND compute-sanitizer ...)` fails with ROCm, and a search for the tool finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.model import Span
from cudamigrate.syntax import started_programs
from cudamigrate.syntax.cmake import Command

NAMES = "|".join(sorted(started_programs.TOOLS))
"""A pattern of the names that the rules go by."""
_RUNS = ("add_test", "execute_process", "add_custom_command", "add_custom_target")


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
