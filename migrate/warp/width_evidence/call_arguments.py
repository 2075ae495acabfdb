"""Numbers of lanes that are handed on: to functions called after what warps do, to the width of a macro's shuffle.

Comes in: a parsed file and the node of a number. Goes out: the range that counts 32 lanes, or None where the number
goes elsewhere. What a function does is told by its name; what a macro does, by its body.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import WARP_NAME
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.width_evidence.value_uses import made

_SHUFFLES = re.compile(rb"(?!__)\w*(?:shuffle(?:_?(?:index|up|down|xor))|shfl)\w*", re.I)
_WORKS = re.compile(rb"(?!__)\w*warp\w*(?:reduc|scan|sum|max|min|shuffle|shfl|broadcast|sort)\w*", re.I)
_REDUCES = re.compile(rb"(?!__)(?:\w*shuffle_?reduce\w*|\w*reduce_?(?:in_?)?warp\w*|all_?reduce_?)", re.I)
_VOTES = re.compile(rb"(?!__)\w*(?:ballot|any_sync|all_sync|match_any|match_all)\w*", re.I)
_LEAST = (b"min", b"max", b"std::min", b"std::max")
_LAST = (b"31", b"0x1f", b"0x1F")


def handed(parsed: ParsedFile, number: Node) -> Span | None:
    """The range of a 32, a last lane or a full mask that goes into lane code by another name than CUDA's."""
    is_32 = text(number).startswith((b"32", b"0x20"))
    chosen = _chosen(number) if is_32 else None
    if chosen is not None:
        return Span(chosen.start_byte, chosen.end_byte)
    node, parent = number, number.parent
    while parent is not None and parent.type == "argument_list" and _called(parent) in _LEAST and parent.parent:
        node, parent = parent.parent, parent.parent.parent
    if parent is None or parent.type not in ("argument_list", "template_argument_list"):
        return None
    name = _called(parent).rpartition(b"::")[2]
    shuffles = _SHUFFLES.fullmatch(name) is not None
    found = shuffles
    if is_32:
        found = shuffles or _WORKS.fullmatch(name) is not None or _REDUCES.fullmatch(name) is not None
        found = found or _is_width(parsed, name, node, parent) or _reduces_row(name, parent)
    elif not text(number).startswith(_LAST):
        found = (shuffles or _VOTES.fullmatch(name) is not None) and parent.type == "argument_list"
    return Span(number.start_byte, number.end_byte) if found else None


def _reduces_row(name: bytes, arguments: Node) -> bool:
    """`reduce<32>(row, value, threadIdx.x, ...)`: 32 threads of a block work together."""
    call = arguments.parent.parent if arguments.parent is not None else None
    while call is not None and call.type == "qualified_identifier":
        call = call.parent
    if arguments.type != "template_argument_list" or call is None or call.type != "call_expression":
        return False
    threads = b"threadIdx.x" in text(call.child_by_field_name("arguments"))
    return threads and re.match(rb"(?i:\w*(?:reduce|scan))\w*\Z", name) is not None


def _called(arguments: Node) -> bytes:
    """The name of what is called with arguments, or with template arguments."""
    call = arguments.parent
    if call is None:
        return b""
    if arguments.type == "template_argument_list":
        return text(call.child_by_field_name("name")) if call.type in ("template_function", "template_type") else b""
    return text(call.child_by_field_name("function")).partition(b"<")[0] if call.type == "call_expression" else b""


def _is_width(parsed: ParsedFile, name: bytes, node: Node, arguments: Node) -> bool:
    """Whether a macro of the file hands what it is given there to a shuffle as its width."""
    if arguments.type != "argument_list" or not re.fullmatch(rb"\w+", name):
        return False
    define = re.search(rb"#[ \t]*define[ \t]+" + name + rb"\(([^()]*)\)((?:[^\\\n]|\\[^\n]?\n?)*)", parsed.data)
    if define is None:
        return False
    parameters = [word.strip() for word in define[1].split(b",")]
    at = [one for one in arguments.named_children if one.type != "comment"].index(node)
    if at >= len(parameters) or not re.fullmatch(rb"\w+", parameters[at]):
        return False
    comma = rb"[^;]*?,[^;]*?,[^;]*?,\s*\(?" + parameters[at] + rb"\)?\s*\)"
    return re.search(rb"\b__shfl\w*_sync\s*\(" + comma, define[2]) is not None


def _chosen(number: Node) -> Node | None:
    """`rows < 32 ? rows : 32` where what it makes is called the size of a warp, and 64 is no choice."""
    around = next((one for one in tree_sitter_nodes.ancestors(number) if one.type == "conditional_expression"), None)
    if around is None or WARP_NAME.fullmatch(made(around)) is None or b"64" in text(around):
        return None
    inner = number.parent
    while inner is not None and inner != around and inner.type in ("binary_expression", "parenthesized_expression"):
        inner = inner.parent
    return around if inner == around else None
