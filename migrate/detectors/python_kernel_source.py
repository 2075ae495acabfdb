"""Kernels whose source is put together when the program runs, so that it cannot be read where it is compiled."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import PySource, argument, parameters
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.tree_sitter_nodes import ancestors

_KERNEL = re.compile(rb"\b__(?:global|device)__\b")
"""A qualifier of CUDA C++; those of OpenCL have no second pair of lines."""
_LITERALS = ("string", "concatenated_string")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """One hit for each call and source; a wrapper that hands its own parameter on is none."""
    read = program.of(parsed)
    if read is None:
        return
    for item in read.opaque:
        if item.value.type == "identifier" and _is_parameter(read.py, item.value):
            continue
        function = item.call.child_by_field_name("function")
        if function is None or argument(read.py, item.call, -1, "path") is not None:
            continue
        span = read.py.place(function)
        yield Hit("python/kernel-source-computed", Use("call", item.name, span, read.py.place(item.call)))
    for text in read.texts:
        rule = "python/kernel-parts" if text.read is None else "python/kernel-template" if text.filled else ""
        if rule:
            span = read.py.place(text.node)
            begin = Span(span.start, min(span.end, span.start + len(read.py.raw(text.node).split(b"\n", 1)[0])))
            yield Hit(rule, Use("name", "kernel", begin, span))
    if _KERNEL.search(read.py.text):
        yield from _templates(read)


def _templates(read: Program) -> Iterator[Hit]:
    """Other code for GPUs with placeholders that Python fills in, `Template("__device__ $REAL f()")`."""
    seen = {text.node.start_byte for text in read.texts}
    for call in read.py.kind("call"):
        function = call.child_by_field_name("function")
        if function is None or read.names.of(function) != "string.Template" or not read.open(call.start_byte):
            continue
        text = argument(read.py, call, 0, "template")
        if (
            text is not None
            and text.start_byte not in seen
            and text.type in _LITERALS
            and _KERNEL.search(read.py.raw(text))
        ):
            span = read.py.place(function)
            yield Hit("python/kernel-template", Use("call", "string.Template", span, read.py.place(call)))


def _is_parameter(py: PySource, name: Node) -> bool:
    """Whether a name is a parameter of a function around it that gives it no other value."""
    around = (one.child_by_field_name("parameters") for one in ancestors(name))
    given = {py.raw(one) for listed in around if listed is not None for one in parameters(listed)}
    return py.raw(name) in given and not py.values(py.raw(name))
