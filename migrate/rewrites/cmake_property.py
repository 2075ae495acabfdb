"""Separable compilation, a property of CUDA's targets -> the option that HIP has for it, at compiling and linking."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_separable
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where the property is switched off."""
    command = cmake.command_at(parsed, use.span.start)
    words = command.words() if command is not None else []
    following = [words[n + 1 : n + 2] for n, word in enumerate(words) if word == cmake_separable.PROPERTY]
    return not any(after and after[0].upper() in ("OFF", "FALSE", "0", "NO") for after in following)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The property goes and two lines come; none where it is read, or set in another way."""
    command = cmake.command_at(parsed, use.span.start)
    name = cmake_separable.target(command) if command is not None else ""
    if command is None or not name:
        return []
    texts = command.words()
    number = next(n for n, one in enumerate(command.args) if one.span.start <= use.span.start < one.span.end)
    if number + 1 >= len(texts) or texts[number + 1].upper() not in cmake_separable.ON:
        return []
    end = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    scope = cmake_separable.scope(parsed, name)
    linking = [words[0], *(() if scope == "PRIVATE" else ("--hip-link",))]
    options = " ".join(f"$<$<LINK_LANGUAGE:HIP>:{one}>" for one in linking)
    lines = [
        f"target_compile_options({name} {_own(scope)} $<$<COMPILE_LANGUAGE:HIP>:{words[0]}>)",
        f"target_link_options({name} {scope} {options})",
    ]
    new = end.join(line.encode() for line in lines)
    if number + 2 == len(texts) and texts[number - 1] in ("PROPERTIES", "PROPERTY"):
        return [Edit(command.span, new)]
    before, value = command.args[number - 1].span, command.args[number + 1]
    start = before.end + command.args[number - 1].around
    after = Edit(Span(command.span.end, command.span.end), end + new)
    return [Edit(Span(start, value.outer.end), b""), after]


def _own(scope: str) -> str:
    """Who compiles by the option: the users of a target alone where that compiles nothing itself."""
    return "INTERFACE" if scope == "INTERFACE" else "PRIVATE"
