"""What a shuffle over 64 lanes has made, taken by one lane of each half of the wave: once too often."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.function_facts import FunctionFacts
from cudamigrate.warp.tree_queries import bare, comparisons, identifiers, span

WORDS = (b"__shfl",)
_WAVE = 64
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "init_declarator", "for_range_loop")
_IFS = tree_sitter_nodes.Kinds("cuda", "if_statement")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Conditions that pick a lane by its number in a warp of 32, around what came from a shuffle of width 64."""
    seen: set[int] = set()
    for call in CALLS.below(parsed.tree.root_node):
        value = _value_of_wave(parsed, call)
        if value is None or parsed.hip(call.start_byte) is False:
            continue
        function = next((one for one in tree_sitter_nodes.ancestors(call) if one.type == "function_definition"), None)
        if function is None:
            continue
        made = _made_of(function, frozenset(identifiers(value)), call)
        for picked in _leaders(parsed, function, call.end_byte, made):
            if picked.start_byte not in seen:
                seen.add(picked.start_byte)
                place, name = span(picked), " ".join(text(picked).decode("latin-1").split())
                use = parsed.named_use(name, place)
                yield Hit("warp/half-wave-leader", use, {"name": name, "shuffle": text(call).decode("latin-1")})


def _value_of_wave(parsed: ParsedFile, call: Node) -> Node | None:
    """What a shuffle of width 64 exchanges; None for other calls."""
    name = text(call.child_by_field_name("function"))
    if not name.startswith(b"__shfl"):
        return None
    given, masked = tree_sitter_nodes.elements(call.child_by_field_name("arguments")), name.endswith(b"_sync")
    if len(given) != 3 + masked:
        return None
    return given[masked] if Values.of(parsed).constant(given[-1]) == _WAVE else None


def _made_of(function: Node, begun: frozenset[bytes], call: Node) -> set[bytes]:
    """The variables of a function that hold what a call returns, what it was given, or what comes from either."""
    names, changes = set(begun), list(_CHANGES.below(function))
    grows = True
    while grows:
        before = len(names)
        for one in changes:
            target = one.child_by_field_name("left") or one.child_by_field_name("declarator")
            value = one.child_by_field_name("right") or one.child_by_field_name("value")
            if target is None or value is None:
                continue
            made, given = set(_objects(target)), set(identifiers(value))
            held = value.start_byte <= call.start_byte < value.end_byte
            if held or not names.isdisjoint(given):
                names |= made
            if one.type == "for_range_loop" and not names.isdisjoint(made) and target.type == "reference_declarator":
                names |= given
        grows = len(names) > before
    return names


def _objects(target: Node) -> Iterator[bytes]:
    """The variable that is written, without those that only say where in it."""
    node: Node | None = target
    while node is not None and node.type == "subscript_expression":
        node = node.child_by_field_name("argument")
    yield from identifiers(node) if node is not None else ()


def _leaders(parsed: ParsedFile, function: Node, start: int, made: set[bytes]) -> Iterator[Node]:
    """Comparisons of a lane's number in 32 with a constant, behind a place, that decide who takes what was made."""
    facts: FunctionFacts | None = None
    for one in _IFS.below(function):
        test, taken = one.child_by_field_name("condition"), one.child_by_field_name("consequence")
        if one.start_byte < start or test is None or taken is None or parsed.hip(one.start_byte) is False:
            continue
        if made.isdisjoint(identifiers(taken)):
            continue
        for picked in comparisons(test):
            sides = [bare(picked.child_by_field_name(side)) for side in ("left", "right")]
            if text(picked.child_by_field_name("operator")) != b"==":
                continue
            if not any(Values.of(parsed).constant(side) is not None for side in sides if side is not None):
                continue
            facts = facts or _facts(parsed, function)
            if facts.place is not None and any(facts.exact(side) == "lane" for side in sides):
                yield picked


def _facts(parsed: ParsedFile, function: Node) -> FunctionFacts:
    own = parsed.function(function.end_byte - 1)
    return FunctionFacts(parsed, function, own.name if own is not None else "")
