"""`__ldg` of PyTorch's 16-bit floats and of `bfloat16`: CUDA has it for them, HIP for neither.

A kernel made for each type of `AT_DISPATCH_FLOATING_TYPES_AND_HALF` has such a load where it reads its template's type,
and so has a template that a call or launch of the file makes for one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.dispatched_types import given_types, plain, stands_for_half
from cudamigrate.warp.element_types import pointee

WORDS = (b"__ldg",)

_LOAD = re.compile(rb"(?<![\w:.>])__ldg(?=\s*\()")
_TYPE = re.compile(rb"(?:::)?(?:(?:c10|at|torch)::(?:Half|BFloat16)|(?:__)?nv_bfloat162?|__hip_bfloat162?)")
"""The types: `Half` is PyTorch's only by its whole name."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such load in device code that HIP compiles, where the file defines no function of the name itself."""
    if any(one.name == "__ldg" for one in parsed.functions):
        return
    for match in parsed.lexed.matches(_LOAD, b"__ldg"):
        if parsed.scope(match.start()) != "device" or parsed.hip(match.start()) is not None:
            continue
        node = node_at(parsed, match.start(), match.end())
        call = node.parent if node is not None else None
        listed = call.child_by_field_name("arguments") if call is not None else None
        given = tree_sitter_nodes.elements(listed)
        if call is None or call.type != "call_expression" or len(given) != 1:
            continue
        kind = _type(parsed, call, pointee(given[0]))
        if kind:
            span, place = Span(*match.span()), Span(given[0].start_byte, given[0].end_byte)
            use = Use("call", "__ldg", span, Span(call.start_byte, call.end_byte), (place,), "device", "syntax")
            yield Hit("memory/half-load", use, {"type": kind})


def _type(parsed: ParsedFile, call: Node, spelled: bytes) -> str:
    """The type without a load that is read, or what a template's type stands for; empty for others."""
    name = plain(spelled)
    if _TYPE.fullmatch(name):
        return name.decode()
    if stands_for_half(parsed, call, name):
        return "c10::Half"
    return next((one.decode() for one in given_types(parsed, call, name) if _TYPE.fullmatch(one)), "")
