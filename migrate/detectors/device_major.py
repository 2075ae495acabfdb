"""Decisions by compute capability: on AMD `major` is the GFX version and passes every such test."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.device_properties import MENTIONED
from cudamigrate.cuda.conditions import COMPARISONS, TURNED
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

WORDS = (b"major",)

_PART = rb"\w+(?:\[[^\]\n]*\]|\(\s*\w*\s*\))?(?:\.|->)"
_FRACTION = rb"(?:\d*\.\d*f?\s*\*\s*)?" + _PART + rb"minor\b(?:\s*/\s*10(?:\.0?f?)?|\s*\*\s*0?\.1f?)?"
_NUMBER = (
    rb"(?:\b" + _PART + rb"major\s*(?:\*|<<)\s*\d+|\(\s*" + _PART + rb"major\s*(?:\*|<<)\s*\d+\s*\)"
    rb"|\b10+(?:\.0?f?)?\s*\*\s*" + _PART + rb"major)\s*[+|]\s*" + _PART + rb"minor\b"
    rb"|\b" + _PART + rb"major\s*\+\s*(?:\(\s*" + _FRACTION + rb"\s*\)|" + _FRACTION + rb")"
)
"""One number of both: `p.major * 10 + p.minor`, `(p.major << 4) + p.minor`, `p.major + p.minor / 10.0`."""
_COMPARED = re.compile(
    rb"\b" + _PART + rb"(?:major|minor)\s*(?:[<>]=?|[!=]=)\s*\d+"
    rb"|\b\d+\s*(?:[<>]=?|[!=]=)\s*\w+(?:\.|->)(?:major|minor)\b"
    rb"|" + _NUMBER
)
"""`prop.major >= 8`, `props[i].minor == 0`, `8 <= p->major`, and `prop.major * 10 + prop.minor`, one number of both."""
_TEST = re.compile(rb"(?P<part>major|minor)\s*(?P<sign>[<>]=?|[!=]=)\s*(?P<number>\d+)\Z")
_REVERSED = re.compile(rb"\A(?P<number>\d+)\s*(?P<sign>[<>]=?|[!=]=).*?(?P<part>major|minor)\Z", re.DOTALL)
_TENFOLD = re.compile(
    rb"\(?\s*(?:\(?\s*" + _PART + rb"major\s*\*\s*(?P<by>10+)\s*\)?|(?P<times>10+)\s*\*\s*" + _PART + rb"major)"
    rb"\s*\+\s*" + _PART + rb"minor\s*\)?\s*(?P<sign>[<>]=?|[!=]=)\s*(?P<number>\d+)"
)
"""A test of one number of both: `p.major * 10 + p.minor < 35`."""
_VERSIONS = tuple((major, minor) for major in range(6, 13) for minor in range(10))
"""What the two are on GPUs that count: compute capability 6.0 to 12.1, and GFX versions 9.0 to 12.0.

Maxwell, 5.x, has nothing that AMD GPUs lack: what its tests keep out is older than HIP.
"""
_COMPOUND = ("binary_expression", "parenthesized_expression", "unary_expression", "condition_clause")
_FIRST = 9
"""The least `major` of AMD's GPUs that count."""
_SWITCHES = tree_sitter_nodes.Kinds("cuda", "switch_statement")
_MAJOR = re.compile(rb"(?:\.|->)\s*major\Z")
_MEMBERS = tree_sitter_nodes.Kinds("cuda", "field_expression")
_OBJECT = re.compile(rb"(?:\.|->)(?:major|minor)\Z")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """`prop.major >= 8` and `prop.major * 10 + prop.minor` in files that read device properties.

    A `switch` by `major` is one; what AMD's GPUs do not come to is none. A condition with one answer for all GPUs of
    both vendors, as `major < 1` of an emulated device or "1.3 or newer" in two parts, is none of a capability.
    """
    if MENTIONED.search(parsed.data) is None:
        return
    for match in parsed.lexed.on_lines(_COMPARED, b"major", b"minor"):
        span = Span(match.start(), match.end())
        scope = parsed.scope(span.start)
        if scope != "device" and not _is_settled(parsed, span) and not _is_unreached(parsed, span):
            yield Hit("memory/device-major", Use("name", "major", span, span, (), scope, "token"))
    for switch in _SWITCHES.below(parsed.tree.root_node):
        chosen = _chosen(switch)
        scope = parsed.scope(switch.start_byte)
        if chosen is not None and scope != "device" and any(_numbers(switch)):
            span = Span(chosen.start_byte, chosen.end_byte)
            yield Hit("memory/device-major", Use("name", "major", span, span, (), scope, "syntax"))


def _chosen(switch: Node) -> Node | None:
    """The `major` that a `switch` chooses by, without brackets; None for any other."""
    node = switch.child_by_field_name("condition")
    while node is not None and node.type in ("condition_clause", "parenthesized_expression"):
        node = node.named_children[0] if len(node.named_children) == 1 else None
    return node if node is not None and node.type == "field_expression" and _MAJOR.search(text(node)) else None


def _numbers(switch: Node) -> Iterator[tuple[Node, int]]:
    """The cases of a `switch` that are numbers, in order."""
    body = switch.child_by_field_name("body")
    for case in body.named_children if body is not None else ():
        value = case.child_by_field_name("value") if case.type == "case_statement" else None
        if value is not None and value.type == "number_literal" and text(value).isdigit():
            yield case, int(text(value))


def _is_unreached(parsed: ParsedFile, span: Span) -> bool:
    """Whether what is around a comparison keeps AMD's GPUs out: a `case` or a branch for older GPUs of NVIDIA."""
    inner = parsed.tree.root_node.descendant_for_byte_range(span.start, span.end - 1)
    for around in tree_sitter_nodes.ancestors(inner) if inner is not None else ():
        if around.type == "switch_statement" and _chosen(around) is not None:
            before = [number for case, number in _numbers(around) if case.start_byte <= span.start]
            last = next((case for case, _ in reversed(list(_numbers(around))) if case.start_byte <= span.start), None)
            if last is not None and span.end <= last.end_byte and max(before) < _FIRST:
                return True
        condition = around.child_by_field_name("condition") if around.type == "if_statement" else None
        if condition is not None and condition.end_byte <= span.start and len(_objects(condition)) == 1:
            taken = span.end <= around.child_by_field_name("consequence").end_byte  # type: ignore[union-attr]
            if {_value(condition, version) for version in _VERSIONS if version[0] >= _FIRST} == {not taken}:
                return True
    return False


def _is_settled(parsed: ParsedFile, span: Span) -> bool:
    """Whether the condition around a comparison, or its innermost part, has one answer on every GPU that counts."""
    node = parsed.tree.root_node.descendant_for_byte_range(span.start, span.end - 1)
    while node is not None and node.type not in _COMPOUND:
        if node.start_byte < span.start or node.end_byte > span.end:
            return _answers(parsed.data[span.start : span.end]) is not None
        node = node.parent
    while node is not None and node.type in _COMPOUND:
        if node.start_byte <= span.start and span.end <= node.end_byte and len(_objects(node)) < 2:
            found = {_value(node, version) for version in _VERSIONS}
            if len(found) == 1 and None not in found:
                return True
        node = node.parent
    return False


def _answers(test: bytes) -> bool | None:
    """The answer of a comparison on every GPU that counts; None where they differ."""
    found = {_compared(test, version) for version in _VERSIONS}
    return found.pop() if len(found) == 1 else None


def _objects(condition: Node) -> set[bytes]:
    """What the versions are of that a condition compares."""
    members = (text(one) for one in _MEMBERS.below(condition))
    return {_OBJECT.sub(b"", member) for member in members if _OBJECT.search(member) is not None}


def _value(node: Node | None, version: tuple[int, int]) -> bool | None:
    """A condition on a GPU of a version; None where something else decides."""
    if node is None:
        return None
    sign = text(node.child_by_field_name("operator"))
    if node.type == "unary_expression":
        inner = _value(node.child_by_field_name("argument"), version) if sign == b"!" else None
        return None if inner is None else not inner
    if node.type in ("parenthesized_expression", "condition_clause"):
        return _value(node.named_children[0], version) if len(node.named_children) == 1 else None
    if sign in (b"&&", b"||"):
        parts = [_value(node.child_by_field_name(part), version) for part in ("left", "right")]
        if (sign == b"||") in parts:
            return sign == b"||"
        return None if None in parts else sign == b"&&"
    return _compared(text(node), version)


def _compared(test: bytes, version: tuple[int, int]) -> bool | None:
    """A comparison of one of the two numbers, or of one number of both, on a GPU of a version."""
    both = _TENFOLD.fullmatch(test)
    if both is not None:
        number = version[0] * int(both["by"] or both["times"]) + version[1]
        return bool(COMPARISONS[both["sign"]](number, int(both["number"])))
    straight = _TEST.search(test)
    match = straight or _REVERSED.match(test)
    if match is None or _COMPARED.fullmatch(test) is None:
        return None
    sign = match["sign"] if straight else TURNED[match["sign"]]
    return bool(COMPARISONS[sign](version[match["part"] == b"minor"], int(match["number"])))
