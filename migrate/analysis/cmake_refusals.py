"""CMake: conditionals on CUDA's release whose purpose is seen: they refuse one that is too old, or list NVIDIA's GPUs.

Without CUDA its release is an empty text, which compares as 0: a branch for old ones would be taken for AMD, and the
build end or go on without the GPU. Which of NVIDIA's GPUs are listed is nothing to a build for AMD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.analysis import cmake_flow
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.cmake import Argument, Command

RELEASE = re.compile(r"CUDA_VERSION(?:_\w+)?|CUDAToolkit_VERSION(?:_\w+)?|CMAKE_CUDA_COMPILER_VERSION")
"""The variables that hold the release of CUDA."""
_LIST = "CMAKE_CUDA_ARCHITECTURES"
_LESS = ("VERSION_LESS", "VERSION_LESS_EQUAL", "LESS", "LESS_EQUAL")
_OF_NUMBERS = ("LESS", "LESS_EQUAL")
_NEGATED = 4
"""The words of `NOT NAME LESS 10`."""
_OFF = ("OFF", "FALSE", "NO", "0")
_ENDS = ("FATAL_ERROR", "SEND_ERROR")
_BRANCHES = ("if", "elseif", "else", "endif")


_COMPARED = re.compile(r"(?:VERSION_)?(?:LESS|GREATER|EQUAL)(?:_EQUAL)?|STR(?:LESS|GREATER|EQUAL)(?:_EQUAL)?|MATCHES")
_CONDITIONS = ("if", "elseif", "while")


def marked(uses: Sequence[Use], commands: Sequence[Command]) -> list[Use]:
    """The uses of the release, marked where an old one is refused by it; none where it only chooses NVIDIA's GPUs.

    Beside them a use for each condition that lacks a side where the release is an empty text: CMake stops there.
    """
    if not any(RELEASE.fullmatch(use.name) for use in uses):
        return list(uses)
    same, old = [*cmake_flow.like_branches(commands), *listing(commands)], refused(commands)
    by_place = {one.span: one for one in commands}
    made = []
    for use in uses:
        if RELEASE.fullmatch(use.name) and _holds_as_for_the_newest(by_place.get(use.extent)):
            continue
        is_refused = RELEASE.fullmatch(use.name) and _is_within(use, old)
        bare = _bare(by_place.get(use.extent), use) if RELEASE.fullmatch(use.name) and not is_refused else None
        if not RELEASE.fullmatch(use.name) or is_refused or not _is_within(use, same):
            made.append(replace(use, name=f"old {use.name}") if is_refused else use)
        if bare is not None:
            made.append(replace(use, name="bare CUDA_VERSION", span=bare.span))
    return made


def _holds_as_for_the_newest(command: Command | None) -> bool:
    """Whether a condition holds without CUDA as it does for the newest release: `NOT (CUDA_VERSION LESS 10)`.

    `LESS` asks for numbers, and what is none is not less; `VERSION_LESS` takes it for 0.
    """
    words = command.words() if command is not None and command.name in _CONDITIONS[:2] else []
    return len(words) == _NEGATED and words[0] == "NOT" and words[2] in _OF_NUMBERS and words[1] in _plain(words)


def _plain(words: Sequence[str]) -> list[str]:
    """The names of the release among some words, as they are: an empty `${CUDA_VERSION}` leaves no side."""
    return [one for one in words if RELEASE.fullmatch(one)]


def _is_within(use: Use, spans: Iterable[Span]) -> bool:
    return any(one.start <= use.span.start < one.end for one in spans)


def _bare(command: Command | None, use: Use) -> Argument | None:
    """The argument of a condition that is the value of the release alone, without quotes, and is compared."""
    if command is None or command.name not in _CONDITIONS:
        return None
    for number, one in enumerate(command.args):
        if one.span.start <= use.span.start < one.span.end:
            beside = (*command.words()[max(number - 1, 0) : number], *command.words()[number + 1 : number + 2])
            compared = any(_COMPARED.fullmatch(word) for word in beside)
            return one if compared and not one.quoted and one.text == f"${{{use.name}}}" else None
    return None


def refused(commands: Sequence[Command]) -> frozenset[Span]:
    """The arguments of such conditions that name the release, with their quotes."""
    return frozenset(_found(commands))


def listing(commands: Sequence[Command]) -> Iterator[Span]:
    """The conditionals, from `if` to `endif`, that do nothing but change CMake's list of NVIDIA's GPUs."""
    stack: list[tuple[int, set[str]]] = []
    for command in commands:
        if command.name == "if":
            stack.append((command.span.start, set()))
        elif command.name == "endif" and stack:
            start, changed = stack.pop()
            if changed == {_LIST}:
                yield Span(start, command.span.end)
            if stack:
                stack[-1][1].update(changed)
        elif stack and command.name not in ("else", "elseif", "message"):
            words = command.words()
            name = words[:1] if command.name == "set" else words[1:2] if command.name == "list" else []
            stack[-1][1].update(name or [command.name])


def _found(commands: Sequence[Command]) -> Iterator[Span]:
    for at, command in enumerate(commands):
        if command.name != "if" or len(command.args) != 3:
            continue
        name, sign, _ = command.words()
        if (
            sign in _LESS
            and RELEASE.fullmatch(name.removeprefix("${").removesuffix("}"))
            and _only_refuses(commands, at)
        ):
            yield command.args[0].outer


def _only_refuses(commands: Sequence[Command], opening: int) -> bool:
    """Whether the first branch of a conditional ends the build, or takes the GPU from it, and does nothing else."""
    depth, refuses = 0, False
    for command in commands[opening + 1 :]:
        if depth == 0 and command.name in _BRANCHES[1:]:
            return refuses
        depth += (command.name == "if") - (command.name == "endif")
        if command.name not in _BRANCHES:
            words = command.words()
            takes = command.name == "unset" or (command.name == "set" and len(words) > 1 and words[1].upper() in _OFF)
            refuses = refuses or takes or (command.name == "message" and words[:1] != [] and words[0] in _ENDS)
            if not takes and command.name not in ("message", "return"):
                return False
    return False
