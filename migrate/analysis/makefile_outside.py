"""What Makefiles take from outside: the toolkit's folder that nvcc is in, rules, and text that a script puts in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import makefile_folders
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import library_files
from cudamigrate.syntax.makefile import Line
from cudamigrate.syntax.project_file import use_at

OF_CONFIGURE = (".am", ".in")
"""Files whose places a configure script fills, which is read itself."""
_FOR_NVCC_ALONE = re.compile(r"(?i)(?=\w*(?:nvcc|cuda))\w*(?:flag|opt)|gencode")
"""A variable for nothing but options of nvcc: `NVCC_FLAGS`, `CUDA_OPTS`, no `CUDA_PATH`."""
_PUT_IN = re.compile(rb"(?<![@\w])(@{1,3})[A-Za-z_]\w*\1(?![@\w])|%%[A-Za-z_]\w*%%|\{\{[ ]*[A-Za-z_][\w.]*[ ]*\}\}")
"""A place where a script puts text before make reads the file: `@@@FLAGS@@@`, `%%FLAGS%%`, `{{ flags }}`."""
_ROOT = re.compile(makefile_folders.ABOVE_NVCC)
_BY_DEFAULT = re.compile(makefile_folders.ROOT)
_LIBRARIES = re.compile(rb"/((?:lib64|targets/[\w-]+-linux/lib)(?![\w-])" + library_files.STUBS.encode() + rb")")
_NAMED = re.compile(rb"(?<!\S)(?:\$[({]\w+[)}]/|[./\w])[^\s$%*?]*[\w+-](?!\S)")
"""A file that an include spells, behind a variable for its folder at most: `$(SDK)/common/common.mk`."""
_SOURCE = re.compile(rb"(?:^|[\s/:,%*])[\w.+-]*\.cu(?![\w.])")
"""A source that nvcc compiles, or a pattern of them."""
_NVCC = re.compile(rb"(?:\S*/)?nvcc(?![\w.-])")


def uses(variables: Variables, file: Makefile, found: Sequence[Use]) -> Iterator[Use]:
    """Uses beside those that were found: the folder of nvcc's toolkit again, and the include of what calls nvcc."""
    yield from _again(variables, file, found)
    if not _is_called(variables) and any(map(_is_for_nvcc, variables.files)):
        there = {one.path.rpartition("/")[2] for one in variables.files}
        for line in (one for one in file.lines if one.kind == "include"):
            for named in _NAMED.finditer(file.data, line.value.start, line.value.end):
                path = named[0].decode("utf-8", "replace")
                if path.startswith("/") or (_is_demanded(file, line) and path.rpartition("/")[2] not in there):
                    yield use_at("include from outside", *named.span())


def places(file: Makefile, line: Line, part: Span) -> Iterator[Use]:
    """Where a script puts text into what nvcc alone gets: a command of a recipe, or a variable for its options."""
    if (line.kind == "recipe" or _FOR_NVCC_ALONE.search(line.name)) and not file.path.endswith(OF_CONFIGURE):
        for place in _PUT_IN.finditer(file.data, part.start, part.end):
            yield use_at("text put in for nvcc", *place.span())


def _again(variables: Variables, file: Makefile, found: Sequence[Use]) -> Iterator[Use]:
    """Where the folder that nvcc is in, somewhere else than by default, is named for its headers or libraries."""
    roots = {match[0] for one in variables.files for match in _ROOT.finditer(one.data)}
    roots = {root for root in roots if not _BY_DEFAULT.fullmatch(root)}
    if not roots:
        return
    there = {use.span.start for use in found}
    again = re.compile(
        rb"(?:(?<=-[IL])|(?<![\w.)}/-]))(?:" + rb"|".join(map(re.escape, sorted(roots))) + rb")(?![\w.-])"
    )
    for line in (one for one in file.lines if one.kind in ("assignment", "recipe")):
        for match in again.finditer(file.data, line.value.start, line.value.end):
            if match.start() in there:
                continue
            yield use_at("/usr/local/cuda", *match.span())
            library = _LIBRARIES.match(file.data, match.end(), line.value.end)
            if library is not None:
                yield use_at("lib64 of CUDA", *library.span(1))


def _is_called(variables: Variables) -> bool:
    """Whether a command of the tree's own Makefiles calls nvcc."""
    return any("nvcc" in variables.compiler(file, part) for file, part, _ in variables.commands())


def _is_for_nvcc(file: Makefile) -> bool:
    """Whether a variable's value is nvcc, options that it is called after, or sources for it."""
    assigned = [(line.name, file.text(line.value).strip()) for line in file.lines if line.kind == "assignment"]
    return any(
        _NVCC.match(value) or (value and _FOR_NVCC_ALONE.search(name)) or _SOURCE.search(value)
        for name, value in assigned
    )


def _is_demanded(file: Makefile, line: Line) -> bool:
    """Whether make stops where the file that a line includes is not there."""
    return file.data.startswith(b"include", line.span.start)
