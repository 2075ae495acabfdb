"""NVIDIA's tools in Makefiles: those for binaries, with the variables whose files they are given, and profilers.

`nvprune` takes NVIDIA's GPUs out of an archive, `cuobjdump` lists them. Such a file stays the toolkit's, as whatever
else the tool's command says is about it. A configure script may fill in the tool: `@NVPRUNE@`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options, library_files, started_programs
from cudamigrate.syntax.makefile import Line

_TOOLS = rb"cuobjdump|nvdisasm|nvprune|ptxas|fatbinary|nvlink|cu\+\+filt"
_TOOL = re.compile(
    rb"(?P<name>(?<![\w.$({+-])(?:" + _TOOLS + rb")(?![\w.+:@-])(?![ \t]*[:?+!]{0,3}=)|(?i:@(?:" + _TOOLS + rb")@))"
)
"""A tool as a word of its own, by a path or in a place that a configure script fills; no `--ptxas-options`."""
_CALLED = re.compile(_TOOL.pattern + rb"|\$[({](?i:" + _TOOLS + rb")[)}]")

_RUNS = re.compile(rb"[\s@+-]*(?:[\w./$(){}-]*/)?(?:(?:" + _TOOLS + rb")|\$[({](?i:" + _TOOLS + rb")[)}])(?=\s)")
"""A command that begins with a tool, behind what make reads itself: `@cuobjdump -arch sm_80`."""


_EMBEDS = re.compile(
    rb"(?:^|[\s;|&(@])(?P<path>(?:[\w./-]|\$[({]\w+[)}])*/)?(?P<name>bin2c|\$[({](?i:bin2c)[)}])(?=[ \t])"
    rb"(?=[^;|&\n>]*[ \t](?:--(?:padd|type|name|const|static)|-st|-t[ \t]+\w+|-p[ \t]+[\dx]+)(?![\w-]))"
)
"""A command that writes a file as an array for C, with an option which the toolkit's program for that has."""
_OF_TOOLKIT = re.compile(rb"cuda|nvcc", re.IGNORECASE)

_ASKS = re.compile(rb"(?<![\w.-])(nvidia-smi|deviceQuery|__nvcc_device_query)(?![\w.-])")
"""A program that asks for the GPU: `nvidia-smi`. Only as its own word, so not `deviceQuery.cpp`."""

_FIRST = re.compile(rb"[\s@+-]*(?:\w+=\S*[ \t]+)*\$[({](?P<name>\w+)[)}]")
"""A variable that a command begins with, behind what is set for it alone."""
_NEXT = re.compile(rb"[ \t]*\$[({](?P<name>\w+)[)}]")
"""A variable behind another one."""
_QUIET = re.compile(rb"[\s@+-]*")
"""A value that starts no program, as one that keeps make quiet."""

COMPILES = re.compile(rb"(?<![\w.-])nvcc\b|\$[({]\w*(?:NVCC|CUDA_?CC)\w*[)}]", re.IGNORECASE)
"""A recipe that calls the compiler: `nvcc` as a word of its own, or through a variable: `$(NVCC)`, `${CUDA_CC}`."""


def asking(variables: Variables, file: Makefile, line: Line) -> Iterator[Span]:
    """Programs in a line that ask for the GPU, without those that the Makefile builds."""
    for match in _ASKS.finditer(file.data, line.span.start, line.span.end):
        if not _is_built(variables, match[1]):
            yield Span(*match.span(1))


def _is_built(variables: Variables, name: bytes) -> bool:
    """Whether a rule of the Makefile's own builds a program of that name."""
    target = re.compile(rb"(?:[^:=#]*[\s/])?" + re.escape(name) + rb"(?:[ \t][^:=#]*)?::?(?!=)")
    return any(
        target.match(file.text(line.span)) for file in variables.files for line in file.lines if line.kind == "rule"
    )


def named(variables: Variables, file: Makefile, line: Line) -> Iterator[tuple[str, Span]]:
    """Where a line names one of the tools, each with its kind."""
    if line.kind not in ("assignment", "recipe"):
        return
    for match in _TOOL.finditer(file.data, *_bounds(line.value)):
        yield "binary tool of CUDA", Span(*match.span("name"))
    for match in _EMBEDS.finditer(file.data, *_bounds(line.value)):
        if not _is_built(variables, b"bin2c") and not _is_own(variables, match["path"] or b"", match["name"]):
            yield "bin2c of CUDA", Span(*match.span("name"))


def _is_own(variables: Variables, path: bytes, name: bytes) -> bool:
    """Whether a program is another than the toolkit's by its path, or by a variable's: `BIN2C = ./tools/bin2c`."""
    if path:
        return _OF_TOOLKIT.search(path) is None
    values = [other.text(line.value) for other, line in variables.given(name.strip(b"$(){}").decode())]
    return any(b"/" in value and _OF_TOOLKIT.search(value) is None for value in values)


def run(variables: Variables, file: Makefile, line: Line) -> Iterator[tuple[str, Span]]:
    """NVIDIA's profilers and checkers that a line runs, by name, or that a variable holds which commands begin with."""
    if line.kind == "recipe":
        parts = list(makefile_variables.commands(file, line))
    else:
        parts = [line.value] if line.kind == "assignment" and line.name in _once_called(variables) else []
    for part in parts:
        words = compiler_options.words(file.data, part.start, part.end)
        texts = [word.text for word in words]
        texts[:1] = [texts[0].lstrip("@+-")] if texts else []
        found = started_programs.tool(texts, [word.span for word in words])
        if found is not None:
            yield found


def _once_called(variables: Variables) -> frozenset[str]:
    """The variables that a command of a recipe begins with: `$(RUN) ./app`, `@$(RUN)`, or may begin with.

    A second one where the first may be empty, or starts the program behind it: `$(PREFIX) $(RUN) ./app`.
    """
    if variables.called is None:
        found = (name for file, part, _ in variables.commands() for name in _beginning(variables, file, part))
        variables.called = frozenset(found)
    return variables.called


def _beginning(variables: Variables, file: Makefile, part: Span) -> Iterator[str]:
    match = _FIRST.match(file.data, part.start, part.end)
    while match is not None:
        name = match["name"].decode()
        yield name
        if not _passes_on(variables, name):
            return
        match = _NEXT.match(file.data, match.end(), part.end)


def _passes_on(variables: Variables, name: str) -> bool:
    """Whether what is behind a variable may be the program: it is empty, or takes a command itself."""
    held = [file.text(line.value) for file, line in variables.given(name)]
    if not held:
        return name not in makefile_variables.DEFAULT
    texts = (value.decode("utf-8", "replace").split() for value in held)
    return any(map(_QUIET.fullmatch, held)) or any(map(started_programs.starts_another, texts))


def asks_another(file: Makefile, line: Line) -> bool:
    """Whether a line is the command of another program whose answer a variable takes: `ARCH != nvidia-smi -L`."""
    return line.operator == "!=" and COMPILES.search(file.data, *_bounds(line.value)) is None


def is_called(file: Makefile, part: Span) -> bool:
    """Whether a command runs one of the tools, by its name or in a variable of that: its options are no compiler's."""
    return _RUNS.match(file.data, part.start, part.end) is not None


def without_given(variables: Variables, file: Makefile, uses: list[Use]) -> list[Use]:
    """The uses of a file, without the toolkit's files in variables that such a tool is given."""
    if not any(use.name.startswith(library_files.use_name("")) for use in uses):
        return uses
    names = _given(variables)
    kept = [line.value for line in file.lines if line.kind == "assignment" and line.name in names]
    return [
        use
        for use in uses
        if not use.name.startswith(library_files.use_name(""))
        or not any(value.start <= use.span.start < value.end for value in kept)
    ]


def _given(variables: Variables) -> frozenset[str]:
    """The variables that a command of such a tool reads, itself or as what its rule is made of."""
    found = set[str]()
    for file in variables.files:
        rule: Line | None = None
        for line in file.lines:
            rule = line if line.kind == "rule" else rule
            if line.kind not in ("assignment", "recipe") or not _CALLED.search(file.data, *_bounds(line.value)):
                continue
            found.update(makefile_variables.references(file, line.value))
            if line.kind == "recipe" and rule is not None and re.search(rb"\$[<^+?]", file.text(line.value)):
                found.update(makefile_variables.references(file, rule.value))
    return frozenset(found)


def _bounds(span: Span) -> tuple[int, int]:
    return span.start, span.end
