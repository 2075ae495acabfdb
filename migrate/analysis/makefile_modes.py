"""Variables of Makefiles that choose a way to build, or that MATLAB's `mex` gets: their words are none of nvcc's.

A variable is a mode where conditions compare it with words and no command is called by it. What a GPU's name is
demanded for is gone once the options that it is in name AMD's GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_gpus, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.makefile import Line

_MEX = re.compile(rb"[\"']?(?:\S*/)?mex(?:\.(?:exe|bat|sh))?[\"']?")
_SET = re.compile(rb"\s*[A-Za-z_]\w*=")
_EMPTY = re.compile(rb"\s*\(\s*\$[({](?P<name>[\w.-]+)[)}]\s*,\s*\)\s*")
_DEPTH = 4
"""So many variables are followed, one to the next."""
_DEMANDS = re.compile(rb"\$[({]error\b")
_ECHOES = re.compile(rb"\s*[@-]*\s*(?:echo|printf|exit|false|:)\b")


def is_mode(variables: Variables, name: str) -> bool:
    """Whether conditions ask for the value of a variable, and nothing else than what is printed reads it."""
    asked = False
    for file, line in variables.reading(name):
        if line.kind == "conditional":
            asked = True
        elif not makefile_gpus.is_message(file, line):
            return False
    return asked


def is_mode_word(variables: Variables, file: Makefile, line: Line) -> bool:
    """Whether a line sets such a variable, or compares it: `nvcc` in it is a word that somebody types."""
    if line.kind == "assignment":
        return is_mode(variables, line.name)
    if line.kind != "conditional":
        return False
    names = list(makefile_variables.references(file, line.value))
    return bool(names) and all(is_mode(variables, name) for name in names)


def by_mex(variables: Variables, file: Makefile, part: Span) -> bool:
    """Whether a command calls MATLAB's `mex`, by its name or a variable's value."""
    for word in next(makefile.segments(file.data, part.start, part.end)).words:
        text = file.text(word.span)
        if _SET.match(text):
            continue  # a variable of the environment
        outer = list(makefile.expansions(file.data, word.span.start, word.span.end))
        held = [text]
        if len(outer) == 1 and outer[0].span == word.span and not outer[0].args:
            held = [other.text(one.value).strip() for other, one in variables.assigned.get(outer[0].name, ())]
        return bool(held) and all(_MEX.fullmatch(one) for one in held)
    return False


def is_mexs(variables: Variables, file: Makefile, line: Line, part: Span) -> bool:
    """Whether a command, or what a line assigns, is for `mex`: its options are those of the compiler that this runs."""
    return by_mex(variables, file, part) if line.kind == "recipe" else for_mex(variables, line.name)


def for_mex(variables: Variables, name: str) -> bool:
    """Whether all commands that get a variable, through others or not, call `mex`."""
    if not any(b"mex" in file.data for file in variables.files):
        return False
    called = [by_mex(variables, file, part) for file, part in _getting(variables, name)]
    return bool(called) and all(called)


def _getting(variables: Variables, name: str) -> Iterator[tuple[Makefile, Span]]:
    """The commands of recipes that read a variable, through others or not."""
    names, size = {name}, 0
    while size != len(names):
        size = len(names)
        for other, found in variables.assigned.items():
            if any(not names.isdisjoint(makefile_variables.references(file, line.value)) for file, line in found):
                names.add(other)
    for file, part, _ in variables.commands():
        if not names.isdisjoint(makefile_variables.references(file, part)):
            yield file, part


def demanded(variables: Variables, file: Makefile) -> Iterator[Span]:
    """Where a Makefile asks for a variable for NVIDIA's GPUs that it refuses to build without.

    No file gives it a value, and only options that name GPUs, conditions and messages read it, through others or not.
    """
    for line in file.lines:
        name = _asked(file, line) if line.kind == "conditional" else ""
        empty = all(not other.text(one.value).strip() for other, one in variables.assigned.get(name, ()))
        if name and empty and _refuses(file, line) and _names_gpus(variables, name):
            text = file.text(line.value)
            start = line.value.start + len(text) - len(text.lstrip())
            yield Span(start, start + len(text.strip()))


def _asked(file: Makefile, line: Line) -> str:
    """The variable that a condition asks for being empty or undefined; empty for another condition."""
    if line.name == "ifndef":
        return file.text(line.value).strip().decode("utf-8", "replace")
    match = _EMPTY.fullmatch(file.text(line.value)) if line.name == "ifeq" else None
    return match["name"].decode() if match is not None else ""


def _refuses(file: Makefile, asking: Line) -> bool:
    """Whether the branch of a condition ends make, or has for all its rules one that only says what is missing."""
    inside = []
    for line in file.lines[file.lines.index(asking) + 1 :]:
        if line.kind == "conditional":
            break
        inside.append(line)
    if any(_DEMANDS.search(file.text(line.span)) for line in inside):
        return True
    recipes = [line for line in inside if line.kind == "recipe"]
    says = bool(recipes) and all(_ECHOES.match(file.text(line.value)) for line in recipes)
    return says and all(line.kind in ("rule", "recipe") or not file.text(line.span).strip() for line in inside)


def _names_gpus(variables: Variables, name: str, depth: int = _DEPTH) -> bool:
    """Whether a variable is read by options that name GPUs, and beside them by conditions and messages alone."""
    found = False
    for file in variables.files:
        for line in file.lines:
            places = list(makefile.all_expansions(file.data, line.value.start, line.value.end))
            reads = [one for one in places if one.name == name]
            if not reads or line.kind == "conditional" or makefile_gpus.is_message(file, line):
                continue
            options = list(_gpu_options(file, line))
            alone = all(any(one.start <= read.span.start < one.end for one in options) for read in reads)
            handed = line.kind == "assignment" and line.name != name and depth > 0
            if not alone and not (handed and _names_gpus(variables, line.name, depth - 1)):
                return False
            found = True
    return found


def _gpu_options(file: Makefile, line: Line) -> Iterator[Span]:
    for segment in makefile.segments(file.data, line.value.start, line.value.end):
        for use in compiler_options.uses(segment.words):
            if makefile_gpus.OPTION.match(use.name):
                yield from (use.span, *use.args)
