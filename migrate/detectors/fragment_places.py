"""Code that depends on which elements of a `wmma` fragment a lane holds, which NVIDIA leaves open (CUDA C++ Programming
Guide, "Warp Matrix Functions"): elements taken by their number, by the lane, or as a block of memory.

A loop over all elements that treats each alike, with values that are the same in all lanes, does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis import matrix_elements, matrix_names
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import Local, declared, text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import ancestors
from cudamigrate.warp.tree_queries import span

WORDS = (b"fragment", b"mma_sync", b"matrix_sync")
RULE, _FUNCTIONS = "library/fragment-places", "library/matrix-fragments"
_WITHOUT = "api/wmma-without-counterpart"
_MEMBERS = tree_sitter_nodes.Kinds("cuda", "field_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier")
_LOOPS = frozenset(("for_statement", "for_range_loop"))
_TYPE = re.compile(rb"\b(?:nvcuda\s*::\s*)?wmma\s*::\s*fragment\b|(?<![\w:])fragment\s*<")
_ALIAS = re.compile(
    rb"\busing\s+(\w+)\s*=\s*([^;]*\bfragment\s*<[^;]*);|\btypedef\s+([^;]*\bfragment\s*<[^;]*>)\s*(\w+)\s*;"
)
_SHAPE = re.compile(rb"<\s*(?:\w+\s*::\s*)*accumulator\s*,\s*(\w+)\s*,\s*(\w+)\s*,")
_KIND = re.compile(
    rb"<\s*(?:\w+\s*::\s*)*(?:matrix_a|matrix_b|accumulator)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*"
    rb"(?:\w+\s*::\s*)*(\w+(?:\s+\w+)*)\s*[,>]"
)
"""A fragment of a shape in plain numbers: `<wmma::accumulator, 16, 8, 16, half>`."""
_OF_CUDA = {
    (16, 16, 16): None, (32, 8, 16): None, (8, 32, 16): None,
    (16, 16, 8): (b"tf32", b"float"), (8, 8, 4): (b"double",),
    (8, 8, 32): (b"s4", b"u4", b"int"), (8, 8, 128): (b"b1", b"int"),
}  # fmt: skip
"""The shapes that CUDA's `mma.h` has fragments of, and for which types where not for all that it knows."""
_ELEMENTS = re.compile(
    rb"(?:__)?half|float|double|int|(?:un)?signed char|u?int8_t|char|tf32|[su]4|b1|__nv_bfloat16|nv_bfloat16"
)
"""Types of elements by their own names; what another name stands for is not known."""
_BY_LANE = frozenset((b"threadIdx", b"__laneid", b"lane_id", b"laneid", b"thread_rank"))
_WARP = 32


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such place of each function, and the functions by names that do not say where they are from."""
    yield from (Hit(_FUNCTIONS, use) for use in matrix_names.uses(parsed))
    yield from (Hit(_WITHOUT, use) for use in matrix_elements.uses(parsed))
    aliases = {one[1] or one[4]: one[2] or one[3] for one in parsed.lexed.starting(_ALIAS, b"using", b"typedef")}
    for function in parsed.outer:
        node = parsed.tree.root_node.descendant_for_byte_range(function.span.start, function.span.end - 1)
        if node is None or parsed.hip(function.span.start) is not None:
            continue
        fragments = {name: kind for name, local in declared(node) if (kind := _fragment(local, aliases))}
        place = next(_dependent(parsed, node, fragments), None) if fragments else None
        if place is not None:
            yield _hit(parsed, function, place)


def _hit(parsed: ParsedFile, function: Function, place: Node) -> Hit:
    where = span(place)
    use = Use("name", text(place).decode("latin-1"), where, where, (), parsed.scope(where.start), "syntax")
    return Hit(RULE, use, {"function": function.name})


def _fragment(local: Local, aliases: dict[bytes, bytes]) -> bytes:
    """How the type of a variable that is a fragment is spelled; empty for another."""
    kind = text(local.type)
    kind = aliases.get(kind.strip(), kind)
    return kind if _TYPE.search(kind) is not None and not _is_own(kind) else b""


def _is_own(kind: bytes) -> bool:
    """Whether CUDA has no fragment of a shape and type: the project defines it, with places of its own choice."""
    shape = _KIND.search(kind)
    if shape is None:
        return False
    rows, columns, depth = (int(shape[at]) for at in (1, 2, 3))
    types = _OF_CUDA.get((rows, columns, depth), ())
    return types is not None and _ELEMENTS.fullmatch(shape[4]) is not None and shape[4] not in types


def _dependent(parsed: ParsedFile, function: Node, fragments: dict[bytes, bytes]) -> Iterator[Node]:
    """The places in a function where elements are taken whose number, or whose lane, matters."""
    lanes = _by_lane(function)
    for member in _MEMBERS.below(function):
        if text(member.child_by_field_name("field")) != b"x":
            continue
        kind = fragments.get(_base(member.child_by_field_name("argument")))
        if kind is None or any(one.type.startswith(("gnu_asm", "sizeof")) for one in ancestors(member)):
            continue  # the registers of one instruction: who fills or reads them is asked
        whole = member.parent
        around = _loop(member)
        if around is None or not _is_alike(parsed, around, member, kind, lanes):
            yield whole if whole is not None and whole.type == "subscript_expression" else member


def _base(node: Node | None) -> bytes:
    """The variable that an expression is a part of: `acc` of `acc[i][j]`, `(*acc)`."""
    while node is not None and node.type != "identifier":
        inner = node.child_by_field_name("argument")
        node = inner if inner is not None else next(iter(node.named_children), None)
    return text(node)


def _loop(member: Node) -> Node | None:
    """The loop whose variable is the number of the element, or that goes over all; None where neither is so."""
    index = member.parent
    for loop in ancestors(member):
        if loop.type == "for_range_loop" and loop.child_by_field_name("right") == member:
            return loop
        if index is None or index.type != "subscript_expression" or loop.type not in _LOOPS:
            continue
        if _variable(loop) and _variable(loop) == _index(index):
            return loop
    return None


def _index(subscript: Node) -> bytes:
    """The number of an element where it is a name alone."""
    indices = subscript.child_by_field_name("indices")
    return text(indices).strip(b"[] \t\n") if indices is not None else b""


def _variable(loop: Node) -> bytes:
    """The variable of a loop that counts up by one from 0; empty for another."""
    begun, step = text(loop.child_by_field_name("initializer")), text(loop.child_by_field_name("update"))
    named = re.fullmatch(rb"\s*(?:[\w:]+\s+)*(\w+)\s*=\s*0[uU]?\s*;?\s*", begun)
    if named is None or re.fullmatch(rb"\+\+\s*\w+|\w+\s*\+\+|\w+\s*\+=\s*1", step.strip()) is None:
        return b""
    return named[1]


def _is_alike(parsed: ParsedFile, loop: Node, member: Node, kind: bytes, lanes: frozenset[bytes]) -> bool:
    """Whether a loop treats all elements alike: it has them all, and uses neither their number nor the lane."""
    body = loop.child_by_field_name("body")
    if body is None:
        return False
    counter = _variable(loop) if loop.type == "for_statement" else b""
    if counter and not _takes_all(parsed, loop, kind):
        return False
    for name in _NAMES.below(body):
        if text(name) in lanes or (text(name) == counter and not _is_number_of_element(name)):
            return False
    return True


def _is_number_of_element(name: Node) -> bool:
    """Whether a name is the number of an element of some fragment: `i` of `other.x[i]`."""
    subscript = next((one for one in ancestors(name) if one.type == "subscript_expression"), None)
    taken = subscript.child_by_field_name("argument") if subscript is not None else None
    if subscript is None or taken is None or _index(subscript) != text(name):
        return False
    return taken.type == "field_expression" and text(taken.child_by_field_name("field")) == b"x"


def _takes_all(parsed: ParsedFile, loop: Node, kind: bytes) -> bool:
    """Whether a loop goes over all elements, as far as its bound and the shape of the fragment are numbers."""
    bound = re.search(rb"(?:<|!=)\s*([^;]+?)\s*;?\s*\Z", text(loop.child_by_field_name("condition")))
    shape = _SHAPE.search(kind)
    if bound is None or shape is None:
        return bound is not None
    values = Values.of(parsed)
    until, rows, columns = (values.spelled(one) for one in (bound[1], shape[1], shape[2]))
    return None in (until, rows, columns) or (until or 0) * _WARP == (rows or 0) * (columns or 0)


def _by_lane(function: Node) -> frozenset[bytes]:
    """The variables of a function that are made from the number of the thread, and what that is called."""
    found, made = set(_BY_LANE), list(declared(function))
    for _ in made:
        new = {
            name
            for name, local in made
            if name not in found and local.value is not None and any(text(w) in found for w in _words(local.value))
        }
        if not new:
            break
        found |= new
    return frozenset(found)


def _words(value: Node) -> Iterator[Node]:
    """The names in a value."""
    yield from ([value] if value.type == "identifier" else ())
    yield from _NAMES.below(value)
