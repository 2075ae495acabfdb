"""CMake: commands all of whose options nvcc alone gets, by what they fill or what they are given to.

A variable is nvcc's by its name, or where all that reads it gives it to nvcc.
"""

from __future__ import annotations

from cudamigrate.analysis import cmake_nvcc_variables, cmake_option_functions, cmake_targets
from cudamigrate.analysis.cmake_nvcc_variables import NAME
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_HOLDERS = ("set", "list", "string")
_GIVES = ("target_compile_options", "set_target_properties", "set_property", "set_source_files_properties")
_RUNS = ("add_custom_command", "add_custom_target", "execute_process")
_COMPILER = re.compile(r"nvcc\b|\$\{\w*NVCC\w*\}|\$\{CMAKE_CUDA_COMPILER\}", re.IGNORECASE)
_FLAGS = frozenset(("COMPILE_OPTIONS", "COMPILE_FLAGS"))
_SOURCE = ".cu"


def is_sure(parsed: ProjectFile, command: Command) -> bool:
    """Whether the options among a command's arguments are nvcc's where no expression says who gets them."""
    if command.name in _HOLDERS:
        return NAME.search(_filled(command)) is not None or command.span in parsed.once(_filling)
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


def _filling(parsed: ProjectFile) -> frozenset[Span]:
    """The commands of a file that fill variables which nvcc alone gets."""
    return cmake_nvcc_variables.filling(parsed, _is_given)


def _filled(command: Command) -> str:
    """The variable that a command puts options into; empty where there is none."""
    words = command.words()
    at = 0 if command.name == "set" else 1
    return words[at] if len(words) > at else ""
