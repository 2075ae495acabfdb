"""`__ldg` of PyTorch's 16-bit floats and of `bfloat16`: CUDA has it for them, HIP for neither.

A kernel made for each type of `AT_DISPATCH_FLOATING_TYPES_AND_HALF` has such a load where it reads its template's type.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.element_types import pointee

WORDS = (b"__ldg",)

_LOAD = re.compile(rb"(?<![\w:.>])__ldg(?=\s*\()")
_TYPE = re.compile(rb"(?:::)?(?:(?:c10|at|torch)::(?:Half|BFloat16)|(?:__)?nv_bfloat162?|__hip_bfloat162?)")
"""The types: `Half` is PyTorch's only by its whole name."""
_DISPATCH = re.compile(rb"\bAT_DISPATCH_(\w+)\s*\(")
_SIXTEEN_BITS = re.compile(rb"_AND_HALF|REDUCED_FLOATING|\b(?:at::|torch::)?(?:ScalarType::|k)(?:Half|BFloat16)\b")
_QUALIFIERS = (b"const", b"volatile")


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
    words = [word for word in spelled.split() if word not in _QUALIFIERS]
    if len(words) != 1:
        return ""
    if _TYPE.fullmatch(words[0]):
        return words[0].decode()
    around = next((one for one in tree_sitter_nodes.ancestors(call) if one.type == "template_declaration"), None)
    function = parsed.function(call.start_byte)
    listed = around.child_by_field_name("parameters") if around is not None else None
    if function is None or listed is None:
        return ""
    names = [text(one).split(b"=")[0].split()[-1:] for one in listed.named_children]
    if [words[0]] not in names:
        return ""
    made = _made(parsed, function.name.encode(), names.index([words[0]]))
    return "c10::Half" if made else ""


def _made(parsed: ParsedFile, name: bytes, at: int) -> bool:
    """Whether a template is made for each type of a choice that has 16-bit floats, by its parameter at a place."""
    used = re.compile(rb"\b%b\s*<\s*(?:[\w:]+\s*,\s*){%d}scalar_t\b" % (re.escape(name), at))
    for match in parsed.lexed.matches(_DISPATCH, b"AT_DISPATCH_"):
        end = parsed.lexed.closing(match.end() - 1)
        begun = parsed.data[match.start() : max(parsed.data.find(b"[", match.end(), end), match.end())]
        if end > 0 and _SIXTEEN_BITS.search(begun) and used.search(parsed.data, match.end(), end):
            return True
    return False
