"""Compute capabilities that are compared: on AMD the numbers are those of the gfx name, and mean nothing alike.

`torch.cuda.get_device_capability()` is (9, 4) on an MI300, so that `>= (8, 0)` holds. What is only printed is no hit.
The numbers are followed into texts such as `f"sm{major}{minor}"`, and to where these are compared.
A number that becomes a macro of the build is compared in the code: `f"-DARCH={major * 100}"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, source
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.value_flow import Bindings, Flow
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile

_CALLS = ("torch.cuda.get_device_capability", "torch.cuda.get_device_properties")
_TRITON = re.compile(rb"^(?:import|from)\s+triton\b", re.MULTILINE)
"""A file with Triton kernels asks for the capability to choose their shapes, in whatever function it does so."""
_MACRO = re.compile(rb"[rRbBuUfF]{0,2}[\"']-D\s?(\w+)=")
"""The beginning of a literal that defines a macro with a value: `f"-DARCH={arch}"`."""
_FIELDS = (b"major", b"minor")
_LONG = 60
"""Characters of a test that a message has."""
_ATTRIBUTES = tree_sitter_nodes.Kinds("python", "attribute")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each call whose numbers decide something, directly or through variables, texts, containers and functions."""
    read = program.of(parsed)
    if read is None:
        return
    uses = [one for one in read.uses if one.name in _CALLS and one.kind == "call"]
    calls = [(one, call) for one in uses if (call := read.first(one.extent, "call")) is not None]
    if not calls:
        return
    text = Bindings(read.py)
    given = [list(_given(text, call, use.name)) for use, call in calls]
    peers = Flow(text, chain(*given))
    for (use, call), sources in zip(calls, given, strict=True):
        flow, found = Flow(text, sources, peers), Use("call", use.name, use.span, use.extent)
        if test := _test(read, call, flow):
            yield Hit("python/compute-capability-compared", found, {"test": test})
        elif macro := _macro(read, flow):
            yield Hit("python/compute-capability-macro", found, {"macro": macro})


def _given(text: Bindings, call: Node, name: str) -> Iterator[Node]:
    """What has the numbers that a call gives; properties of a device have them as members."""
    if not name.endswith("properties"):
        yield call
        return
    flow = Flow(text, [call])
    for one in _ATTRIBUTES.below(text.root):
        if _is_number(text, one) and flow.carries(one.child_by_field_name("object")):
            yield one


def _is_number(text: Bindings, attribute: Node) -> bool:
    name = attribute.child_by_field_name("attribute")
    return name is not None and text.py.raw(name) in _FIELDS


def _test(read: Program, call: Node, flow: Flow) -> str:
    """What tests the numbers of a call on ROCm too, as it is written; empty where nothing does."""
    test = next((one for one in flow.tests() if read.guards.rocm(one.start_byte) is None), None)
    if test is None and _TRITON.search(read.py.text) and flow.carries(call):
        around = source.enclosing(call, "return_statement", "assignment", "block", "argument_list", "module")
        test = around if around is not None and around.type == "return_statement" else None
    text = " ".join(read.py.raw(test).decode("utf-8", "replace").split()) if test is not None else ""
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def _macro(read: Program, flow: Flow) -> str:
    """The macro that a number of the call becomes, directly or through what it is made into."""
    for node in read.py.kind("string"):
        match = _MACRO.match(read.py.raw(node))
        if match is not None and any(map(flow.carries, _computed(node))):
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
