"""CMake: nvcc in variables of a project's own and in command lines, and whether it only compiles there.

`find_program(NVCC nvcc)` in one file may be for a command in another, also over a variable that is set to the first.
nvcc's place is hipcc's where each call makes an object or a program of a source; a call that asks for its release, or
makes PTX, has another answer, and what such a variable holds stays. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from cudamigrate.analysis import cmake_nvcc_calls
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

SEARCHED, NAMED = "compiler looked for", "compiler called"
"""The names of the uses that stand for nvcc where a search names it, and where a value or a command does."""
_PROGRAM = re.compile(r"(?:(?P<folder>\S*)/)?nvcc(?:\.exe|\$\{CMAKE_EXECUTABLE_SUFFIX\})?")
_REFERENCE = re.compile(r"\$\{(\w+)\}")
_OF_CMAKE = re.compile(r"CMAKE_\w+|CUDA\w*_NVCC_EXECUTABLE")
"""Variables that CMake or its modules fill, too."""
_OPTIONS_OF_SET = ("CACHE", "PARENT_SCOPE", "FORCE")
_ENDS_NAMES = frozenset(
    ("HINTS", "PATHS", "PATH_SUFFIXES", "DOC", "REQUIRED", "NAMES_PER_DIR", "ENV", "NO_CACHE", "VALIDATOR")
)
_HARMLESS = ("if", "elseif", "while", "message", "mark_as_advanced", "find_program", "unset", "list", "endif", "else")
"""Commands that only look whether a variable is set, or speak of it."""
_PASSES = ("function", "macro", "endfunction", "endmacro")


@dataclass(frozen=True, slots=True)
class Holders:
    """The variables of a project's own that hold nvcc: those by which it only compiles, and the others."""

    compiling: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


def holders(files: Iterable[Sequence[Command]]) -> Holders:
    """The variables of some files that all commands which fill them set to nvcc."""
    found = [command for commands in files for command in commands]
    if not any("nvcc" in word for command in found if _fills(command) for word in command.words()[1:]):
        return Holders()
    filled: dict[str, list[Sequence[str]]] = {}
    for command in found:
        for name, values in _given(command):
            filled.setdefault(name, []).append(values)
    held = _held(filled)
    copies = [(name, match[1]) for name in held for values in filled[name] for match in map(_copied, values) if match]
    words = cmake.held_words(found)
    others = {name for command in found for name in _misused(command, held, words)}
    while more := {one for pair in copies for one in pair if not others.isdisjoint(pair)} - others:
        others |= more
    return Holders(frozenset(held - others), frozenset(held & others))


def of(parsed: ProjectFile) -> Holders:
    """The same for one file, by what the other files of its tree say."""
    return parsed.once(_of)


def _of(parsed: ProjectFile) -> Holders:
    if parsed.cmake != CMakeFacts():
        return Holders(parsed.cmake.compilers, parsed.cmake.nvccs)
    return holders([parsed.commands])


def noted(facts: Mapping[str, CMakeFacts], files: Mapping[str, Sequence[Command]]) -> dict[str, CMakeFacts]:
    """What is known of the files of a tree, each with those of the variables that it names."""
    known = holders(files.values())
    return {path: _noted(one, files[path], known) for path, one in facts.items()}


def _noted(facts: CMakeFacts, found: Sequence[Command], known: Holders) -> CMakeFacts:
    names = {name for command in found for word in command.words() for name in (word, *_REFERENCE.findall(word))}
    return replace(facts, compilers=known.compiling & names, nvccs=known.others & names)


def marked(parsed: ProjectFile, uses: Iterable[Use]) -> list[Use]:
    """The uses of a file, where nvcc becomes hipcc with a name that says so, and with those in values of variables."""
    known = of(parsed)
    made = [_named(parsed, _as_set(parsed, one), known) for one in uses]
    for command in parsed.commands:
        sets = command.name == "set" and command.args and command.args[0].text in known.compiling
        for argument in filter(_is_program, command.args[1:2] if sets else ()):
            made.append(_use(NAMED, argument, command))
        for argument, given in cmake_nvcc_calls.by_path(command):
            made.append(
                _use(
                    NAMED if cmake_nvcc_calls.is_compilation(given, parsed.once(_values)) else "nvcc", argument, command
                )
            )
    return made


def _as_set(parsed: ProjectFile, use: Use) -> Use:
    """The use, with a name that says so where it is the compiler of the language CUDA that a file sets for itself."""
    command = cmake.command_at(parsed, use.span.start) if use.name == "CMAKE_CUDA_COMPILER" else None
    is_set = command is not None and command.name == "set" and command.args[0].span == use.span
    return replace(use, name=f"{use.name} set") if is_set else use


def _use(name: str, argument: Argument, command: Command) -> Use:
    return Use("name", name, _place(argument), command.span, command.places, certainty="syntax")


def is_kept(parsed: ProjectFile, offset: int) -> bool:
    """Whether a word is in a call of nvcc that stays, or in a variable of a file that such calls alone read."""
    command = cmake.command_at(parsed, offset)
    if command is None:
        return False
    filled = cmake.filled_by(command)
    if filled and not filled[0].startswith(("CMAKE_", "CUDA_")):
        return filled[0] in parsed.once(_of_kept_calls)
    return cmake_nvcc_calls.is_for_nvcc_itself(command, offset, of(parsed).others, parsed.once(_values))


def _values(parsed: ProjectFile) -> dict[str, list[str]]:
    """The words that the variables of a file hold."""
    return cmake.held_words(parsed.commands)


def _of_kept_calls(parsed: ProjectFile) -> frozenset[str]:
    """The variables that calls of nvcc which stay are given, and that nothing else in the file reads."""
    kept, others = set[str](), set[str]()
    known, values = of(parsed).others, parsed.once(_values)
    for command in parsed.commands:
        own = set(cmake.filled_by(command)) if command.name in ("set", "list") else set()
        for argument in command.args if command.name not in _HARMLESS or command.name == "list" else ():
            read = set(_REFERENCE.findall(argument.text)) - own
            stays = cmake_nvcc_calls.is_for_nvcc_itself(command, argument.span.start, known, values)
            (kept if stays else others).update(read)
    return frozenset(kept - others)


def _named(parsed: ProjectFile, use: Use, known: Holders) -> Use:
    if use.name not in ("nvcc", "find_program(nvcc)"):
        return use
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return use
    if use.name == "find_program(nvcc)":
        return replace(use, name=SEARCHED) if command.args[0].text in known.compiling else use
    given = (words for at, words in cmake_nvcc_calls.places(command) if at == use.span)
    compiles = any(cmake_nvcc_calls.is_compilation(words, parsed.once(_values)) for words in given)
    return replace(use, name=NAMED) if compiles else use


def _is_program(argument: Argument) -> bool:
    return _PROGRAM.fullmatch(argument.text) is not None


def _place(argument: Argument) -> Span:
    """A program by its path in the toolkit's folder as a whole, else the name behind what a variable gives."""
    folder, _, name = argument.text.rpartition("/")
    return argument.span if "$" not in folder else Span(argument.span.end - len(name.encode()), argument.span.end)


def _fills(command: Command) -> bool:
    return command.name in ("set", "find_program", "list", "string", "get_filename_component", "foreach")


def _given(command: Command) -> Iterator[tuple[str, Sequence[str]]]:
    """The variables that a command fills, each with the words; one word for what is not followed."""
    words = command.words()
    if command.name == "find_program" and len(words) > 1:
        behind = words[2:] if words[1] == "NAMES" else words[1:]
        named = list(takewhile(lambda one: one not in _ENDS_NAMES, behind))
        yield words[0], named if words[1] == "NAMES" else named[:1]
    elif command.name == "set" and words:
        yield words[0], list(takewhile(lambda one: one not in _OPTIONS_OF_SET, words[1:]))
    elif command.name == "execute_process":
        yield from ((name, ["?"]) for mark, name in pairwise(words) if mark == "OUTPUT_VARIABLE")
    elif _fills(command):
        yield from ((name, ["?"]) for name in words[:2])


def _held(filled: Mapping[str, Sequence[Sequence[str]]]) -> set[str]:
    """The variables that hold nvcc, or another that does, whatever fills them."""
    held = {name for name, given in filled.items() if any(map(any, given)) and _OF_CMAKE.fullmatch(name) is None}
    while True:
        kept = {name for name in held if all(_is_nvcc(values, held) for values in filled[name] if any(values))}
        if kept == held:
            return {name for name in held if _leads_to_nvcc(name, filled)}
        held = kept


def _leads_to_nvcc(name: str, filled: Mapping[str, Sequence[Sequence[str]]]) -> bool:
    """Whether a variable is at last a program, not one that is set to itself over others."""
    seen, left = {name}, [name]
    while left:
        for word in (word for values in filled[left.pop()] for word in values):
            if _PROGRAM.fullmatch(word):
                return True
            copied = _copied(word)
            if copied is not None and copied[1] in filled and copied[1] not in seen:
                seen.add(copied[1])
                left.append(copied[1])
    return False


def _is_nvcc(values: Sequence[str], held: set[str]) -> bool:
    copies = (_copied(one) for one in values)
    return all(
        _PROGRAM.fullmatch(one) or (copy is not None and copy[1] in held)
        for one, copy in zip(values, copies, strict=True)
    )


def _copied(word: str) -> re.Match[str] | None:
    return _REFERENCE.fullmatch(word)


def _misused(command: Command, held: set[str], values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The variables among some that a command takes for more than a compiler that makes objects or programs."""
    if command.name in _HARMLESS or command.name in _PASSES:
        return
    words = command.words()
    copies = command.name == "set" and words[:1] and words[0] in held
    calls = dict(cmake_nvcc_calls.places(command, held))
    for number, argument in enumerate(command.args):
        for name in held.intersection(_REFERENCE.findall(argument.text)):
            if copies or (argument.span in calls and cmake_nvcc_calls.is_compilation(calls[argument.span], values)):
                continue
            if not (number and "DEPENDS" in words[:number] and argument.text == f"${{{name}}}"):
                yield name
