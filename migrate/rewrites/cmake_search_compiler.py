"""CMake's search for nvcc, by which the project only compiles -> one for hipcc, in ROCm's folder too."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_OF_TOOLKIT = re.compile(r"(?:/usr/local|/opt)/cuda[\w.-]*/bin")
_KEYWORDS = frozenset(("NAMES", "HINTS", "PATHS", "PATH_SUFFIXES", "DOC", "REQUIRED", "NO_DEFAULT_PATH", "NO_CACHE"))
"""Words with which the command has no bare list of folders."""
_LAST = frozenset(("DOC", "REQUIRED", "NO_DEFAULT_PATH", "NO_CACHE", "PATH_SUFFIXES"))
"""Words that may be behind the folders."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The name, and with the first of a command the folder of the toolkit becomes ROCm's, or that is added."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None:
        return []
    named = Edit(use.span, b"hipcc")
    first = next((one for one in parsed.uses if one.name == use.name and _is_in(one, command)), use)
    if first != use:
        return [named]
    there = [one for one in command.args if _OF_TOOLKIT.fullmatch(one.text)]
    if there:
        return [named, *(Edit(one.span, words[0].encode()) for one in there[:1]), *_without(parsed, there[1:])]
    paths = next((one for one in command.args if one.text == "PATHS"), None)
    if paths is not None:
        return [named, Edit(Span(paths.span.end, paths.span.end), f" {words[0]}".encode())]
    given = command.words()
    at = next((number for number, word in enumerate(given) if word in _LAST), len(given))
    keyword = "PATHS " if _KEYWORDS.intersection(given) else ""
    end = command.args[at - 1].outer.end
    return [named, Edit(Span(end, end), f" {keyword}{words[0]}".encode())]


def _is_in(use: Use, command: Command) -> bool:
    return command.span.start <= use.span.start < command.span.end


def _without(parsed: ProjectFile, folders: Sequence[Argument]) -> list[Edit]:
    """More folders of the toolkit go, each with what parts it from the one before."""
    starts = (len(parsed.data[: one.outer.start].rstrip()) for one in folders)
    return [Edit(Span(start, one.outer.end), b"") for start, one in zip(starts, folders, strict=True)]
