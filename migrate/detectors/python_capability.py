"""Compute capabilities that are compared: on AMD the numbers are those of the gfx name, and mean nothing alike.

`torch.cuda.get_device_capability()` is (9, 4) on an MI300, so that `>= (8, 0)` holds. What is only printed is no hit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.tree_sitter_nodes import ancestors

_CALLS = ("torch.cuda.get_device_capability", "torch.cuda.get_device_properties")
_TRITON = re.compile(rb"^(?:import|from)\s+triton\b", re.MULTILINE)
"""A file with Triton kernels asks for the capability to choose their shapes, in whatever function it does so."""
_FIELD = re.compile(rb"\.\s*(?:major|minor)\b")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each call whose numbers decide something, directly or through a variable."""
    read = program.of(parsed)
    if read is None:
        return
    for use in read.uses:
        if use.name in _CALLS and use.kind == "call":
            call = read.first(use.extent, "call")
            if call is not None and _decides(read, call, use.name):
                yield Hit("python/compute-capability-compared", Use("call", use.name, use.span, use.extent))


def _decides(read: Program, call: Node, name: str) -> bool:
    text = read.py.text
    needs_field = name.endswith("properties")
    after = text[call.end_byte : call.end_byte + 20]
    for around in ancestors(call):
        if around.type == "comparison_operator":
            return not needs_field or _FIELD.match(after) is not None
        if around.type in ("assignment", "named_expression"):
            return _later(read, around, needs_field and not _FIELD.match(after))
        if around.type == "return_statement":
            return not needs_field and _TRITON.search(text) is not None
        if around.type in ("block", "module", "argument_list"):
            return False
    return False


def _later(read: Program, assignment: Node, needs_field: bool) -> bool:
    """Whether one of the variables assigned is compared in the same function or module."""
    target = assignment.child_by_field_name("left") or assignment.child_by_field_name("name")
    if target is None:
        return False
    scope = next((n for n in ancestors(assignment) if n.type in ("function_definition", "module")), None)
    if scope is None:
        return False
    body = read.py.text[assignment.end_byte : scope.end_byte]
    field = rb"\s*\.\s*(?:major|minor)" if needs_field else rb"(?:\s*\[\s*\d\s*\])?"
    for name in re.findall(rb"[A-Za-z_]\w*", read.py.raw(target)):
        if name != b"_" and re.search(
            rb"\b" + name + field + rb"(?:\s*\*\s*10)?[^\n]{0,24}?(?:[<>]|==|!=|\s(?:not )?in\s)", body
        ):
            return True
    return False
