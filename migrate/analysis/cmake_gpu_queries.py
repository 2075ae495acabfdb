"""CMake: NVIDIA's management tool, looked for or run to learn of the GPUs of the machine.

On a machine with ROCm the search finds nothing and the call fails: a build that decides by it takes the way of a
machine without a GPU, or stops. CMake says nothing where only the result is asked, so that the change goes unseen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Argument, Command

USE = "GPU by asking"
_RUNS = ("execute_process", "add_custom_command", "add_custom_target", "exec_program")
_ASKS = re.compile(r"(?:.*/)?(nvidia-smi)(?:\.exe)?")
"""The tool as a whole word of a command, with its folder or without."""
_IN_SHELL = re.compile(r"(?<![\w.$-])(nvidia-smi)(?![\w.-])")
_OF_AMD = re.compile(r"(?<![\w.-])(?:rocm-smi|amd-smi|rocminfo|rocm_agent_enumerator|amdgpu-arch)(?![\w.-])")
"""What shows AMD's GPUs: a file that asks it has an answer there already."""
_SAYS = frozenset(("echo", "printf"))


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The first place in each command that looks for the tool or runs it; none where AMD's tools are asked as well."""
    asking = [one for one in found if one.name in (*_RUNS, "find_program")]
    places = [(place, one) for one in asking if (place := _place(one)) is not None]
    if not places or any(_OF_AMD.search(text) for one in asking for text in one.words()):
        return
    yield from ((USE, place, one) for place, one in places)


def _place(command: Command) -> Span | None:
    for number, argument in enumerate(command.args):
        if (match := _named(command, number)) is not None:
            return _span(argument, match)
    return None


def _named(command: Command, number: int) -> re.Match[str] | None:
    """The tool in an argument that is a program: a whole word of a command, or a word of a shell's script."""
    text, before = command.args[number].text, command.args[number - 1].text if number else ""
    if command.name == "find_program":
        return _ASKS.fullmatch(text) if number else None
    if before == "COMMENT" or not (number or command.name == "exec_program"):
        return None
    if before in ("-c", "-lc"):
        return _IN_SHELL.search(text)
    return _ASKS.fullmatch(text) if not _is_said(command, number) else None


def _is_said(command: Command, number: int) -> bool:
    """Whether the call that a word belongs to only writes it: `COMMAND ${CMAKE_COMMAND} -E echo nvidia-smi`."""
    words = command.words()[:number]
    begun = max((at for at, word in enumerate(words) if word in ("COMMAND", "&&", "|", "||")), default=-1)
    return not _SAYS.isdisjoint(words[begun + 1 :])


def _span(argument: Argument, match: re.Match[str]) -> Span:
    first = argument.span.start + len(argument.text[: match.start(1)].encode())
    return Span(first, first + len(match[1]))
