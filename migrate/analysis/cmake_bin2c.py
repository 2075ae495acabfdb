"""CMake: the program of CUDA's toolkit that writes a file as an array for C, looked for or run.

Other programs have the name, Lua's and projects' own. The toolkit's is meant where the search names CUDA, itself or by
what variables hold, where the path does, or where a command gives it an option that only the toolkit's has.
Source: NVIDIA, "CUDA Binary Utilities" and `bin2c --help`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Argument, Command

USE = "bin2c of CUDA"
_PROGRAM = re.compile(r"(?P<folder>(?:.*/)?)(?P<name>bin2c)(?:\.exe)?")
_OF_TOOLKIT = re.compile(r"cuda|nvcc", re.IGNORECASE)
_OPTIONS = re.compile(r"--(?:padd|type|const|static)|-st")
"""Options of the toolkit's program alone: `--name` is one of others, too."""
_MAKES = ("add_executable", "add_custom_target")
_RUNS = ("add_custom_command", "add_custom_target", "execute_process")
_HOLDS = ("set", "get_filename_component", "get_target_property", "find_path")
_VARIABLE = re.compile(r"\$\{(\w+)\}")


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """Where a file looks for the program or runs it by a name or path of its own."""
    if any(command.name in _MAKES and command.words()[:1] == ["bin2c"] for command in found):
        return
    for command in found:
        if command.name == "find_program":
            named = next((one for one in command.args[1:] if one.text in ("bin2c", "bin2c.exe")), None)
            if named is not None and (_is_searched(found, command) or _is_run(found, command.args[0].text)):
                yield USE, named.span, command
        elif command.name in (*_RUNS, "set"):
            yield from ((USE, span, command) for span in _named(command))


def _is_searched(found: Sequence[Command], command: Command) -> bool:
    """Whether a search names CUDA: in its folders, its description, or a variable that something of CUDA's sets."""
    words = command.words()[1:]
    names = {name for word in words for name in _VARIABLE.findall(word)}
    held = (one for one in found if one.name in _HOLDS and one.args and one.args[0].text in names)
    return any(_OF_TOOLKIT.search(word) for words in (words, *(one.words() for one in held)) for word in words)


def _is_run(found: Sequence[Command], variable: str) -> bool:
    """Whether a command runs what a variable holds with an option of the toolkit's program."""
    runs = (one.words() for one in found if one.name in _RUNS)
    return any(f"${{{variable}}}" in words and any(map(_OPTIONS.fullmatch, words)) for words in runs)


def _named(command: Command) -> Iterator[Span]:
    """Where a command names the program in a folder of CUDA's, or runs it with an option of its own."""
    for before, argument in zip([None, *command.args], command.args, strict=False):
        match = _PROGRAM.fullmatch(argument.text)
        if match is None or (command.name == "set" and before is None):
            continue
        runs = before is not None and before.text == "COMMAND" and not match["folder"]
        given = runs and any(map(_OPTIONS.fullmatch, command.words()))
        if given or _OF_TOOLKIT.search(match["folder"]):
            yield _span(argument, match)


def _span(argument: Argument, match: re.Match[str]) -> Span:
    start = argument.span.start + len(argument.text[: match.start("name")].encode())
    return Span(start, start + len(match["name"]))
