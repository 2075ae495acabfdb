"""Triton code that names NVIDIA's side of Triton: its libdevice, its target, its compiled forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import argument, enclosing
from cudamigrate.syntax.project_file import ProjectFile

_LIBRARY = "triton.language.extra.cuda.libdevice"
_TARGETS = ("triton.backends.compiler.GPUTarget", "triton.compiler.compiler.GPUTarget", "triton.compiler.GPUTarget")
_LAYOUT = "triton.experimental.gluon.language.BlockedLayout"
_WARP = 32
_FORMS = ("ptx", "cubin", "sass")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Imports and chains through `extra.cuda`, targets and layouts written out, forms of NVIDIA's compiler alone."""
    read = program.of(parsed)
    if read is None:
        return
    for use in read.imports:
        if use.name == f"import {_LIBRARY}":
            node = next(iter(read.found(use.span)), None)
            statement = enclosing(node, "import_from_statement") if node is not None else None
            module = statement.child_by_field_name("module_name") if statement is not None else None
            span = read.py.place(module) if module is not None else use.span
            yield Hit("triton/cuda-libdevice", Use("name", _LIBRARY, span, span, certainty="resolved"))
    for use in read.uses:
        if use.name.startswith(f"{_LIBRARY}.") and re.search(r"extra\s*\.\s*cuda", _text(read, use)):
            yield Hit("triton/cuda-libdevice", use)
        elif use.name in _TARGETS and use.kind == "call":
            call = read.first(use.extent, "call")
            if call is not None and plain(read.py, argument(read.py, call, 0, "backend")) == "cuda":
                yield Hit("triton/fixed-target", use)
        elif use.name == _LAYOUT and use.kind == "call" and _lanes(read, use) == _WARP:
            yield Hit("triton/gluon-layout", use)
    yield from _forms(read)


def _lanes(read: Program, use: Use) -> int:
    """The threads that a layout gives a warp, over all dimensions; 0 where they are not written out."""
    call = read.first(use.extent, "call")
    listed = argument(read.py, call, 1, "threads_per_warp") if call is not None and read.open(call.start_byte) else None
    if listed is None or listed.type not in ("list", "tuple"):
        return 0
    sizes = [read.py.raw(one) for one in listed.named_children if one.type != "comment"]
    return prod(map(int, sizes)) if all(map(bytes.isdigit, sizes)) else 0


def _text(read: Program, use: Use) -> str:
    return read.py.data[use.span.start : use.span.end].decode("utf-8", "replace")


def _forms(read: Program) -> Iterator[Hit]:
    if b".asm" not in read.py.text:
        return
    for node in read.py.kind("string"):
        if node.parent is None or node.parent.type != "subscript" or plain(read.py, node) not in _FORMS:
            continue
        owner = node.parent.child_by_field_name("value")
        if owner is not None and read.py.raw(owner).endswith(b".asm") and read.open(node.start_byte):
            span = read.py.place(node)
            yield Hit("triton/compiled-ptx", Use("string", "asm", span, span, certainty="syntax"))
