"""Compute capabilities that are compared: on AMD the numbers are those of the gfx name, and mean nothing alike.

`torch.cuda.get_device_capability()` is (9, 4) on an MI300, so that `>= (8, 0)` holds. What is only printed is no hit.
A number that becomes a macro of the build is compared in the code: `f"-DARCH={major * 100}"`.
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
_MACRO = re.compile(rb"[rRbBuUfF]{0,2}[\"']-D\s?(\w+)=")
"""The beginning of a literal that defines a macro with a value: `f"-DARCH={arch}"`."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_FIELD = re.compile(rb"\.\s*(?:major|minor)\b")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each call whose numbers decide something, directly or through a variable."""
    read = program.of(parsed)
    if read is None:
        return
    for use in read.uses:
        if use.name in _CALLS and use.kind == "call":
            call = read.first(use.extent, "call")
            if call is None:
                continue
            if _decides(read, call, use.name):
                yield Hit("python/compute-capability-compared", Use("call", use.name, use.span, use.extent))
            elif macro := _macro(read, call):
                found = Use("call", use.name, use.span, use.extent)
                yield Hit("python/compute-capability-macro", found, {"macro": macro})


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


def _macro(read: Program, call: Node) -> str:
    """The macro that a number of the call becomes, directly or through variables that are set after one another."""
    py, names = read.py, set[bytes]()
    if not any(_MACRO.match(py.raw(node)) for node in py.kind("string")):
        return ""
    for node in py.kind("assignment"):
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if target is None or value is None:
            continue
        given = value.start_byte <= call.start_byte and call.end_byte <= value.end_byte
        later = node.start_byte > call.end_byte and not names.isdisjoint(_WORD.findall(py.raw(value)))
        if given or later:
            names.update(name for name in _WORD.findall(py.raw(target)) if name != b"_")
    for node in py.kind("string"):
        match = _MACRO.match(py.raw(node))
        if match is None:
            continue
        for part in _computed(node):
            inside = part.start_byte <= call.start_byte and call.end_byte <= part.end_byte
            if inside or not names.isdisjoint(_WORD.findall(py.raw(part))):
                return match[1].decode()
    return ""


def _computed(text: Node) -> Iterator[Node]:
    """What a literal interpolates, and what is joined to it: `f"-DA={b}"`, `"-DA=" + b`, `"-DA={}".format(b)`."""
    yield from (child for child in text.named_children if child.type == "interpolation")
    around = text.parent
    if around is not None and around.type == "binary_operator":
        yield from (child for child in around.named_children if child != text)
    if around is not None and around.type == "attribute" and around.parent is not None and around.parent.type == "call":
        given = around.parent.child_by_field_name("arguments")
        yield from given.named_children if given is not None else ()
