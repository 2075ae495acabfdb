"""What Makefiles ask nvcc as they are read: its release, and the GPUs that it compiles for, of which hipcc has none."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_gpus, makefile_variables
from cudamigrate.analysis.makefile_gpus import GpuChanges
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.makefile import Line

_LISTS = frozenset(("--list-gpu-code", "-code-ls", "--list-gpu-arch", "-arch-ls"))
"""Options by which nvcc lists GPUs. Source: NVIDIA, "CUDA Compiler Driver NVCC", command options."""
_HELP = frozenset(("--help", "-h"))
_GPU = re.compile(rb"compute_|sm_|gpu-(?:arch|code)")
"""What is looked for in nvcc's help by whom asks which GPUs it knows."""
_RELEASE = frozenset(("--version", "-V"))
_PLAIN = re.compile(rb"(?:\S*/)?nvcc|\$[({]NVCC[)}]")
RELEASE, GPUS = "nvcc --version", "GPUs of nvcc"
"""The names of the uses."""
_BACKQUOTED = re.compile(rb"`([^`\n]+)`")


def of(variables: Variables, file: Makefile, line: Line, changes: GpuChanges) -> Iterator[tuple[str, Span]]:
    """What a line asks nvcc, as the name of a use: the compiler and the option. Who has the name nvcc or NVCC asks for
    its release where the frontend sees it itself; one that only chooses GPUs to be replaced asks for nothing.
    """
    for whole in asked(file, line):
        for part in makefile_variables.commands_in(file, whole):
            word = variables.compiler_word(file, part)
            if word is None or file.text(word).startswith(b"`") or "nvcc" not in variables.compiler(file, part):
                continue
            found = _option(file, part, whole)
            if found is None:
                continue
            name, option = found
            plain = name == RELEASE and _PLAIN.fullmatch(file.text(word))
            if not plain and not (name == RELEASE and makefile_gpus.only_chooses(variables, file, line, changes)):
                yield name, Span(word.start, option.end)


def asked(file: Makefile, line: Line) -> Iterator[Span]:
    """The commands whose answer a line takes: of `$(shell ...)`, in backquotes, and of `NAME != ...`."""
    if line.operator == "!=":
        yield line.value
    for match in _BACKQUOTED.finditer(file.data, line.value.start, line.value.end):
        yield Span(*match.span(1))
    for found in makefile.all_expansions(file.data, line.value.start, line.value.end):
        if found.name == "shell" and found.args:
            yield Span(found.args[0].start, found.args[-1].end)


def _option(file: Makefile, part: Span, whole: Span) -> tuple[str, Span] | None:
    """The option of a command that lists GPUs, its help where that is looked through for them, or its release."""
    for word in compiler_options.words(file.data, part.start, part.end):
        if word.text in _LISTS or (word.text in _HELP and _GPU.search(file.data, part.end, whole.end)):
            return GPUS, word.span
        if word.text in _RELEASE:
            return RELEASE, word.span
    return None
