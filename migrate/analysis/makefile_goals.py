"""Words of Makefiles that are names of targets, and no compiler: `all: nvcc clang`, with a rule `nvcc:` of its own.

What a rule is of and made of, in front of a `;`, make looks for among its targets and files. So it does with the words
that a call of make ends in, and with those of a variable that only such places read, where a rule is of that name.
"""

from __future__ import annotations

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables, commands
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_MAKE = re.compile(rb"[\s@+-]*(?:\$[({]MAKE[)}]|(?:[\w./-]*/)?g?make)(?=\s|\Z)")
_BEFORE, _BEHIND = (b"", b" ", b"\t", b":", b"|"), (b"", b" ", b"\t", b"\r", b"\n", b"|", b";", b"\\")


def is_goal(variables: Variables, file: Makefile, line: Line, word: Span) -> bool:
    """Whether a word of a line is what make is to make."""
    before = file.data[max(word.start - 1, 0) : word.start] if word.start > line.span.start else b""
    if before not in _BEFORE or file.data[word.end : word.end + 1] not in _BEHIND:
        return False
    if any(one.span.start < word.start < one.span.end for one in makefile.expansions(file.data, *_ends(line))):
        return False
    if line.kind != "assignment":
        return _is_made(file, line, word)
    name = file.text(word)
    readers = variables.reading(line.name) if _is_target(variables, name) else ()
    uses = [_reads(other, one, line.name) for other, one in readers]
    return bool(uses) and all(uses)


def _ends(line: Line) -> tuple[int, int]:
    return line.span.start, line.span.end


def _is_made(file: Makefile, line: Line, word: Span) -> bool:
    """Whether a place is in the head of a rule, or among what a command passes to make."""
    if line.kind == "rule":
        return file.data.find(b";", line.span.start, word.start) < 0
    if line.kind != "recipe":
        return False
    part = next((one for one in commands(file, line) if one.start <= word.start < one.end), None)
    return part is not None and _MAKE.match(file.data, part.start, word.start) is not None


def _is_target(variables: Variables, name: bytes) -> bool:
    """Whether a rule is of a name."""
    for file in variables.files:
        for line in file.lines:
            head = makefile.TARGETS.match(file.data, *_ends(line)) if line.kind == "rule" else None
            if head is not None and name in head[0].rstrip(b":").split():
                return True
    return False


def _reads(file: Makefile, line: Line, name: str) -> bool:
    """Whether a line reads a variable only for what make is to make."""
    found = [one.span for one in makefile.expansions(file.data, *_ends(line)) if one.name == name]
    return bool(found) and all(_is_made(file, line, one) for one in found)
