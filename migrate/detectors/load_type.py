"""`__ldg` of types that CUDA has it for and HIP has not: `ushort4`, `bfloat16` and PyTorch's 16-bit floats.

A kernel made for each type of `AT_DISPATCH_FLOATING_TYPES_AND_HALF` has such a load where it reads its template's type,
and so has a template that a call or launch of the file makes for one. Names that the file gives to types are followed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.dispatched_types import given_types, stands_for_half
from cudamigrate.warp.element_types import pointee
from cudamigrate.warp.type_meanings import meanings

WORDS = (b"__ldg",)

_LOAD = re.compile(rb"(?<![\w:.>])__ldg(?=\s*\()")
_TYPE = re.compile(rb"(?:::)?(?:(?:c10|at|torch)::(?:Half|BFloat16)|(?:__)?nv_bfloat162?|__hip_bfloat162?|ushort4)")
"""The types: `Half` is PyTorch's only by its whole name.

Of the short vectors CUDA has the load for those of two and four parts, and HIP for all of them but one. Source: CUDA
13.0, sm_32_intrinsics.h; hip_ldg.h of ROCm 5.2 and 7.1.
"""
_DEPTH = 3
"""Templates that hand a type on to each other."""


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
            yield Hit("memory/load-type", use, {"type": kind})


def _type(parsed: ParsedFile, place: Node, spelled: bytes, depth: int = _DEPTH) -> str:
    """The type without a load that a spelling stands for, by name or for a template's parameter; empty for others."""
    for name in meanings(parsed, spelled, place) if spelled else ():
        if _TYPE.fullmatch(name):
            return name.decode()
        if depth == _DEPTH and stands_for_half(parsed, place, name):
            return "c10::Half"
        given = given_types(parsed, place, name) if depth else ()
        found = next((one for kind, call in given if (one := _type(parsed, call, kind, depth - 1))), "")
        if found:
            return found
    return ""
