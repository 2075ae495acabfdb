"""Command lines that compile: where the first input file is named, for options that clang reads for what follows alone.

nvcc reads an option wherever it is on the line.
"""

from __future__ import annotations

from cudamigrate.analysis import makefile_languages, makefile_variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile

_LANGUAGES = ("shell", "docker")
"""Languages whose lines are commands; Makefiles are read by their rules and variables."""
_BREAK = re.compile(rb"(?<!\\)\r?\n|;|&&|\|")
"""What ends the command before; a line that goes on after a backslash ends none."""
_COMPILER = re.compile(r"(?:\S*/)?nvcc|\$\{?\w*NVCC\w*\}?", re.IGNORECASE)
_INPUT = re.compile(r"[^-\s]\S*\.(?:cu|cc|cpp|cxx|c|C)")
_NAMES_OUTPUT = ("-o", "--output-file", "-include", "-MF", "-MT", "-MQ")
"""Options whose argument is a file that is no input."""


def before(parsed: ProjectFile, use: Use) -> int | None:
    """Where the first input begins that a command names before an option; None where no command names one there."""
    if parsed.source.language == "make":
        return makefile_languages.first_before(parsed.once(makefile_variables.of), use.span.start)
    if parsed.source.language not in _LANGUAGES:
        return None
    data, start = parsed.data, 0
    for match in _BREAK.finditer(data, 0, use.span.start):
        start = match.end()
    words = compiler_options.words(data, start, use.span.start)
    number = next((n for n, word in enumerate(words) if _COMPILER.fullmatch(word.text)), len(words))
    for earlier, word in zip(words[number:], words[number + 1 :], strict=False):
        if _INPUT.fullmatch(word.text) and earlier.text not in _NAMES_OUTPUT:
            quoted = data[word.span.start - 1 : word.span.start] in (b'"', b"'")
            return word.span.start - quoted
    return None
