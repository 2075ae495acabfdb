"""One step of lanes through shared memory, in the syntax tree: the place of another lane and the statement around."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare

Place = tuple[bytes, Node, bytes]
"""Array, own index and signed distance of `array[index + distance]`."""
DISTANCES = (b"1", b"2", b"4", b"8", b"16", b"32")
_LEAST = 3
"""Terms of an index with a distance in its middle: a lane's number, the distance, and where the lanes' part begins."""
_WRITES = ("assignment_expression", "update_expression")
LOOPS = ("for_statement", "while_statement", "do_statement")
ELEMENTS = tree_sitter_nodes.Kinds("cuda", "subscript_expression")
"""Elements of arrays."""
_STATEMENTS = ("expression_statement", "if_statement", "return_statement", "declaration", *LOOPS)


def base(access: Node) -> bytes:
    """The name of the array of an element, the last one of a chain of members."""
    node: Node | None = access
    while node is not None and node.type == "subscript_expression":
        node = node.child_by_field_name("argument")
    return text(node.child_by_field_name("field") if node is not None and node.type == "field_expression" else node)


def place_of(access: Node) -> Place | None:
    """Array, own index and signed distance of `array[index + distance]`."""
    indices = access.child_by_field_name("indices")
    inner = None if indices is None or indices.named_child_count != 1 else bare(indices.named_child(0))
    if inner is None or inner.type != "binary_expression":
        return None
    left, right = bare(inner.child_by_field_name("left")), inner.child_by_field_name("right")
    sign = text(inner.child_by_field_name("operator"))
    if left is None or right is None or sign not in (b"+", b"-", b"^"):
        return None
    array = squeezed(access.child_by_field_name("argument"))
    distance = text(right).rstrip(b"uU") if right.type == "number_literal" else squeezed(right)
    if array and (apart := _own_of_sum(access, array, inner)) is not None:
        return array, *apart
    fits = distance in DISTANCES if right.type == "number_literal" else _is_made(right)
    return (array, left, sign + distance) if fits and array else None


def _own_of_sum(access: Node, array: bytes, index: Node) -> tuple[Node, bytes] | None:
    """The own index and the distance of a sum with one in its middle: `s[t + n] += s[t + 16 + n]`.

    The own index is that of the element that the assignment around writes: all terms of the sum but the distance.
    """
    terms = sorted(_terms(index))
    if len(terms) < _LEAST or not any(one in DISTANCES for one in terms):
        return None
    write = next((one for one in tree_sitter_nodes.ancestors(access) if one.type in _WRITES), None)
    target = _target(write) if write is not None else None
    while target is not None and target.type == "field_expression":
        target = target.child_by_field_name("argument")
    own = target.child_by_field_name("indices") if target is not None else None
    if target is None or own is None or squeezed(target.child_by_field_name("argument")) != array:
        return None
    node = own.named_child(0) if own.named_child_count == 1 else None
    return next(
        (
            (node, b"+" + one)
            for at, one in enumerate(terms)
            if node is not None and one in DISTANCES and terms[:at] + terms[at + 1 :] == sorted(_terms(node))
        ),
        None,
    )


def _terms(node: Node | None) -> Iterator[bytes]:
    """What a sum adds up, without the suffix of a number; one that is no sum is one term."""
    inner = bare(node)
    if inner is not None and inner.type == "binary_expression" and text(inner.child_by_field_name("operator")) == b"+":
        yield from _terms(inner.child_by_field_name("left"))
        yield from _terms(inner.child_by_field_name("right"))
    elif inner is not None:
        yield text(inner).rstrip(b"uU") if inner.type == "number_literal" else squeezed(inner)


def _is_made(distance: Node) -> bool:
    """Whether a distance is a variable, or made of some: `d`, `d * stride`, `(16 >> i)`."""
    plain = distance.type in ("identifier", "number_literal", "binary_expression", "parenthesized_expression")
    return distance.type == "identifier" or (
        plain and distance.type != "number_literal" and all(map(_is_part, distance.named_children))
    )


def _is_part(node: Node) -> bool:
    return node.type == "number_literal" or _is_made(node)


def statement_of(access: Node, array: bytes, index: Node) -> tuple[Node | None, Node | None]:
    """The statement that reads another lane's place and writes the lane's own, or the two that do so."""
    found: Node | None = None
    for around in tree_sitter_nodes.ancestors(access):
        if around.type in _WRITES and _holds(_target(around), access):
            return None, None  # writes another lane's place
        if around.type == "expression_statement" and found is None:
            found = around
        elif around.type == "if_statement":
            decides = around.child_by_field_name("condition")
            if decides is not None and (_holds(decides, access) or _reads_others(decides, index)):
                found = around
            break
        elif around.type in _STATEMENTS or (around.type == "compound_statement" and found is None):
            break
    if found is None:
        return None, None
    if any(_is_own(_target(write), array, index) for write in assignments(found)):
        return found, None
    after = _next(found)
    if after is None or not any(_is_own(_target(write), array, index) for write in assignments(after)):
        return None, None
    return (found, after) if any(True for _ in assignments(found)) else (None, None)


def _reads_others(node: Node, index: Node | None = None) -> bool:
    """Whether a piece of code has an element of another lane, of the lane's own index where one is given."""
    for one in ELEMENTS.below(node):
        place = place_of(one)
        if place is not None and (index is None or squeezed(place[1]) == squeezed(index)):
            return True
    return False


def _next(statement: Node) -> Node | None:
    """The plain statement behind another one of a block, where it reads no other lane's place."""
    after = statement.next_named_sibling
    while after is not None and after.type == "comment":
        after = after.next_named_sibling
    within = statement.parent is not None and statement.parent.type == "compound_statement"
    plain = after is not None and {statement.type, after.type} == {"expression_statement"}
    return after if within and plain and after is not None and not _reads_others(after) else None


def assignments(statement: Node) -> Iterator[Node]:
    """The assignments and increments in a piece of code."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if node.type in _WRITES:
            yield node
        waiting.extend(node.named_children)


def _target(write: Node) -> Node | None:
    return write.child_by_field_name("left") or write.child_by_field_name("argument")


def _is_own(target: Node | None, array: bytes, index: Node) -> bool:
    """Whether the target of a write is the lane's own place of the array, or a member of it."""
    while target is not None and target.type == "field_expression":
        target = target.child_by_field_name("argument")
    places = target.child_by_field_name("indices") if target is not None else None
    if target is None or places is None or places.named_child_count != 1:
        return False
    same = squeezed(target.child_by_field_name("argument")) == array
    return same and squeezed(bare(places.named_child(0))) == squeezed(index)


def _holds(node: Node | None, inner: Node) -> bool:
    return node is not None and node.start_byte <= inner.start_byte and inner.end_byte <= node.end_byte


def with_members(access: Node) -> Node:
    """An access with the members that are taken of it: of a `volatile` object only those can be read."""
    node = access
    while node.parent is not None and node.parent.type == "field_expression":
        node = node.parent
    return node


def is_read_always(access: Node, statement: Node) -> bool:
    """Whether the statement reads a place whatever it decides, and takes no address of it."""
    node = access
    for around in tree_sitter_nodes.ancestors(access):
        decides = around.child_by_field_name("condition")
        if around.type == "conditional_expression" and decides != node and squeezed(access) not in squeezed(decides):
            return False
        sign = text(around.child_by_field_name("operator"))
        if sign in (b"&&", b"||") and around.child_by_field_name("left") != node and around != guarded(statement):
            return False
        if (around.type == "pointer_expression" and sign == b"&") or around.type == "lambda_expression":
            return False
        if around == statement:
            return around.type != "if_statement" or decides is None or _holds(decides, access) or _reads_others(decides)
        node = around
    return False


def guarded(statement: Node) -> Node | None:
    """The condition `guard && decision` of an `if`, or None where it has no guard."""
    condition = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
    value = None if condition is None else condition.child_by_field_name("value") or condition.named_child(0)
    is_pair = value is not None and text(value.child_by_field_name("operator")) == b"&&"
    return value if is_pair else None


def in_other_branch(before: Node, end: int, statement: Node) -> bool:
    """Whether who takes one statement, up to `end`, does not take another: two branches of one decision have them."""
    return any(
        around.type in ("else_clause", "case_statement")
        and around.start_byte >= end
        and around.parent is not None
        and around.parent.start_byte <= before.start_byte
        for around in tree_sitter_nodes.ancestors(statement)
    )


def squeezed(node: Node | None) -> bytes:
    """Source of a node without blanks."""
    return b"".join(text(node).split())
