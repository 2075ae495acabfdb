"""C++ standards that a build of PyTorch extensions names: those older than today's PyTorch takes end in `#error`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, vendors
from cudamigrate.python_source.literals import plain
from cudamigrate.syntax.project_file import ProjectFile

_OLD = re.compile(r"--?std=(?:c|gnu)\+\+(?:0x|1[147xyz]|98|03)")


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
            yield Hit("python/torch-standard", Use("option", text, inner, inner, certainty="syntax"))
