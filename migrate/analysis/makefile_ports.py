"""Makefiles that build for AMD beside CUDA: the condition that asks for it, and what that build gets of CUDA.

The build for AMD has what no condition of the file keeps from it. Lines in branches for CUDA are none of it, nor those
under a condition that is not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.makefile import Line

_SWITCH = re.compile(rb"(?<![A-Za-z])(?:HIP(?!SYCL)|ROCM)")
_HIPCC = re.compile(rb"[@+-]*(?:\S*/)?hipcc")
_NVCC = re.compile(rb"(?<![\w.-])nvcc\b")
_COMPARED = re.compile(
    rb"\s*(?:\(\s*\$[({](?P<name>[\w.-]+)[)}]\s*,(?P<value>[^()$,]*)\)"
    rb"|[\"']\$[({](?P<quoted>[\w.-]+)[)}][\"']\s+[\"'](?P<text>[^\"'$]*)[\"'])\s*"
)
"""A variable and what it is compared with: `($(GPU),AMD)`, `"$(GPU)" "AMD"`."""
_NAME = re.compile(rb"\s*([\w.-]+)\s*")
_OF_CUDA = re.compile(r"cuda|nv", re.IGNORECASE)
_FOLDER = ("-I", "-L", "-isystem")
"""Options whose folder need not be there."""
_FIRST = 3
"""How many words of a command are looked at for its compiler."""


class Test(NamedTuple):
    """What a branch needs: that a variable has a value, or that it is set at all, or the contrary.

    Where `value` is None the variable is only set; a `name` that is empty is a condition of another form.
    """

    name: str
    value: str | None
    holds: bool

    def contrary(self) -> Test:
        """The same for the other branch."""
        return self._replace(holds=not self.holds)

    def text(self) -> tuple[bytes, bytes]:
        """How make asks for it, and for its contrary."""
        if self.value is None:
            asks = b"ifdef %s" % self.name.encode(), b"ifndef %s" % self.name.encode()
        else:
            given = (self.name.encode(), self.value.encode())
            asks = b"ifeq ($(%s),%s)" % given, b"ifneq ($(%s),%s)" % given
        return asks if self.holds else (asks[1], asks[0])


def place(data: bytes, line: Line) -> Span | None:
    """Where a line calls hipcc, or asks whether to build for AMD."""
    if line.kind == "conditional":
        switch = _SWITCH.search(data, line.value.start, line.value.end)
        return Span(line.span.start, line.value.end) if switch is not None else None
    return _hipcc(data, line)


def _hipcc(data: bytes, line: Line) -> Span | None:
    if line.kind not in ("assignment", "recipe"):
        return None
    words = next(makefile.segments(data, line.value.start, line.value.end)).words
    for word in words[: 1 if line.kind == "assignment" else _FIRST]:
        if _HIPCC.fullmatch(data, word.span.start, word.span.end):
            return word.span
    return None


def _needed(lines: Sequence[Line], data: bytes) -> list[tuple[Line, tuple[Test, ...]]]:
    """The lines that are no conditions, each with what it needs."""
    around: list[list[Test]] = []
    found = []
    for line in lines:
        if line.kind != "conditional":
            found.append((line, tuple(test for tests in around for test in tests)))
            continue
        beside = data[line.span.start : line.span.end].lstrip().startswith(b"else")
        before = around.pop() if (beside or line.name == "endif") and around else []
        if line.name == "endif":
            continue
        refused = [*before[:-1], before[-1].contrary()] if before else []
        around.append(refused if line.name == "else" else [*refused, _test(data, line)])
    return found


def _test(data: bytes, line: Line) -> Test:
    text, holds = data[line.value.start : line.value.end], line.name in ("ifeq", "ifdef")
    if line.name in ("ifdef", "ifndef"):
        named = _NAME.fullmatch(text)
        return Test(named[1].decode() if named else "", None, holds)
    match = _COMPARED.fullmatch(text)
    if match is None:
        return Test("", text.decode("utf-8", "replace"), holds)
    name, value = (match["name"], match["value"].strip()) if match["name"] else (match["quoted"], match["text"])
    return Test(name.decode(), value.decode("utf-8", "replace"), holds)


def _build(needed: Iterable[tuple[Line, tuple[Test, ...]]], data: bytes) -> tuple[Test, ...]:
    """What the first line that makes hipcc the compiler under a condition needs."""
    return next((tests for line, tests in needed if tests and _hipcc(data, line) is not None), ())


def switch(data: bytes) -> tuple[Test, ...] | None:
    """The one condition that a Makefile asks for its own build for AMD, empty where it asks more than one.

    None where the file has no such build, or hipcc is called whatever is asked.
    """
    build = _build(_needed(makefile.read(data), data), data)
    if not build:
        return None
    surer = [one for one in build if one.holds and one.value is not None]
    left = [one for one in build if not any(sure != one and _refuses(sure, one.contrary()) for sure in surer)]
    return tuple(left) if len(left) == 1 and left[0].name else ()


def is_known(data: bytes, test: Test, offset: int) -> bool:
    """Whether a condition has at an offset the answer that it has where the file asks: nothing between sets it.

    A default that is not AMD's build changes no answer: who wants that build sets the variable before make reads.
    """
    lines = makefile.read(data)
    asked = next((line.span.start for line, tests in _needed(lines, data) if tests and _hipcc(data, line)), 0)
    first, last = sorted((asked, offset))
    for line in lines:
        if not first <= line.span.start < last:
            continue
        if line.kind == "include":
            return False
        if line.kind == "assignment" and line.name == test.name:
            value = data[line.value.start : line.value.end].decode("utf-8", "replace").strip()
            if "$" in value or not test.holds or test.value in (None, value):
                return False
    return True


def _refuses(sure: Test, other: Test) -> bool:
    """Whether one condition, where it holds, keeps another one from holding."""
    if sure.name != other.name or not sure.name:
        return False
    if sure.value == other.value:
        return sure.holds != other.holds
    return sure.holds and other.holds and None not in (sure.value, other.value)


def gaps(variables: Variables, file: Makefile, uses: Sequence[Use]) -> Iterator[Use]:
    """Of the uses in a Makefile that builds for AMD those which that build gets: options of nvcc's, CUDA's libraries.

    Also the options of a HIP of years ago, wherever they are.
    """
    reached = [line.value for line in _of_amd(variables, file)]
    for use in uses:
        gets = use.kind == "option" and not use.name.startswith(_FOLDER)
        if compiler_options.is_old(use) or (gets and any(one.start <= use.span.start < one.end for one in reached)):
            yield use


def _of_amd(variables: Variables, file: Makefile) -> Iterator[Line]:
    """The lines whose words hipcc gets: commands that call it, and what is assigned to the variables in them."""
    needed = _needed(file.lines, file.data)
    build = _build(needed, file.data)
    if not build:
        return
    cuda = {tests[-1] for line, tests in needed if tests and _calls_nvcc(file, line)} - set(build)
    lines = [line for line, tests in needed if _is_amds(tests, build, cuda)]
    compilers = {line.name for line in lines if line.kind == "assignment" and _hipcc(file.data, line) is not None}
    names = list[str]()
    for line in lines:
        parts = makefile_variables.commands(file, line) if line.kind == "recipe" else ()
        if any(_calls(file, part, compilers) for part in parts):
            yield line
            names += makefile_variables.references(file, line.value)
    for name in names:  # grows
        for line in lines:
            if line.kind == "assignment" and line.name == name:
                names += [one for one in makefile_variables.references(file, line.value) if one not in names]
    yield from (line for line in lines if line.kind == "assignment" and line.name in names)


def _calls_nvcc(file: Makefile, line: Line) -> bool:
    return line.kind in ("assignment", "recipe") and _NVCC.search(file.text(line.value)) is not None


def _calls(file: Makefile, part: Span, compilers: Set[str]) -> bool:
    """Whether a command calls hipcc, by its name or through a variable that may hold it."""
    for word in next(makefile.segments(file.data, part.start, part.end)).words[:_FIRST]:
        outer = list(makefile.expansions(file.data, word.span.start, word.span.end))
        called = bool(outer) and outer[-1].name in compilers and outer[-1].span.end == word.span.end
        if called or _HIPCC.fullmatch(file.text(word.span)):
            return True
    return False


def _is_amds(tests: Sequence[Test], build: Sequence[Test], cuda: Set[Test]) -> bool:
    """Whether the build for AMD may read a line that needs `tests`; `cuda` are the conditions for nvcc."""
    for test in tests:
        if test in build:
            continue
        if not test.name or test in cuda or _OF_CUDA.search(test.name) or any(_refuses(one, test) for one in build):
            return False
    return True
