"""The commands of FindCUDA that make targets -> CMake's own, with what FindCUDA does for a target by itself.

It links CUDA's runtime and gives the host's sources the folder of its headers, whether the project asks for them or
not; and it takes options among the sources. Its commands are there wherever a package has called it; HIP's targets only
where a file looks for HIP in the folder, or in one around it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

from cudamigrate.analysis import cmake_targets, cmake_tree
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_RUNTIME = re.compile(
    r"CUDA_(?:CUDART_)?LIBRAR(?:IES|Y)|CUDA::(?:cudart(?:_static)?|cuda_driver)|cudart(?:_static)?|hip::host"
)
_FIRST = frozenset(("STATIC", "SHARED", "MODULE", "WIN32", "MACOSX_BUNDLE", "EXCLUDE_FROM_ALL"))
"""What FindCUDA takes anywhere among the arguments, and CMake right behind the name alone."""
_SIDES = frozenset(("PUBLIC", "PRIVATE", "INTERFACE"))


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new command; options for nvcc become a variable, and the options of the target for HIP.

    They stay where they are: each is converted by itself.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not command.args:
        return []
    named = [Edit(use.span, words[0].encode()), *_moved(parsed, command)]
    at = cmake.options_at(command)
    begin = cmake.line_end(parsed.data).decode() + cmake.indent(parsed.data, command.span.start).decode()
    linked = "".join(f"{begin}{line}" for line in _after(parsed, command))
    end = Span(command.span.end, command.span.end)
    if at is None:
        more = [Edit(end, linked.encode())] if linked else []
        return [] if "OPTIONS" in command.words() else [*named, *more]
    target = command.args[0].text
    held = f"{target}_hip_options"
    parted = any(" " in one.text or "$" in one.text for one in command.args[at + 1 :])
    parting = f"{begin}separate_arguments({held})" if parted else ""  # FindCUDA parts each option at its blanks
    given = f'{parting}{begin}target_compile_options({target} PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:${{{held}}}>"){linked}'
    return [*named, Edit(command.args[at].span, f"){begin}set({held}".encode()), Edit(end, given.encode())]


def _moved(parsed: ProjectFile, command: Command) -> list[Edit]:
    """What brings the kind of the target to where CMake takes it; elsewhere it would be a source."""
    rest = itertools.dropwhile(lambda one: one.text in _FIRST, command.args[1:])
    late = [one for one in rest if one.text in _FIRST and not one.quoted]
    made = []
    for one in late:
        start = one.span.start
        before = max(other.outer.end for other in command.args if other.span.end < start)
        blank = not parsed.data[before:start].strip()
        made.append(Edit(Span(before if blank else start, one.span.end), b""))
    at = command.args[0].outer.end
    kinds = "".join(f" {one.text}" for one in late).encode()
    return [Edit(Span(at, at), kinds), *made] if late else []


def _after(parsed: ProjectFile, command: Command) -> Iterator[str]:
    """The lines that follow: how a target of headers is linked, which FindCUDA says for each target, and the runtime.

    Source: FindCUDA.cmake.
    """
    if cmake_targets.of_headers_alone(parsed, command) and "INTERFACE" not in command.words():
        yield f"set_target_properties({command.args[0].text} PROPERTIES LINKER_LANGUAGE CXX)"
    yield from _link(parsed, command)


def _link(parsed: ProjectFile, command: Command) -> Iterator[str]:
    """The line that gives HIP's runtime and headers to a target with sources for the host's compiler, if none does.

    Before it comes one that looks for HIP, where no other does.
    """
    if not _is_linked(parsed, command):
        return
    found = cmake.commands(parsed)
    if not parsed.cmake.finds and not any(map(cmake_tree.looks_for_gpu, found)):
        branches = cmake.branches(found)
        earlier = [one for one in found if one.name.startswith("cuda_add_") and one.span.start < command.span.start]
        outer = [branches[one.span] for one in earlier if _is_linked(parsed, one)]
        if not any(branches[command.span][: len(one)] == one for one in outer):
            yield "find_package(hip REQUIRED)"
    sides = any(not _SIDES.isdisjoint(words) for words in _links(parsed, command))
    side = "PRIVATE " if sides else ""  # CMake refuses both forms
    yield f"target_link_libraries({command.args[0].text} {side}hip::host)"


def _is_linked(parsed: ProjectFile, command: Command) -> bool:
    """Whether a target gets HIP's runtime by a line of its own."""
    asked = any(_RUNTIME.search(word) for words in _links(parsed, command) for word in words)
    return bool(command.args) and _has_host_sources(parsed, command) and not asked


def _links(parsed: ProjectFile, command: Command) -> list[list[str]]:
    """What the file links to a target, where that is the one which the command makes: no other branch's of its name."""
    found, target = cmake.commands(parsed), command.args[0].text
    links = [one for one in found if one.name == "target_link_libraries" and one.words()[:1] == [target]]
    if not links:
        return []
    beside = partial(cmake.is_beside, command=command, branches=cmake.branches(found), of=cmake.conditionals(found))
    return [one.words()[1:] for one in links if not beside(one)]


def _has_host_sources(parsed: ProjectFile, command: Command) -> bool:
    """Whether something else than sources for the GPU and headers is, or may be, among the sources of a target."""
    found = next((one for one in cmake_targets.of(parsed) if one.command == command), None)
    return found is None or not cmake_targets.for_gpu_alone(found)
