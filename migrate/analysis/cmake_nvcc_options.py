"""CMake: commands all of whose options nvcc alone gets, by what they fill or what they are given to.

A variable is nvcc's by its name, or where all that reads it gives it to nvcc: `$<$<COMPILE_LANGUAGE:CUDA>:${OPTS}>`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from cudamigrate.analysis import cmake_option_functions, cmake_targets
from cudamigrate.lazy_re import re
from cudamigrate.syntax import generator_expressions
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

NAME = re.compile(r"cuda|nvcc|gencode", re.IGNORECASE)
"""Names that say so."""
_HOLDERS = ("set", "list", "string")
_GIVES = ("target_compile_options", "set_target_properties", "set_property", "set_source_files_properties")
_RUNS = ("add_custom_command", "add_custom_target", "execute_process")
_READS = ("if", "elseif", "while", "message", "unset", "mark_as_advanced", "endif", "else", "endforeach")
"""Commands that pass nothing on."""
_COMPILER = re.compile(r"nvcc\b|\$\{\w*NVCC\w*\}|\$\{CMAKE_CUDA_COMPILER\}", re.IGNORECASE)
_REFERENCE = re.compile(rb"\$\{([\w.+-]+)\}")
_FLAGS = frozenset(("COMPILE_OPTIONS", "COMPILE_FLAGS"))
_SOURCE = ".cu"
_NOBODY = ""
"""Stands for who may be another compiler."""
_NVCC = "nvcc"


def is_sure(parsed: ProjectFile, command: Command) -> bool:
    """Whether the options among a command's arguments are nvcc's where no expression says who gets them."""
    if command.name in _HOLDERS:
        name = _filled(command)
        return NAME.search(name) is not None or name in parsed.once(_variables)
    return _is_given(parsed, command)


def _is_given(parsed: ProjectFile, command: Command) -> bool:
    """Whether a command gives its options to nvcc, or to targets and sources that nvcc alone compiles."""
    words = command.words()
    if command.name in _RUNS:
        return any(map(_COMPILER.search, words))
    if command.name == "add_compile_options":
        return parsed.once(_compiles_for_gpu_alone)
    if command.name not in _GIVES or not words:
        given_on = cmake_option_functions.of(parsed).get(command.name)
        return given_on is not None and given_on.nvcc
    if command.name == "target_compile_options":
        return words[0] in parsed.once(cmake_targets.names_for_gpu_alone)
    if _FLAGS.isdisjoint(words):
        return False
    ends = [at for at, word in enumerate(words) if word in ("PROPERTIES", "PROPERTY", "APPEND", "APPEND_STRING")]
    named = words[command.name == "set_property" : ends[0] if ends else 0]
    if command.name == "set_source_files_properties" or words[:1] == ["SOURCE"]:
        return bool(named) and all(word.endswith(_SOURCE) for word in named)
    of_targets = command.name == "set_target_properties" or words[:1] == ["TARGET"]
    return of_targets and bool(named) and set(named) <= parsed.once(cmake_targets.names_for_gpu_alone)


def _compiles_for_gpu_alone(parsed: ProjectFile) -> bool:
    """Whether a file makes targets for the GPU alone, and enters no folder that may have others."""
    made = {one.args[0].text for one in parsed.commands if one.name in cmake_targets.MAKES and one.args}
    enters = any(one.name in ("add_subdirectory", "include") for one in parsed.commands)
    return bool(made) and not enters and made <= parsed.once(cmake_targets.names_for_gpu_alone)


def _filled(command: Command) -> str:
    """The variable that a command puts options into; empty where there is none."""
    words = command.words()
    at = 0 if command.name in ("set", "foreach") else 1
    return words[at] if command.name in (*_HOLDERS, "foreach") and len(words) > at else _NOBODY


def _variables(parsed: ProjectFile) -> frozenset[str]:
    """The variables of a file that nothing in it reads but what gives them to nvcc, through others too."""
    takers: dict[str, set[str]] = defaultdict(set)
    for command in parsed.commands:
        for name, taker in _read(parsed, command) if command.name not in _READS else ():
            takers[name].add(taker)
    found = {_NVCC}
    while more := {name for name, given in takers.items() if given - {name} and given <= found | {name}} - found:
        found |= more
    return frozenset(found - {_NVCC})


def _read(parsed: ProjectFile, command: Command) -> Iterator[tuple[str, str]]:
    """The variables that a command reads, each with the one that is filled by it, or with nvcc where that gets it."""
    filled = _filled(command)
    taker = _NVCC if NAME.search(filled) or (not filled and _is_given(parsed, command)) else filled
    for stretch in generator_expressions.stretches(parsed.data, command):
        who = taker if stretch.nvcc is None else _NVCC if stretch.nvcc else _NOBODY
        for match in _REFERENCE.finditer(parsed.data, stretch.span.start, stretch.span.end):
            yield match[1].decode(), who
    if command.name == "foreach" and command.words()[1:3] == ["IN", "LISTS"]:
        yield from ((name, taker) for name in command.words()[3:])
