"""Loops that get on only once another thread has set a flag, and that read the flag by plain loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis import declared_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.fences import has_fence
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import identifiers, plain_name

WORDS = (b"__threadfence",)

_LOOPS = tree_sitter_nodes.Kinds("cuda", "while_statement", "do_statement", "for_statement")
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "call_expression")
_STORES = tree_sitter_nodes.Kinds("cuda", "assignment_expression")
_PLACES = ("subscript_expression", "pointer_expression")
_ELEMENTS = tree_sitter_nodes.Kinds("cuda", *_PLACES)
_IDLE = (b"__nanosleep", b"__threadfence", b"__threadfence_block", b"__threadfence_system", b"__syncwarp")
"""What a turn may call that changes nothing."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Loops of which a turn can change nothing, where one condition in it reads what the function publishes itself."""
    for loop in _LOOPS.below(parsed.tree.root_node):
        if parsed.scope(loop.start_byte) != "device" or parsed.hip(loop.start_byte) is not None:
            continue
        guards = _Turn(loop).guards()
        flag = next((name for one in guards for name in _flags(parsed, loop, one)), None)
        if flag is not None:
            name = flag.decode("latin-1")
            yield Hit("memory/plain-poll", parsed.named_use(name, Span(loop.start_byte, loop.end_byte)), {"name": name})


class _Turn:
    """One turn of a loop, as far as no condition in it holds."""

    def __init__(self, loop: Node) -> None:
        self.loop = loop
        self.values: dict[bytes, Node] = {}
        """What variables are given again in each turn, from others that it leaves as they are."""

    def guards(self) -> Sequence[Node]:
        """What a turn asks before it changes anything, and the values of variables in it; none where it always does."""
        test, body = self.loop.child_by_field_name("condition"), self.loop.child_by_field_name("body")
        if body is None or self.loop.child_by_field_name("update") is not None or (test and _CHANGES.below(test)):
            return ()
        found: list[Node] = []
        for one in body.named_children if body.type == "compound_statement" else (body,):
            if one.type != "comment" and not self._is_again(one):
                asked = list(_asked(one))
                if not asked:
                    return ()
                found += asked
        used = {name for one in found for name in identifiers(one)}
        return [*found, *(value for name, value in self.values.items() if name in used)]

    def _is_again(self, statement: Node) -> bool:
        """Whether a statement only waits, or gives a variable what it was given in the turn before."""
        changes = _CHANGES.below(statement)
        if statement.type == "expression_statement" and len(changes) == 1 and changes[0].type == "call_expression":
            return plain_name(changes[0].child_by_field_name("function")) in _IDLE
        if statement.type == "declaration":
            made = statement.children_by_field_name("declarator")
            parts = [(one.child_by_field_name("declarator"), one.child_by_field_name("value")) for one in made]
            return not changes and all(map(self._is_given, *zip(*parts, strict=True)))
        step = next(iter(statement.named_children), None) if statement.type == "expression_statement" else None
        if step is None or step.type != "assignment_expression" or len(changes) != 1:
            return False
        left, right = step.child_by_field_name("left"), step.child_by_field_name("right")
        return text(step.child_by_field_name("operator")) == b"=" and self._is_given(left, right)

    def _is_given(self, name: Node | None, value: Node | None) -> bool:
        if name is None or name.type != "identifier":
            return False
        if value is not None:
            self.values[text(name)] = value
        return value is None or text(name) not in identifiers(value)


def _asked(statement: Node | None) -> Iterator[Node]:
    """The conditions under which a statement does anything; none where it always does, or by calls in them."""
    test = statement.child_by_field_name("condition") if statement is not None else None
    if statement is None or statement.type not in ("if_statement", "while_statement") or test is None:
        return
    other = statement.child_by_field_name("alternative")
    others = list(_asked(next(iter(other.named_children), None))) if other is not None else []
    if not _CHANGES.below(test) and (other is None or others):
        yield test
        yield from others


def _flags(parsed: ParsedFile, loop: Node, asked: Node) -> Iterator[bytes]:
    """The arrays in a condition that the function around a loop sets to a number behind a fence, by plain stores."""
    published = _published(parsed, loop)
    for one in _ELEMENTS.below(asked) if published else ():
        held = one.child_by_field_name("argument")
        if held is not None and text(held) in published and _is_plain(parsed, held):
            yield text(held)


def _published(parsed: ParsedFile, loop: Node) -> set[bytes]:
    """The names of the arrays, or pointers, of which the function around a loop sets elements to a number, fenced."""
    function = parsed.function(loop.start_byte)
    found = set[bytes]()
    for one in _STORES.below(parsed.tree.root_node) if function is not None else ():
        left = one.child_by_field_name("left")
        held = left.child_by_field_name("argument") if left is not None and left.type in _PLACES else None
        if function is None or held is None or not function.body.start <= one.start_byte < function.body.end:
            continue
        is_fenced = has_fence(parsed, Span(function.body.start, one.start_byte))
        if held.type == "identifier" and is_fenced and _is_number(parsed, one.child_by_field_name("right")):
            found.add(text(held))
    return found


def _is_number(parsed: ParsedFile, value: Node | None) -> bool:
    return value is not None and Values.of(parsed).constant(value) is not None


def _is_plain(parsed: ParsedFile, name: Node) -> bool:
    """Whether a pointer or an array of the file is seen to be in memory of all blocks, and not `volatile`."""
    found = declared_types.variable(Values.of(parsed), name)
    return bool(found) and all(one.qualifiers.isdisjoint((b"volatile", b"__shared__")) for one in found)
