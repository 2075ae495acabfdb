"""Files of code for NVIDIA's GPUs that a Python program names: `name + ".fatbin"`, `"kernels.cubin"`.

A program may write PTX, or only show it; a file of it counts where a call loads it: `cuModuleLoad(..., "kernels.ptx")`.

One finding a file and ending. What CuPy loads has a finding of its own, and a program that names AMD's code objects too
chooses between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import inside
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import enclosing
from cudamigrate.syntax.project_file import ProjectFile

_BINARY = re.compile(rb"[^\s*]*\.(fatbin|cubin|ptx)")
_NAMED = re.compile(rb"\.(?:fatbin|cubin|ptx)[\"']")
_LOADERS = (b"cuModuleLoad", b"cuLibraryLoadFromFile", b"cudaLibraryLoadFromFile")
"""The functions of the driver and the runtime that load a file, PTX too."""
_OF_AMD = re.compile(rb"\.(?:hsaco|co)[\"']")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """The first literal with each ending."""
    read = program.of(parsed)
    if read is None or not _NAMED.search(read.py.text) or _OF_AMD.search(read.py.text):
        return
    seen = set[bytes]()
    for node in read.py.kind("string"):
        named = _BINARY.fullmatch(read.py.text, *inside(node))
        call = enclosing(node, "call") if named is not None else None
        function = call.child_by_field_name("function") if call is not None else None
        if named is None or named[1] in seen or not read.open(node.start_byte):
            continue
        if function is not None and read.py.raw(function).endswith(b"RawModule"):
            continue
        if named[1] == b"ptx" and not _is_loaded(read, node):
            continue
        seen.add(named[1])
        span = read.py.place(node)
        name = f".{named[1].decode()}"
        yield Hit("python/binary-file", Use("string", name, span, span, certainty="syntax"), {"name": name})


def _is_loaded(read: Program, node: Node) -> bool:
    """Whether a literal is in what a call that loads a file is given: `cuModuleLoad(byref(m), c_char_p("a.ptx"))`."""
    call = enclosing(node, "call")
    while call is not None:
        function = call.child_by_field_name("function")
        if function is not None and read.py.raw(function).rpartition(b".")[2] in _LOADERS:
            return True
        call = enclosing(call, "call")
    return False
