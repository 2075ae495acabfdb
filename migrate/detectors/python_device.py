"""Device lists that are set twice, and properties of devices that only CUDA builds of PyTorch have."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile

_PROPERTY = re.compile(rb"\.\s*(shared_memory_per_(?:block_optin|multiprocessor))\b")
"""Device properties that PyTorch has for NVIDIA GPUs alone: `.shared_memory_per_block_optin`."""
_CUDA = "$CUDA_VISIBLE_DEVICES"
_AMD = ("$HIP_VISIBLE_DEVICES", "$ROCR_VISIBLE_DEVICES", "$GPU_DEVICE_ORDINAL")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each place where AMD's list is set in a block that sets CUDA's too, and each such property."""
    read = program.of(parsed)
    if read is None:
        return
    for match in _PROPERTY.finditer(read.py.text):
        start, end = match.span(1)
        if not read.py.quiet(start) and read.open(start):
            span = read.py.span(start, end)
            yield Hit("python/nvidia-device-property", Use("name", match[1].decode(), span, span, certainty="syntax"))
    blocks = {
        around.start_byte for use in read.uses if use.name == _CUDA and (around := _setting(read, use)) is not None
    }
    for use in read.uses:
        around = _setting(read, use) if use.name in _AMD and blocks else None
        if around is not None and around.start_byte in blocks:
            yield Hit("python/visible-devices-twice", use)


def _setting(read: Program, use: Use) -> Node | None:
    """The block of the statement that sets a variable of the environment; None where it is read."""
    node = read.first(use.extent, "string")
    target = node.parent if node is not None else None
    if target is None:
        return None
    if target.type == "pair":
        return target.parent
    statement = target.parent
    if target.type != "subscript" or statement is None or statement.type != "assignment":
        return None
    if statement.child_by_field_name("left") != target or statement.parent is None:
        return None
    return statement.parent.parent
