"""CMake: two variables of options that become one, FindCUDA's list and the text of the language CUDA.

Both are `CMAKE_HIP_FLAGS` afterwards. A command that hands one over to the other means nothing then: it would append
the options to themselves, twice, and with a semicolon between, which ends a command of the build.
"""

from __future__ import annotations

from cudamigrate.analysis import cmake_options
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_OPTIONS = re.compile(r"(?P<kind>CMAKE_CUDA|CUDA_NVCC)_FLAGS(?P<build>_DEBUG|_RELEASE)?")
_REFERENCE = re.compile(r"\$\{([\w.+-]+)\}")
_ADDING = ("APPEND", "PREPEND")


def is_read_list(parsed: ProjectFile, name: str) -> bool:
    """Whether a compiler gets FindCUDA's list of a name, and it is not the project's own, taken element by element."""
    if cmake_options.is_unread(parsed):
        return False
    if cmake_options.taken_as(parsed, name) != "list":
        return True
    return cmake_options.uses_find_cuda(parsed) and not _is_own(parsed, name)


def _is_own(parsed: ProjectFile, name: str) -> bool:
    """Whether a file that looks for CUDA by FindCUDA fills its list for itself alone: CMake's language compiles.

    What reads the list is the file then, and not one of FindCUDA's commands.
    """
    found = cmake.commands(parsed)
    if parsed.cmake.compiles or any(one.name in cmake_options.COMPILES for one in found):
        return False
    language = any(one.name in ("project", "enable_language") and cmake.enables(one, "CUDA") for one in found)
    return language and any(name in cmake.filled_by(one) for one in found)


def edits(parsed: ProjectFile, use: Use) -> list[Edit] | None:
    """What becomes of a name in a command that hands one of the two variables to the other; None in any other command.

    The command goes where that is all it does. Where it adds more, the reference to what is the same variable goes.
    """
    command = cmake.command_at(parsed, use.span.start)
    target = None if command is None else _target(command)
    if command is None or target is None or not _becomes_one(parsed, command, target):
        return None
    values = command.args[command.args.index(target) + 1 :]
    left = [_REFERENCE.sub(lambda one: "" if _is_same(one[1], target.text) else one[0], one.text) for one in values]
    if not any(one.strip(" ;\t\r\n") for one in left):
        return [Edit(cmake_options.lines(parsed.data, command.span) or command.span, b"")]
    keeps = command.name != "set" or any(f"${{{target.text}}}" in one.text for one in values)
    if not keeps or use.name == target.text:
        return None
    held = next((one for one in values if one.span.start <= use.span.start < one.span.end), None)
    return None if held is None else _without(parsed, command, use, values, held)


def _target(command: Command) -> Argument | None:
    """The variable of options that a command sets or adds to."""
    words = command.words()
    adds = command.name in ("list", "string") and words[:1] and words[0].upper() in _ADDING
    at = 0 if command.name == "set" else 1 if adds else -1
    if at < 0 or len(words) <= at + 1 or _OPTIONS.fullmatch(words[at]) is None:
        return None
    return command.args[at]


def _is_same(name: str, target: str) -> bool:
    """Whether two names are one variable for HIP."""
    first, second = _OPTIONS.fullmatch(name), _OPTIONS.fullmatch(target)
    return first is not None and second is not None and first["build"] == second["build"]


def _becomes_one(parsed: ProjectFile, command: Command, target: Argument) -> bool:
    """Whether a command gives a variable what another holds that has the same name for HIP, and both are renamed."""
    given = {name for one in command.args if one is not target for name in _REFERENCE.findall(one.text)}
    others = [name for name in given if name != target.text and _is_same(name, target.text)]
    lists = [name for name in (target.text, *others) if name.startswith(cmake_options.LIST)]
    return bool(others) and cmake_options.uses_find_cuda(parsed) and all(is_read_list(parsed, one) for one in lists)


def _without(
    parsed: ProjectFile, command: Command, use: Use, values: tuple[Argument, ...], held: Argument
) -> list[Edit] | None:
    """A reference goes, with the blank beside it; what `list` would append to a text is appended as words of it."""
    start, end = use.span.start - len("${"), use.span.end + len("}")
    alone = (start, end) == (held.span.start, held.span.end)
    if alone and len(values) > 1:
        start, end = held.outer.start, held.outer.end
    first = command.span.start if alone else held.span.start
    if parsed.data[first:start].strip():
        start = first + len(parsed.data[first:start].rstrip(b" \t"))
    else:
        end += len(parsed.data[end : held.span.end]) - len(parsed.data[end : held.span.end].lstrip(b" \t"))
    gone = Edit(Span(start, end), b"")
    if command.name != "list" or use.name.startswith("CMAKE_CUDA"):
        return [gone]
    others = [one for one in values if one is not held]
    if not alone or not others or any(one.quoted or ";" in one.text for one in others):
        return [gone]
    first, last = others[0].span.start, others[-1].span.end
    opening, closing = Edit(Span(first, first), b'" '), Edit(Span(last, last), b'"')
    return [Edit(command.at, b"string"), gone, opening, closing]
