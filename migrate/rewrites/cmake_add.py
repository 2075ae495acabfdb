"""The commands of FindCUDA that make targets -> CMake's own, with what FindCUDA does for a target by itself.

It links CUDA's runtime and gives the host's sources the folder of its headers, whether the project asks for them or
not; and it takes options among the sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_targets
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl")
_WORDS = frozenset(("STATIC", "SHARED", "MODULE", "EXCLUDE_FROM_ALL", "WIN32", "MACOSX_BUNDLE"))
_RUNTIME = re.compile(
    r"CUDA_(?:CUDART_)?LIBRAR(?:IES|Y)|CUDA::(?:cudart(?:_static)?|cuda_driver)|cudart(?:_static)?|hip::host"
)
_SIDES = frozenset(("PUBLIC", "PRIVATE", "INTERFACE"))


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new command; options for nvcc become a variable, and the options of the target for HIP.

    They stay where they are: each is converted by itself.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or not command.args:
        return []
    name = Edit(use.span, words[0].encode())
    at = cmake.options_at(command)
    begin = cmake.line_end(parsed.data).decode() + cmake.indent(parsed.data, command.span.start).decode()
    linked = "".join(f"{begin}{line}" for line in _link(parsed, command))
    end = Span(command.span.end, command.span.end)
    if at is None:
        more = [Edit(end, linked.encode())] if linked else []
        return [] if "OPTIONS" in command.words() else [name, *more]
    target = command.args[0].text
    held = f"{target}_hip_options"
    given = f'{begin}target_compile_options({target} PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:${{{held}}}>"){linked}'
    return [name, Edit(command.args[at].span, f"){begin}set({held}".encode()), Edit(end, given.encode())]


def _link(parsed: ProjectFile, command: Command) -> Iterator[str]:
    """The line that gives HIP's runtime and headers to a target with sources for the host's compiler, if none does."""
    target = command.args[0].text
    links = [one.words() for one in cmake.commands(parsed) if one.name == "target_link_libraries"]
    own = [words[1:] for words in links if words[:1] == [target]]
    if _has_host_sources(parsed, command) and not any(_RUNTIME.search(word) for words in own for word in words):
        side = "PRIVATE " if any(not _SIDES.isdisjoint(words) for words in own) else ""  # CMake refuses both forms
        yield f"target_link_libraries({target} {side}hip::host)"


def _has_host_sources(parsed: ProjectFile, command: Command) -> bool:
    """Whether something else than sources for the GPU and headers is, or may be, among the sources of a target."""
    found = next((one for one in cmake_targets.of(parsed) if one.command == command), None)
    if found is None:
        return True
    given = [one for one in command.args[1 : cmake.options_at(command)] if one.text not in _WORDS]
    return not found.pure or any(one not in found.chosen and not one.text.endswith(_HEADERS) for one in given)
