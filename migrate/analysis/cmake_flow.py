"""CMake: which options only compile, which branches on CUDA's release come to the same, and what lists of sources lose.

Variables are followed through the commands of one file. CMake's rules for CUDA link with the linker's options alone,
those for HIP with the compiler's too: an option for the linker among those that compile did nothing, and would.
Source: CMakeCUDAInformation.cmake and CMakeHIPInformation.cmake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import cmake, compiler_options
from cudamigrate.syntax.cmake import Command

_WINDOWS = frozenset(("WIN32", "MSVC", "MSVC_IDE", "CYGWIN", "MINGW"))
SOURCE = re.compile(r"(?:\$\{CMAKE_(?:CURRENT_)?SOURCE_DIR\}/)?[\w./-]+\.(?:cu|cpp|cc|cxx|c)")
"""A source named in CMake: `src/a.cu`, `${CMAKE_SOURCE_DIR}/a.cpp`; paths with other variables are not known here."""
_REFERENCE = re.compile(r"\$\{([\w.+-]+)\}")
_COMPILES = re.compile(r"CMAKE_CUDA_FLAGS(?:_\w+)?|CUDA_NVCC_FLAGS(?:_\w+)?")
_LINKS = re.compile(r"CMAKE_\w*LINKER_FLAGS\w*|CMAKE_CUDA_LINK\w*|LINK_(?:FLAGS|OPTIONS)\w*")
_COMPILING = ("add_compile_options", "target_compile_options")
_LINKING = ("add_link_options", "target_link_options", "link_libraries", "target_link_libraries")
_NVTX = "-lnvToolsExt"
_LINKED_NVTX = frozenset(("CUDA::nvToolsExt", "CUDA::nvtx3", "CUDA_nvToolsExt_LIBRARY", "link nvToolsExt"))
"""The names of the uses that link NVTX as CMake does."""
_FIND_HIPS = ("hip_add_library", "hip_add_executable")
_GPUS = re.compile(r"--?(?:gencode|generate-code|arch|gpu-architecture|cuda-gpu-arch|code|gpu-code)(?:=.*)?")


def only_compiles(commands: Sequence[Command]) -> frozenset[str]:
    """The variables whose options reach the compiler of kernels, and no command that links."""
    flows = [(target, set(_REFERENCE.findall(text))) for command in commands for target, text in _assigned(command)]
    compiling = {target for target, _ in flows if _COMPILES.fullmatch(target)}
    linking = {target for target, _ in flows if _LINKS.fullmatch(target)}
    for command in commands:
        used = _REFERENCE.findall(" ".join(command.words()))
        compiling.update(used if command.name in _COMPILING else ())
        linking.update(used if command.name in _LINKING or any(map(_LINKS.fullmatch, command.words())) else ())
    for reached in (compiling, linking):
        while more := {name for target, names in flows if target in reached for name in names} - reached:
            reached |= more
    return frozenset(compiling - linking)


def is_compiling(command: Command, variables: frozenset[str]) -> bool:
    """Whether what a command has for options goes to the compiler alone."""
    return command.name in _COMPILING or any(target in variables for target, _ in _assigned(command))


def marked(uses: Sequence[Use], commands: Sequence[Command]) -> list[Use]:
    """The uses; NVTX to link says so where it is among options of targets that only compile, and nothing links it.

    Such an option does nothing: NVTX 3 is headers alone, while what it becomes for AMD is a library.
    """
    if not any(use.name == _NVTX for use in uses) or any(use.name in _LINKED_NVTX for use in uses):
        return list(uses)
    spans = [one.span for one in commands if one.name in _COMPILING or _is_for_targets(one, commands)]
    inside = {use.span for use in uses for one in spans if one.start <= use.span.start < one.end}
    return [
        replace(use, name=f"{_NVTX}:compiling") if use.name == _NVTX and use.span in inside else use for use in uses
    ]


def _is_for_targets(command: Command, commands: Sequence[Command]) -> bool:
    """Whether a command fills a variable of which the file gives each use to a target as options that compile."""
    names = {target for target, _ in _assigned(command)}
    if not names:
        return False
    readers = [
        one
        for one in commands
        if one is not command and not names.isdisjoint(_REFERENCE.findall(" ".join(one.words())))
    ]
    return bool(readers) and all(one.name in _COMPILING for one in readers)


def _assigned(command: Command) -> Iterator[tuple[str, str]]:
    """The variable that a command sets or adds to, and the text of all its arguments."""
    words = command.words()
    if command.name == "set" and words:
        yield words[0], " ".join(words[1:])
    elif command.name == "list" and len(words) > 1:
        yield words[1], " ".join(words[2:])
    elif command.name == "string" and len(words) > 1:
        at = {"REPLACE": 3, "APPEND": 1, "PREPEND": 1, "JOIN": 2, "CONCAT": 1, "STRIP": 2}.get(words[0].upper())
        if at is not None and len(words) > at:
            yield words[at], " ".join(words[1:at] + words[at + 1 :])


def for_windows(commands: Sequence[Command]) -> frozenset[Span]:
    """The commands that only a build on Windows carries out: in branches for it, and in what is called there alone."""
    branches = cmake.branches(commands)
    asked = {one.span for one in commands if one.name in ("if", "elseif") and set(one.words()) <= _WINDOWS and one.args}
    there = {one.span for one in commands if not asked.isdisjoint(branches[one.span])}
    for opening in (one for one in commands if one.name in ("function", "macro") and one.args):
        name = opening.args[0].text.lower()
        calls = [one.span for one in commands if one.name == name]
        if calls and all(span in there for span in calls):
            there |= {one.span for one in commands if opening.span in branches[one.span]}
    return frozenset(there)


def like_branches(commands: Sequence[Command]) -> Iterator[Span]:
    """The conditionals, from `if` to `endif`, whose branches do nothing but name GPUs in one and the same variable.

    Each branch names GPUs of NVIDIA's by the release of CUDA; for AMD all of them name the same.
    """
    stack: list[tuple[Command, list[set[str] | None]]] = []
    for command in commands:
        if command.name == "if":
            stack.append((command, [set()]))
        elif command.name in ("elseif", "else") and stack:
            stack[-1][1].append(set())
        elif command.name == "endif" and stack:
            opening, branches = stack.pop()
            ended = command.span.end
            likes = branches[0] is not None and len(branches) > 1 and all(one == branches[0] for one in branches)
            if likes and branches[0]:
                yield Span(opening.span.start, ended)
            if stack:
                named = set().union(*(one for one in branches if one)) if None not in branches else None
                _add(stack[-1][1], named)
        elif stack and command.name != "message":
            _add(stack[-1][1], _named(command))


def repeated(commands: Sequence[Command], outside: Mapping[Span, Span] | None = None) -> frozenset[Span]:
    """The commands that add options which name GPUs where an earlier one has added such to the same variable for sure.

    Each names other GPUs of NVIDIA's; for AMD all of them name the same. `outside` are the loops that commands leave.
    """
    branches, outside = cmake.branches(commands), outside or {}
    called = {one.span for one in commands if one.name in ("function", "macro")}
    added: dict[str, list[tuple[Span, ...]]] = {}
    found = set[Span]()
    for command in commands:
        words, inside = (
            command.words(),
            tuple(one for one in branches[command.span] if one != outside.get(command.span)),
        )
        adds = is_adding(command)
        named = _named(command) if adds else None
        for name in named or ():
            before = [one for one in added.setdefault(name, []) if inside[: len(one)] == one]
            if any(called.isdisjoint(inside[len(one) :]) for one in before):
                found.add(command.span)
            added[name].append(inside)
        if not adds and command.name in ("set", "unset", "list", "string"):
            for word in words[:2]:
                added.pop(word, None)  # what it had may be gone
    return frozenset(found)


def is_adding(command: Command) -> bool:
    """Whether a command makes what a variable holds longer."""
    words = command.words()
    if command.name in ("list", "string"):
        return words[:1] == ["APPEND"] and len(words) > 1
    return command.name == "set" and bool(words) and any(f"${{{words[0]}}}" in word for word in words[1:])


def _add(branches: list[set[str] | None], names: set[str] | None) -> None:
    held = branches[-1]
    branches[-1] = None if held is None or names is None else held | names


def _named(command: Command) -> set[str] | None:
    """The variable to which a command adds options that name GPUs, and no others; None for any other command."""
    if command.name not in ("set", "list", "string") or not (found := next(_assigned(command), None)):
        return None
    text = found[1].replace(";", " ").replace('"', " ").replace(f"${{{found[0]}}}", " ").encode()
    words = compiler_options.words(text, 0, len(text))
    options = list(compiler_options.uses(words))
    taken = len(options) + sum(len(use.args) for use in options)
    return {found[0]} if options and taken == len(words) and all(_GPUS.fullmatch(use.name) for use in options) else None


def list_changes(command: Command) -> list[tuple[str, str, str]]:
    """What a command does to a list of sources: the operation, the list and each source."""
    words = command.words() if command.name == "list" else []
    return [(words[0], words[1], word) for word in words[2:] if SOURCE.fullmatch(word)]


def replaced(listed: Sequence[tuple[str, str, str]], name: str) -> str:
    """The one source that a block takes out of the list to which it adds this one alone; empty where it is not so."""
    lists = {held for operation, held, one in listed if one == name and operation == "APPEND"}
    changed = [(operation, one) for operation, held, one in listed if held in lists]
    removed = [one for operation, one in changed if operation == "REMOVE_ITEM"]
    return removed[0] if len(removed) == 1 and len(changed) == 2 else ""


def enabled_for_both(found: Sequence[Command]) -> Iterator[tuple[Command, Span]]:
    """Commands that enable the language CUDA whatever is chosen, in a file that enables HIP by choice; and the word.

    A file that leaves early may not come to them.
    """
    around = cmake.branches(found)
    chosen = any(compiles_for_hip(one) and around.get(one.span) for one in found)
    if not chosen or any(one.name == "return" for one in found):
        return
    for command in found:
        stops = command.name not in cmake.SEARCHES or "REQUIRED" in command.words()
        if stops and cmake.enables(command, "CUDA") and not around.get(command.span):
            word = next((one for one in command.args if one.text == "CUDA"), None)
            if word is not None:
                yield command, word.span


def compiles_for_hip(command: Command) -> bool:
    """Whether a command enables HIP, or makes a target by FindHIP's `hip_add_library`, which compiles by hipcc."""
    return cmake.enables(command, "HIP") or command.name in _FIND_HIPS
