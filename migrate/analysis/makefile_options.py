"""Options of nvcc's in Makefiles, as uses: in commands, in variables, and in what recipes give make for variables."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import (
    makefile_given,
    makefile_libtool,
    makefile_machine,
    makefile_modes,
    makefile_outside,
    makefile_tools,
    makefile_variables,
)
from cudamigrate.analysis.makefile_gpus import GpuChanges
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.makefile import Line
from cudamigrate.syntax.project_file import use_at

_FOR_NVCC = re.compile(
    rb"nvcc|cuda|gencode|^nv_?(?:cc|cu)?_?flags|^cu_?flags|^sm_?flags|^arch_?flags|ptxas", re.IGNORECASE
)
"""A variable whose value holds options of nvcc, in any case: `NVCCFLAGS`, `CUFLAGS`, `GENCODE`, `ARCH_FLAGS`."""
HANDED_ON = "options for the host's compiler"
"""The name of the use that stands for what nvcc passes on to that."""
_ASSIGNS = ("=", "+=", ":=", "?=")
_HOST_OPTIONS = (b"-Xcompiler", b"-Xcompiler=", b"--compiler-options", b"--compiler-options=")


def uses(variables: Variables, file: Makefile, line: Line, changes: GpuChanges) -> Iterator[Use]:
    """Options of nvcc's: all where nvcc alone can get them, elsewhere those which mean nvcc whatever is around them."""
    data, skipped = file.data, set[int]()
    for expansion in makefile.all_expansions(data, line.value.start, line.value.end):
        if expansion.name == "addprefix" and file.text(expansion.args[0]).strip() in _HOST_OPTIONS:
            skipped.add(expansion.args[0].start)
            whole = expansion.span
            yield Use("name", "addprefix -Xcompiler", whole, whole, expansion.args, certainty="syntax")
            yield use_at(HANDED_ON, expansion.args[-1].start, expansion.args[-1].end)
    parts = makefile_variables.commands(file, line) if line.kind == "recipe" else (line.value,)
    for part in parts:
        if line.kind == "recipe" and makefile_tools.is_called(file, part):
            continue
        mex = makefile_modes.is_mexs(variables, file, line, part)
        others = mex or not _is_nvccs(variables, file, line, part)
        if not others:
            yield from makefile_outside.places(file, line, part)
        called = variables.compiler_word(file, part) if line.kind == "recipe" and not others else None
        first = called.start if called is not None else 0  # before it are options of what runs it, as libtool is
        unknown = others and line.kind == "recipe" and not variables.compiler(file, part)
        for segment in makefile.segments(data, part.start, part.end):
            plain = others and not _is_evaluated_for_nvcc(variables, data, segment)
            words = _read_words(segment, first, skipped)
            found = [_with_wrapper(variables, file, use) for use in compiler_options.uses(words)]
            found = makefile_libtool.without_libtools(variables, file, line, part, found) if plain else found
            every = not plain or compiler_options.for_nvcc(found, data)
            for use in found:
                if (unknown and compiler_options.is_parted(use)) or (mex and not use.name.startswith(("-l", "-L"))):
                    continue  # `ls -l cuda`; options that `mex` hands to nvcc
                if every or compiler_options.is_plain(use, data) or use.span.start in changes.options:
                    yield makefile_machine.noted(variables, file, use)
                    yield from _handed_on(use)
    yield from _given(variables, file, line)


def _handed_on(use: Use) -> Iterator[Use]:
    """What an option passes on to the host's compiler."""
    if compiler_options.passes_on(use.name):
        value = use.args[0] if use.args else use.span
        yield use_at(HANDED_ON, value.start, value.end)


def _read_words(segment: makefile.Segment, first: int, skipped: set[int]) -> list[compiler_options.Word]:
    """The words from a place on, without those that are read as a call of make's."""
    words = (one for one in segment.words if one.span.start >= first)
    return [word for word in words if not any(0 <= word.span.start - at < 3 for at in skipped)]


def _given(variables: Variables, file: Makefile, line: Line) -> Iterator[Use]:
    """Those in the values that a recipe gives make for variables, as if a Makefile assigned them."""
    for one in makefile_given.in_line(file, line):
        for segment in makefile.segments(file.data, one.value.start, one.value.end):
            found = [_with_wrapper(variables, file, use) for use in compiler_options.uses(segment.words)]
            every = _is_for_nvcc(variables, one.name) or compiler_options.for_nvcc(found, file.data)
            yield from (use for use in found if every or compiler_options.is_plain(use, file.data))


def _is_evaluated_for_nvcc(variables: Variables, data: bytes, segment: makefile.Segment) -> bool:
    """Whether words are an assignment to a variable of nvcc's that a recipe has make read: `$(eval NVCCFL += -G)`."""
    words = segment.words[:2]
    start = words[0].span.start if words else 0
    before = data[max(0, start - 20) : start].rstrip()
    if len(words) < 2 or words[1].text not in _ASSIGNS or not before.endswith(b"(eval"):
        return False
    name = words[0].text
    return _FOR_NVCC.search(name.encode()) is not None or name in variables.nvcc - variables.host


def _with_wrapper(variables: Variables, file: Makefile, use: Use) -> Use:
    """A host compiler in a variable is a wrapper where the variable holds the name of one."""
    if use.name.partition("=")[0] not in compiler_options.CHOOSING:
        return use
    span = use.args[0] if use.args else use.span
    held = (text.decode("utf-8", "replace").strip() for text in variables.texts(file, span)[1:])
    return compiler_options.as_wrapper(use) if any(map(compiler_options.WRAPPER.search, held)) else use


def _is_nvccs(variables: Variables, file: Makefile, line: Line, part: Span) -> bool:
    """Whether nvcc, and no other compiler, gets what a line assigns or a command says."""
    if line.kind == "assignment":
        return _is_for_nvcc(variables, line.name)
    kinds = variables.compiler(file, part)
    return kinds == {"nvcc"} or (
        not kinds and makefile_tools.COMPILES.search(file.data, part.start, part.end) is not None
    )


def _is_for_nvcc(variables: Variables, name: str) -> bool:
    """Whether nvcc, and no other compiler, gets what a variable holds: by the commands, or by its name."""
    named = _FOR_NVCC.search(name.encode()) is not None
    return named or (name in variables.nvcc and name not in variables.host)
