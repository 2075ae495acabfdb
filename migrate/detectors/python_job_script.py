"""Job scripts that a Python program puts together from strings: NVIDIA's profilers that they start, CUDA's modules."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.environment import cluster_jobs
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.python_source import literals, program
from cudamigrate.python_source.program import Program
from cudamigrate.syntax import shell, started_programs
from cudamigrate.syntax.project_file import ProjectFile

_SCRIPT = re.compile(rb"#!\s*/\S*\b(?:ba|z|k|c|tc)?sh\b|#SBATCH\b|#PBS\b|#BSUB\b|#\s?@\s*\w+\s*=")
"""How a job script begins: a shell to read it, or an option of Slurm, PBS, LSF or LoadLeveler."""
_WRITES = re.compile(rb"\.(?:write|writelines|write_text)\s*\(|\bprint\s*\(")
_LINE = re.compile(rb"(?!(?<=\\)n)(?:[^\\\n]|\\[^n\n])+")
"""A line of what a literal says, as it is written: up to a line's end, or `\\n`."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each of them in the strings of a file that writes such a script."""
    read = program.of(parsed)
    if read is None or parsed.embedded or _WRITES.search(read.py.text) is None:
        return
    strings = read.py.kind("string")
    if not any(_is_script(read, one) for one in strings):
        return
    for node in strings:
        if read.open(node.start_byte):
            yield from _in_literal(read, node)


def _is_script(read: Program, node: Node) -> bool:
    """Whether a line of a literal begins as a job script does."""
    start, end = literals.inside(node)
    return any(_SCRIPT.match(read.py.text, one.start(), end) for one in _LINE.finditer(read.py.text, start, end))


def _in_literal(read: Program, node: Node) -> Iterator[Hit]:
    start, end = literals.inside(node)
    for line in _LINE.finditer(read.py.text, start, end):
        words = shell.split(read.py.text, Span(*line.span()))
        if not words:
            continue
        spans = [use.span for use in cluster_jobs.modules(words)]
        tool = started_programs.tool([one.text for one in words], [one.span for one in words])
        spans += [tool[1]] if tool is not None else []
        for one in spans:
            span = read.py.span(one.start, one.end)
            yield Hit("python/job-script", Use("string", "", span, span, (), "unknown", "token"))
