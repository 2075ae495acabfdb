"""Groups of active lanes that only add to a counter once for all of them: right whatever number of lanes they have.

`if (g.thread_rank() == 0) at = atomicAdd(p, g.size());` and `g.shfl(at, 0) + g.thread_rank()` give each lane a number
of its own, and the counter the number of lanes: as many groups of 32 give as one of 64.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.amount_conditions import function_around
from cudamigrate.warp.expressions import INTEGERS
from cudamigrate.warp.tree_queries import bare, holds, outer, plain_name

_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier")
_GIVEN = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "init_declarator")
_INTEGERS = frozenset(name.encode() for name in INTEGERS)
_SIZES, _RANK = (b"size", b"num_threads"), b"thread_rank"


def only_counts(parsed: ParsedFile, offset: int) -> bool:
    """Whether the statement at a place makes such a group, and nothing else is done with it in its function."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    around = () if node is None else tree_sitter_nodes.ancestors(node)
    made = next((one for one in around if one.type == "declaration"), None)
    listed = made.children_by_field_name("declarator") if made is not None else []
    value = bare(listed[0].child_by_field_name("value")) if len(listed) == 1 else None
    if made is None or value is None or plain_name(value.child_by_field_name("function")) != b"coalesced_threads":
        return False
    function, name = function_around(made), text(listed[0].child_by_field_name("declarator"))
    if function is None:
        return False
    uses = [one for one in _NAMES.below(function) if text(one) == name and not holds(made, one)]
    group = _Group(parsed, function, name)
    return bool(uses) and group.adds_once(uses) and all(map(group.is_counting, uses))


class _Group:
    """The uses of one group in its function."""

    def __init__(self, parsed: ParsedFile, function: Node, name: bytes) -> None:
        self.values, self.function, self.name = Values.of(parsed), function, name

    def adds_once(self, uses: list[Node]) -> bool:
        """Whether its size goes to the counter, so that what one lane does is done for as many as there are."""
        return any(_member(one) in _SIZES for one in uses)

    def is_counting(self, use: Node) -> bool:
        """Whether a use adds the size, lets one lane do so, or hands each lane its number from there."""
        call, member = _call(use), _member(use)
        if call is None:
            return False
        if member in _SIZES:
            return self._is_added(call)
        if member == b"shfl":
            return self._is_first(call)
        return member == _RANK and (self._chooses(call) or self._is_offset(call))

    def _is_added(self, call: Node) -> bool:
        listed = _goes_to(call)
        add = tree_sitter_nodes.parent(listed) if listed is not None and listed.type == "argument_list" else None
        return add is not None and plain_name(add.child_by_field_name("function")) == b"atomicAdd"

    def _is_first(self, call: Node) -> bool:
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        return len(given) == 2 and self.values.constant(given[1]) == 0

    def _chooses(self, rank: Node) -> bool:
        """Whether one lane is chosen for the sum alone: `if (g.thread_rank() == 0) at = atomicAdd(...);`."""
        test = outer(rank)
        if test is None or text(test.child_by_field_name("operator")) != b"==":
            return False
        right = test.child_by_field_name("right")
        branch = next((one for one in tree_sitter_nodes.ancestors(test) if one.type.endswith("statement")), None)
        if branch is None or branch.type != "if_statement" or branch.child_by_field_name("alternative") is not None:
            return False
        done = branch.child_by_field_name("consequence")
        if done is not None and done.type == "compound_statement" and done.named_child_count == 1:
            done = done.named_children[0]
        return (
            self.values.constant(bare(right)) == 0
            and done is not None
            and done.type == "expression_statement"
            and self._adds(done.named_children[0])
        )

    def _adds(self, done: Node) -> bool:
        """Whether an expression is an addition of the group's size, or puts what was there into a variable."""
        value = bare(done.child_by_field_name("right")) if done.type == "assignment_expression" else done
        if value is None or plain_name(value.child_by_field_name("function")) != b"atomicAdd":
            return False
        given = tree_sitter_nodes.elements(value.child_by_field_name("arguments"))
        return len(given) == 2 and self._is_of(_converted(given[1]), _SIZES)

    def _is_of(self, node: Node | None, members: tuple[bytes, ...]) -> bool:
        """Whether an expression calls one of some members of the group."""
        called = node.child_by_field_name("function") if node is not None and node.type == "call_expression" else None
        if called is None or called.type != "field_expression" or plain_name(called) not in members:
            return False
        return text(called.child_by_field_name("argument")) == self.name

    def _is_offset(self, rank: Node) -> bool:
        """Whether a rank is added to what all lanes have from the first: `g.shfl(at, 0)`, or a variable with that."""
        around = outer(rank)
        if around is None or text(around.child_by_field_name("operator")) != b"+":
            return False
        sides = [bare(around.child_by_field_name(side)) for side in ("left", "right")]
        return any(one is not None and not holds(one, rank) and self._is_handed(one) for one in sides)

    def _is_handed(self, node: Node) -> bool:
        if self._is_of(node, (b"shfl",)):
            return self._is_first(node)
        given = [
            bare(one.child_by_field_name("value") or one.child_by_field_name("right"))
            for one in _GIVEN.below(self.function)
            if text(one.child_by_field_name("declarator") or one.child_by_field_name("left")) == text(node)
            and one.end_byte <= node.start_byte
        ]
        return node.type == "identifier" and bool(given) and self._is_of(given[-1], (b"shfl",))


def _is_cast(node: Node | None) -> bool:
    """Whether a node is a conversion to a type of integers: `(int)n`, `static_cast<int>(n)`, `int(n)`."""
    if node is None or node.type not in ("cast_expression", "call_expression"):
        return False
    spelled = text(node.child_by_field_name("type") or node.child_by_field_name("function"))
    return spelled.removeprefix(b"static_cast<").removesuffix(b">").strip() in _INTEGERS


def _goes_to(node: Node) -> Node | None:
    """What is around an expression, without brackets and conversions to other types of integers."""
    around = outer(node)
    while around is not None:
        cast = around if around.type == "cast_expression" else tree_sitter_nodes.parent(around)
        if cast is None or not _is_cast(cast):
            break
        around = outer(cast)
    return around


def _converted(node: Node | None) -> Node | None:
    """What is converted to another type of integers, without brackets."""
    node = bare(node)
    while node is not None and _is_cast(node):
        listed = tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
        node = bare(node.child_by_field_name("value") or (listed[0] if len(listed) == 1 else None))
    return node


def _call(use: Node) -> Node | None:
    """The call of a member of what is named."""
    member = tree_sitter_nodes.parent(use)
    call = tree_sitter_nodes.parent(member) if member is not None and member.type == "field_expression" else None
    return call if call is not None and call.type == "call_expression" else None


def _member(use: Node) -> bytes:
    """The name of the member that is called; empty for none."""
    call = _call(use)
    return b"" if call is None else plain_name(call.child_by_field_name("function"))
