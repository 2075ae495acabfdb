"""Barriers of a block that stand where only some of its threads come by."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from migrate.analysis.constant_values import Values
from migrate.analysis.cooperative_groups import groups
from migrate.cuda.declarations import text
from migrate.cuda.parsed_file import ParsedFile
from migrate.lazy_re import re
from migrate.model import Hit, Span, Use
from migrate.syntax import tree_sitter_nodes

WORDS = (b"__syncthreads", b"cooperative_groups", b"cg::")

_BARRIER = re.compile(rb"\b__syncthreads(?:_count|_and|_or)?(?=\s*\()")
_SYNC = re.compile(
    rb"(?<![\w.>])(?P<group>\w+)\s*(?:\.|->)\s*sync(?=\s*\(\s*\))|\bthis_thread_block\s*\(\s*\)\s*\.\s*sync\b"
)
_BRANCHES = frozenset(("if_statement", "while_statement", "for_statement", "do_statement", "switch_statement"))
_OUTSIDE = frozenset(("function_definition", "lambda_expression"))
_THREAD = re.compile(rb"(?:thread_?(?:id|idx|index)|tidx?|tid_x|lane(?:_?idx?)?)", re.I)
_ASKS = re.compile(rb"(?:.*(?:\.|->|::))?(?:thread_rank|lane_?id|get_lane\w*|elect_one\w*)", re.S)
_ROUNDED = re.compile(rb"round|pad|align|ceil|multiple|up_?to", re.I)
_NUMBER = re.compile(rb"(?<![\w.])\d+(?![\w.])")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ADDED = re.compile(rb"\+\s*((?:threadIdx\.\w+|\w*(?i:tid|thread_?idx?|lane)\w*))\b(?!\s*[*/%.(\[])")
_MULTIPLE = re.compile(rb"/[^;]*\)\s*\*\s*\w+|\bblockDim[.\w]*\s*\*\s*\(|round|align|ceil", re.I)
_WAVE = 64
_DEPTH = 6


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """One hit for each branch or loop that threads enter by their number and that holds a barrier."""
    values, told = Values.of(parsed), set[int]()
    for match in _barriers(parsed):
        if parsed.scope(match.start()) != "device" or parsed.hip(match.start()) is not None:
            continue
        branch = _branch(values, match.start())
        if branch is None or branch.start_byte in told:
            continue
        told.add(branch.start_byte)
        name, span = match[0].decode(), Span(*match.span())
        condition = " ".join(text(branch.child_by_field_name("condition")).decode("latin-1").split()).strip("()")
        words = {"name": name, "condition": condition if len(condition) <= 60 else condition[:57] + "..."}
        use = Use("name", name, span, span, (), "device", parsed.certainty(match.start()))
        yield Hit("launch/barrier-in-branch", use, words)


def _barriers(parsed: ParsedFile) -> Iterator[re.Match[bytes]]:
    """Barriers of the block by the function, and by a group that is seen to be the block or the grid."""
    yield from parsed.lexed.matches(_BARRIER, b"__syncthreads")
    for match in parsed.lexed.matches(_SYNC, b"cooperative_groups", b"cg::"):
        if match["group"] is None or groups(parsed).kind(match["group"], match.start()) in ("block", "grid"):
            yield match


def _branch(values: Values, offset: int) -> Node | None:
    """The nearest statement around whose condition depends on the thread."""
    node = values.parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type in _OUTSIDE:
            return None
        if around.type not in _BRANCHES:
            continue
        condition = around.child_by_field_name("condition")
        if condition is None or condition.start_byte <= offset < condition.end_byte or b"constexpr" in _head(around):
            continue
        if _differs(values, condition, _DEPTH) and not _is_even(values, around, condition):
            return around
    return None


def _head(statement: Node) -> bytes:
    return b" ".join(text(child) for child in statement.children[:2])[:20]


def _is_even(values: Values, statement: Node, condition: Node) -> bool:
    """Whether all threads, or all of a wave, may come by as often all the same.

    A loop up to a rounded number or from `a + t` to `b + t`, a test that parts the block at a number of whole waves.
    """
    spelled = text(condition)
    numbers = [int(number) for number in _NUMBER.findall(spelled)]
    if numbers and b"==" not in spelled and all(number and number % _WAVE == 0 for number in numbers):
        return True
    if statement.type == "if_statement":
        return False
    if statement.type == "for_statement" and _starts_and_ends_alike(statement, spelled):
        return True
    ends = values.locals(condition.start_byte)
    made = b" ".join(text(one.value) for name in _NAME.findall(spelled) for one in ends.get(name, ()))
    return _ROUNDED.search(spelled) is not None or _MULTIPLE.search(made) is not None


def _starts_and_ends_alike(loop: Node, condition: bytes) -> bool:
    """Whether a thread's number is added to where a loop begins and to where it ends: threads turn as often."""
    begin = text(loop.child_by_field_name("initializer"))
    added = _ADDED.findall(begin)
    return bool(added) and set(added) == set(_ADDED.findall(condition))


def _differs(values: Values, node: Node | None, depth: int) -> bool:
    """Whether threads of one block get different answers: a thread's index goes in, by way of local variables too."""
    if node is None or depth == 0:
        return False
    if node.type == "field_expression":
        return text(node.child_by_field_name("argument")) == b"threadIdx"
    if node.type == "identifier":
        return _is_thread(values, node, depth)
    if node.type == "call_expression":
        return _ASKS.fullmatch(text(node.child_by_field_name("function"))) is not None
    if node.type in ("subscript_expression", "pointer_expression", "lambda_expression"):
        return False
    return any(_differs(values, part, depth - 1) for part in node.named_children)


def _is_thread(values: Values, node: Node, depth: int) -> bool:
    """The same for a name: what counts is the declaration nearest before it."""
    found = values.locals(node.start_byte).get(text(node), ())
    if any(local.rank for local in found):
        return False
    before = [local.value for local in found if local.value is not None and local.value.start_byte < node.start_byte]
    if before:
        return _differs(values, max(before, key=lambda value: value.start_byte), depth - 1)
    return bool(found) and _THREAD.fullmatch(text(node)) is not None
