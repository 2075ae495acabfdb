"""Builds for machines of 32 bits that a Makefile asks nvcc for in any case: `-m32` under no condition, or a true one.

ROCm has libraries of 64 bits alone. Makefiles often choose the option by the machine that they run on, which leaves it
out there: only what the values in the files show to be read is such a build.
"""

from __future__ import annotations

from cudamigrate.analysis.makefile_branches import NOTHING
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Use

USE = "32-bit build"
"""The name of the use that stands for such an option."""
_OPTIONS = ("-m32", "--m32")
_SIDES = re.compile(rb"\"([^\"]*)\"\"([^\"]*)\"|'([^']*)''([^']*)'|\(([^,]*),([^,]*)\)")
"""What a condition compares, without blanks."""
_STRIPPED = re.compile(rb"\$[({]strip(\$[({][\w.-]+[)}])[)}]")
_VARIABLE = re.compile(rb"\$[({]([\w.-]+)[)}]")


def noted(variables: Variables, file: Makefile, use: Use) -> Use:
    """The use of an option, as one of such a build where it is."""
    if use.kind != "option" or use.name not in _OPTIONS or not _is_read(variables, file, use.span.start):
        return use
    return replace(use, kind="name", name=USE)


def _is_read(variables: Variables, file: Makefile, offset: int) -> bool:
    """Whether make reads a place by the values that the files set."""
    return all(_truth(variables, kind, words) is holds for kind, words, holds in variables.asked(file, offset))


def _truth(variables: Variables, kind: str, words: bytes) -> bool | None:
    """Whether a condition is true, None where that is not known."""
    if kind == "def":
        value = _value(variables, words.decode("latin-1"))
        return None if value is None else value != b""
    match = _SIDES.fullmatch(words)
    sides = [_text(variables, one) for one in match.groups() if one is not None] if match else []
    return None if None in sides or not sides else sides[0] == sides[1]


def _text(variables: Variables, side: bytes) -> bytes | None:
    """What one side of a comparison is, by a variable's value where it is one."""
    side = _STRIPPED.sub(rb"\1", side)
    named = _VARIABLE.fullmatch(side)
    if named is not None:
        return _value(variables, named[1].decode("latin-1"))
    return None if b"$" in side else side


def _value(variables: Variables, name: str) -> bytes | None:
    """The one value that the files set a variable to, under no condition and as plain text; None for any other."""
    lines = variables.assigned.get(name, ())
    if len(lines) != 1 or lines[0][1].operator == "+=":
        return None
    file, line = lines[0]
    text = file.text(line.value).strip()
    return text if b"$" not in text and variables.asked(file, line.span.start) == NOTHING else None
