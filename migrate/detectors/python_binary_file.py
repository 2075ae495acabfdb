"""Files of NVIDIA's machine code that a Python program names: `name + ".fatbin"`, `"kernels.cubin"`.

One finding a file and ending. What CuPy loads has a finding of its own, and a program that names AMD's code objects too
chooses between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import inside
from cudamigrate.python_source.source import enclosing
from cudamigrate.syntax.project_file import ProjectFile

_BINARY = re.compile(rb"[^\s*]*\.(fatbin|cubin)")
_OF_AMD = re.compile(rb"\.(?:hsaco|co)[\"']")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """The first literal with each ending."""
    read = program.of(parsed)
    if read is None or not re.search(rb"\.(?:fatbin|cubin)[\"']", read.py.text) or _OF_AMD.search(read.py.text):
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
        seen.add(named[1])
        span = read.py.place(node)
        name = f".{named[1].decode()}"
        yield Hit("python/binary-file", Use("string", name, span, span, certainty="syntax"), {"name": name})
