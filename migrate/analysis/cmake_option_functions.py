"""CMake: functions and macros of a project that give what they are called with to a compiler, as its options.

`set_flags(app "-lineinfo")` is for nvcc where the function, in whatever file of the tree, gives its argument to sources
in CUDA alone. An argument is followed through variables of the function and through other functions. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis.cmake_endings import Scope, placed
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.model.cmake_facts import CMakeFacts, OptionFunction
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_REFERENCE = re.compile(r"\$\{([\w.+-]+)\}")
_GIVES = ("target_compile_options", "add_compile_options")
_PROPERTIES = frozenset(("COMPILE_OPTIONS", "COMPILE_FLAGS"))
_FOR_CUDA = re.compile(r"\$<COMPILE_LANG(?:UAGE|_AND_ID):CUDA\b(?![^<>]*,\w*CXX)")
_ELSE = re.compile(r"\$<(?:NOT|OR|IF):")
"""Expressions that may be true where one in them is not."""
_FLAGS = re.compile(r"CMAKE_CUDA_FLAGS(?:_\w+)?|CUDA_NVCC_FLAGS(?:_\w+)?")
_PARSE = "cmake_parse_arguments"
_FILLS = ("set", "list", "string", "foreach")
_RESULTS = {
    ("string", "REPLACE"): 3, ("string", "REGEX"): 4, ("string", "JOIN"): 2, ("string", "STRIP"): 2,
    ("list", "JOIN"): 3,
}  # fmt: skip
"""Which argument is the variable that a command fills, where that is not the first of its kind."""
_ROUNDS = 6
Commands = Mapping[str, Sequence[Command]]


def functions(files: Commands) -> dict[str, OptionFunction]:
    """The functions and macros of some files that do so, by their names in small letters."""
    bodies = _bodies(files)
    found: dict[str, OptionFunction] = {}
    for _ in range(_ROUNDS):
        more = {body.scope.function: one for body in bodies if (one := _read(body, found)) is not None}
        if more == found:
            break
        found = more
    return found


def noted(facts: Mapping[str, CMakeFacts], files: Commands) -> dict[str, CMakeFacts]:
    """What is known of the files of a tree, each with those of these functions that it calls."""
    known = functions(files)
    names = {path: {command.name for command in found} for path, found in files.items()}
    called = {path: {name: one for name, one in known.items() if name in names[path]} for path in facts}
    return {path: replace(one, options=called[path]) for path, one in facts.items()}


def of(parsed: ProjectFile) -> Mapping[str, OptionFunction]:
    """The same for one file, by what the other files of its tree say."""
    return parsed.once(_of)


def _of(parsed: ProjectFile) -> Mapping[str, OptionFunction]:
    if parsed.cmake != CMakeFacts():
        return parsed.cmake.options
    return functions({parsed.source.path: parsed.commands})


def needs_argument(parsed: ProjectFile, command: Command, span: Span) -> bool:
    """Whether a range is a bare argument that the function of a call declares, which no call can do without."""
    one = of(parsed).get(command.name)
    numbers = [at for at, each in enumerate(command.args) if each.outer == span]
    return one is not None and bool(numbers) and numbers[0] < one.declared


@dataclass(frozen=True, slots=True)
class _Body:
    scope: Scope
    commands: tuple[Command, ...]


def _bodies(files: Commands) -> list[_Body]:
    found: dict[Scope, list[Command]] = {}
    for path, commands in files.items():
        for command, scope in placed(path, commands):
            if scope.function:
                found.setdefault(scope, []).append(command)
    return [_Body(scope, tuple(commands)) for scope, commands in found.items()]


def _read(body: _Body, known: Mapping[str, OptionFunction]) -> OptionFunction | None:
    """What a function does with its arguments; None where it gives none to a compiler."""
    held = {*body.scope.params, "ARGN", "ARGV"}
    ways: list[bool] = []
    for command in body.commands:
        ways += _given(command, held, known)
        held.update(_filled(command, held))
    return OptionFunction(all(ways), len(body.scope.params)) if ways else None


def _given(command: Command, held: set[str], known: Mapping[str, OptionFunction]) -> Iterator[bool]:
    """For each argument that a command gives to a compiler, whether nvcc alone gets it."""
    words = command.words()
    inner = known.get(command.name)
    for argument in command.args[1:]:
        if not _reads(argument.text, held):
            continue
        if command.name in _GIVES or not _PROPERTIES.isdisjoint(words):
            yield _FOR_CUDA.search(argument.text) is not None and _ELSE.search(argument.text) is None
        elif command.name in ("set", "string", "list") and any(map(_FLAGS.fullmatch, words[:2])):
            yield True
        elif inner is not None:
            yield inner.nvcc
    if command.name == "add_compile_options" and command.args and _reads(words[0], held):
        yield _FOR_CUDA.search(words[0]) is not None and _ELSE.search(words[0]) is None


def _filled(command: Command, held: set[str]) -> Iterator[str]:
    """The variables that a command fills with what the function is given."""
    words = command.words()
    if command.name == _PARSE and len(words) > 4:
        at = 2 if words[0] == "PARSE_ARGV" else 0
        listed = (part for word in words[at + 1 : at + 4] for part in word.split(";") if part)
        yield from (f"{words[at]}_{name}" for name in (*listed, "UNPARSED_ARGUMENTS"))
    elif command.name in _FILLS and words:
        at = _RESULTS.get((command.name, words[0].upper()), int(command.name in ("list", "string")))
        by_name = words[3:] if words[1:3] == ["IN", "LISTS"] else words[1:2] if command.name == "list" else []
        if any(_reads(word, held) for word in words[1:]) or not held.isdisjoint(by_name):
            yield from (one for one in words[at : at + 1] if "$" not in one)


def _reads(text: str, held: set[str]) -> bool:
    return any(name in held or name.startswith("ARGV") for name in _REFERENCE.findall(text))
