"""Releases that the runtime or driver tells, read by CUDA's scale: HIP counts major * 10000000 + minor * 100000."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"GetVersion",)

_ASKS = re.compile(rb"(?:cu|cuda|hip)(?:Driver|Runtime)GetVersion")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_BINARY = tree_sitter_nodes.Kinds("cuda", "binary_expression")
_PARTS = (b"/", b"%")
_COMPARES = (b"<", b">", b"<=", b">=", b"==", b"!=")
_TENS = (b"10", b"100", b"1000")
_RELEASES = range(1000, 100_000)
"""Releases as CUDA counts them, major * 1000 + minor * 10: HIP's begin at 40000000."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first place in a function where what such a call gave is divided into parts, or compared with a release."""
    seen = set[tuple[int, bytes]]()
    for call in _CALLS.below(parsed.tree.root_node):
        if _ASKS.fullmatch(text(call.child_by_field_name("function"))) is None:
            continue
        held, function = _held(call), parsed.function(call.start_byte)
        if held and function is not None and (function.span.start, held) not in seen:
            seen.add((function.span.start, held))
            yield from _hits(parsed, call, function.span, held)


def _held(call: Node) -> bytes:
    """What the call writes to: `version` of `&version`, or a pointer's target, `*version`."""
    given = call.child_by_field_name("arguments")
    words = [text(one) for one in given.named_children if one.type != "comment"] if given is not None else []
    if len(words) != 1:
        return b""
    return words[0][1:].strip() if words[0].startswith(b"&") else b"*" + words[0]


def _hits(parsed: ParsedFile, call: Node, around: Span, held: bytes) -> Iterator[Hit]:
    for one in _BINARY.below(parsed.tree.root_node):
        if call.end_byte <= one.start_byte < around.end and _is_by_scale(one, held):
            span = Span(one.start_byte, one.end_byte)
            use = parsed.named_use(text(call.child_by_field_name("function")).decode("latin-1"), span, "syntax")
            yield Hit("build/version-scale", use, {"name": use.name})
            return


def _is_by_scale(one: Node, held: bytes) -> bool:
    """Whether a calculation takes a part of the number, or a comparison has a release of CUDA on the other side."""
    left, right = (_plain(one.child_by_field_name(side)) for side in ("left", "right"))
    sign = text(one.child_by_field_name("operator"))
    if sign in _PARTS:
        return left == held and right in _TENS
    other = right if left == held else left if right == held else b""
    return sign in _COMPARES and other.isdigit() and int(other) in _RELEASES


def _plain(node: Node | None) -> bytes:
    """The text of an expression without brackets around it."""
    while node is not None and node.type == "parenthesized_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    return text(node)
