"""What device code takes for granted of the blocks it is launched in, as far as its file shows it.

Result: the numbers seen as the first dimension of a kernel's blocks, and whether as many threads as a wave has are
chosen from a block. What is computed at run time, or launched from another file, is not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.analysis.variable_mentions import Mentions
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

_FIRST = rb"\s*[({]\s*([^,(){}\s][^,(){}]*?)\s*(?:,[^;{}]*)?[)}]"
_DIMENSIONS = re.compile(rb"dim3" + _FIRST)
_NAME = re.compile(rb"[A-Za-z_]\w*")
_MADE = re.compile(rb"\bdim3\s+(?P<name>\w+)\b(?=(\s*=\s*dim3)?" + _FIRST + rb"(?P<end>))")
_SET = re.compile(rb"\b(?P<name>[A-Za-z_]\w*)(?=(?:\s*\.\s*x)?\s*(?:[-+*/%&|]|<<|>>)?=(?!=)(?P<end>))")
_SET_FIRST = re.compile(rb"\b(?P<name>[A-Za-z_]\w*)(?=\s*\.\s*x\s*=\s*(?P<value>[^;=]+?)\s*;)")
"""A variable for a block, and what sets one, or its first dimension: `dim3 b(n)`, `b = c`, `b.x *= 2`, `b.x = n;`."""
_DEPTH = 6
_NEAR = 600


def widths(parsed: ParsedFile, values: Values) -> Iterator[tuple[str, int]]:
    """Kernels and the first dimension of a block that they are launched with, where it is seen."""
    for use in parsed.uses:
        if use.kind == "launch" and use.name and len(use.args) > 1:
            width = _width(parsed, values, use.args[1])
            if width is not None:
                yield use.name, width


def launched(parsed: ParsedFile, values: Values, uses: Iterable[Use]) -> list[frozenset[int]]:
    """The widths that the blocks of each of some launches may have; empty where one is not seen.

    A width of 0 is some number of full wavefronts of 64.
    """
    found = [_possible(parsed, values, use.args[1]) if len(use.args) > 1 else frozenset[int]() for use in uses]
    return found if all(found) else []


def _possible(parsed: ParsedFile, values: Values, block: Span) -> frozenset[int]:
    known = _width(parsed, values, block)
    if known is not None:
        return frozenset((known,))
    node = node_at(parsed, block.start, block.end)
    around = parsed.function(block.start)
    if node is not None and node.type == "identifier" and around is not None:
        found, mentions = values.locals(node.start_byte).get(text(node), []), Mentions.of(parsed)
        given = mentions.settings(_SET_FIRST, text(node), block.start)
        changed = len(mentions.settings(_SET, text(node), block.start))
        if len(found) == 1 and found[0].words == {b"dim3"} and found[0].value is None and len(given) == changed == 1:
            known = _number(parsed, values, given[0]["value"], block.start)
            return frozenset[int]() if known is None else frozenset((known,))
        if len(found) == 1 and found[0].rank == 0 and changed == 1:
            node = found[0].value
    if node is None:
        return frozenset()
    return _choices(values, node, _DEPTH)


def _choices(values: Values, node: Node, depth: int) -> frozenset[int]:
    """The numbers that an expression may come to; 0 for some multiple of 64."""
    known = values.constant(node)
    if known is not None:
        return frozenset((known,))
    if node.type == "parenthesized_expression" and node.named_child_count == 1 and depth:
        return _choices(values, node.named_children[0], depth - 1)
    child = node.child_by_field_name
    if node.type == "conditional_expression" and depth:
        sides = [child("consequence"), child("alternative")]
        found = [_choices(values, side, depth - 1) for side in sides if side is not None]
        return frozenset().union(*found) if len(found) == 2 and all(found) else frozenset()
    if node.type == "binary_expression" and text(child("operator")) == b"*":
        factors = [values.constant(child(side)) for side in ("left", "right")]
        if any(factor is not None and factor > 0 and factor % 64 == 0 for factor in factors):
            return frozenset((0,))
    return frozenset()


def given_widths(parsed: ParsedFile, kernel: str, uses: Iterable[Use]) -> frozenset[bytes]:
    """Template parameters of a kernel that each launch gives the very expression which is the width of its block."""
    parameters = _template(parsed, kernel)
    named = set(parameters)
    for use in uses:
        width = parsed.data[use.args[1].start : use.args[1].end].strip() if len(use.args) > 1 else b""
        before = parsed.data[max(0, use.span.start - _NEAR) : use.span.start]
        match = re.search(rb"\b" + re.escape(kernel.encode()) + rb"\s*<([^;{}()]*)>\s*\Z", before)
        given = [part.strip() for part in match[1].split(b",")] if match is not None and b"<" not in match[1] else []
        named &= {name for name, value in zip(parameters, given, strict=False) if value == width}
    return frozenset(named)


def _template(parsed: ParsedFile, kernel: str) -> list[bytes]:
    """The names of the template parameters of a kernel."""
    function = parsed.once(_by_name).get(kernel)
    if function is None:
        return []
    around = parsed.nodes_around(function.span.start, function.span.end - 1)
    node = next((one for one in reversed(around) if one.type == "template_declaration"), None)
    listed = node.child_by_field_name("parameters") if node is not None else None
    words = [_NAME.findall(text(one).partition(b"=")[0]) for one in (listed.named_children if listed else ())]
    return [word[-1] for word in words if word]


def _by_name(parsed: ParsedFile) -> dict[str, Function]:
    """The first function of each name."""
    return {function.name: function for function in reversed(parsed.functions)}


def _width(parsed: ParsedFile, values: Values, block: Span) -> int | None:
    spelled = parsed.data[block.start : block.end]
    made = _DIMENSIONS.fullmatch(spelled)
    if made is not None:
        return _number(parsed, values, made[1], block.start)
    known = values.constant(node_at(parsed, block.start, block.end))
    if known is not None or _NAME.fullmatch(spelled) is None:
        return known
    return _declared(parsed, values, spelled, block.start)


def _number(parsed: ParsedFile, values: Values, word: bytes, offset: int) -> int | None:
    known = values.spelled(word)
    if known is not None or _NAME.fullmatch(word) is None or word in values.constants():
        return known
    return _declared(parsed, values, word, offset)


def _declared(parsed: ParsedFile, values: Values, name: bytes, offset: int) -> int | None:
    """The value of a variable that is set once; of a `dim3` its first number."""
    if parsed.function(offset) is None:
        return None
    mentions = Mentions.of(parsed)
    assigned = len(mentions.settings_before(_SET, name, offset))
    made = mentions.before(_MADE, name, offset)
    if made:
        once = len(made) == 1 and assigned == (made[0][2] is not None)
        return _number(parsed, values, made[0][3], made[0].start()) if once else None
    found = values.locals(offset).get(name, [])
    return values.constant(found[0].value) if len(found) == 1 and assigned == 1 else None


def is_bound(values: Values, size: Node | None) -> bool:
    """Whether as many threads as a wave has are chosen from the block: `threadIdx.x < warpSize`."""
    parent = _operation(size, (b"<",))
    return parent is not None and values.from_threads(parent.child_by_field_name("left"))


def _operation(size: Node | None, signs: tuple[bytes, ...]) -> Node | None:
    """The operation that has `size` as its right side."""
    parent = None if size is None else size.parent
    if parent is None or parent.type != "binary_expression" or parent.child_by_field_name("right") != size:
        return None
    return parent if text(parent.child_by_field_name("operator")) in signs else None
