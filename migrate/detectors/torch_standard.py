"""C++ standards that a build of PyTorch extensions names: those older than today's PyTorch takes end in `#error`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, vendors
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.source import PySource
from cudamigrate.syntax.project_file import ProjectFile

_OLD = re.compile(r"--?std=(?:c|gnu)\+\+(?:0x|1[147xyz]|98|03)")
_COMPILER = re.compile(r"(?:.*/)?(?:nvcc|hipcc|(?:[\w.-]+-)?(?:g\+\+|c\+\+|clang\+\+)(?:-\d+)?)")
"""A compiler as a command names it."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each literal that is such an option and nothing else."""
    read = program.of(parsed)
    if read is None or b"-std=" not in read.py.text or not vendors.builds(parsed):
        return
    for node in read.py.kind("string"):
        text = plain(read.py, node)
        if text is not None and _OLD.fullmatch(text) and read.open(node.start_byte):
            span = read.py.place(node)
            inner = type(span)(span.start + 1, span.end - 1)
            rule = "python/torch-command-standard" if _is_run(read.py, node) else "python/torch-standard"
            yield Hit(rule, Use("option", text, inner, inner, certainty="syntax"))


def _is_run(py: PySource, node: Node) -> bool:
    """Whether an option is in a list that begins with a compiler: a command of the project's own."""
    around = node.parent
    if around is None or around.type not in ("list", "tuple"):
        return False
    first = next((one for one in around.named_children if one.type != "comment"), None)
    name = plain(py, first) if first is not None and first.type == "string" else None
    return name is not None and _COMPILER.fullmatch(name) is not None
