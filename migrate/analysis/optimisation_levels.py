"""Options for optimised code behind another option: of those for one compiler the last one counts."""

from __future__ import annotations

from collections.abc import Container, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import cmake, compiler_options, option_lists
from cudamigrate.syntax.project_file import ProjectFile

_TEXT = rb"(?:[^\n\"'#;|&\\]|\\\r?\n)*"
"""The rest of a text of options, over joined lines."""
_LEVEL = re.compile(rb"(?<=\s)-O(?:[1-3sz]|fast)?(?=[\s\"';#)]|\Z)")
"""An option for optimised code: `-O3`, `-O`."""


def after(parsed: ProjectFile, span: Span, commands: Container[str]) -> int | None:
    """Where the last `-O` behind an option of the same text ends, which would take back one that is before it.

    `commands` are the languages whose options are words of a command line; None where there is no such option.
    """
    data, language = parsed.data, parsed.source.language
    if language == "cmake":
        command = cmake.command_at(parsed, span.start)
        given = [one for one in command.args if one.span.start <= span.start < one.span.end] if command else []
        if not given or not given[0].quoted or ";" in given[0].text or "$<" in given[0].text:
            return None
        end = given[0].span.end
    elif language in commands and not compiler_options.quote(data, span):
        end = option_lists.match(_TEXT, data, span.end)
    else:
        return None
    levels = [match.end() for match in _LEVEL.finditer(data, span.end, end)]
    return levels[-1] if levels else None


def moved(span: Span, new: Sequence[str], gap: Edit | None, level: int) -> list[Edit]:
    """The edits for an option to debug: its own words, and that for the device behind a level that the line has later.

    `gap` takes the option out; without it nothing is changed where no word is left.
    """
    first = [word for word in new if not word.endswith("-O0")]
    gone = Edit(span, " ".join(first).encode()) if first else gap
    return [] if gone is None else [gone, Edit(Span(level, level), b" -Xarch_device -O0")]
