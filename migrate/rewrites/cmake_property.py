"""Separable compilation, a property of CUDA's targets -> the option that HIP has for it, at compiling and linking."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where the property is switched off."""
    command = cmake.command_at(parsed, use.span.start)
    words = command.words() if command is not None else []
    following = [words[n + 1 : n + 2] for n, word in enumerate(words) if word == use.name]
    return not any(after and after[0].upper() in ("OFF", "FALSE", "0", "NO") for after in following)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The property goes and two lines come; none where it is read, or set in another way."""
    command = cmake.command_at(parsed, use.span.start)
    if command is None or command.name != "set_target_properties":
        return []
    texts = command.words()
    if "PROPERTIES" not in texts[1:] or texts.index("PROPERTIES") != 1:
        return []  # several targets
    number = next(n for n, one in enumerate(command.args) if one.span.start <= use.span.start < one.span.end)
    if number + 1 >= len(texts) or texts[number + 1].upper() not in ("ON", "TRUE", "1", "YES"):
        return []
    end = cmake.line_end(parsed.data) + cmake.indent(parsed.data, command.span.start)
    scope = "INTERFACE" if _is_interface(texts[0], parsed) else "PRIVATE"
    lines = [
        f"target_compile_options({texts[0]} {scope} $<$<COMPILE_LANGUAGE:HIP>:{words[0]}>)",
        f"target_link_options({texts[0]} {scope} $<$<LINK_LANGUAGE:HIP>:{words[0]}>)",
    ]
    new = end.join(line.encode() for line in lines)
    if len(texts) == 4:
        return [Edit(command.span, new)]
    before, value = command.args[number - 1].span, command.args[number + 1]
    start = before.end + command.args[number - 1].around
    after = Edit(Span(command.span.end, command.span.end), end + new)
    return [Edit(Span(start, value.outer.end), b""), after]


def _is_interface(target: str, parsed: ProjectFile) -> bool:
    """Whether a target compiles nothing itself: CMake lets it have options for its users alone."""
    return any(one.name == "add_library" and one.words()[:2] == [target, "INTERFACE"] for one in cmake.commands(parsed))
