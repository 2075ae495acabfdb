"""Whether conditions of a function keep an amount from a value: asked around its place, before it, or behind it.

A condition decides where it asks for a variable that the amount is made of, or for one that is worked out from the same
variables: `if (first != last)` of two words is such a one for the bits between them. `i < n` bounds no rest of `i`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import COORDINATES
from cudamigrate.cuda.declarations import text
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import COMPARISONS, bare, holds

FUNCTIONS = ("function_definition", "lambda_expression")
_IFS = tree_sitter_nodes.Kinds("cuda", "if_statement")
_ASKING = tree_sitter_nodes.Kinds(
    "cuda",
    "if_statement",
    "conditional_expression",
    "while_statement",
    "do_statement",
    "for_statement",
    "switch_statement",
    "binary_expression",
    "unary_expression",
)
_GIVEN = tree_sitter_nodes.Kinds("cuda", "init_declarator", "assignment_expression")
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", "field_identifier", parts=True)
_LEAVES = (b"return", b"continue", b"break", b"trap", b"exit")
_RELATIONS = (b"<", b"<=", b">", b">=")
_LOGICAL = (b"&&", b"||")
_VARIABLES = ("identifier", "field_expression", "subscript_expression", "pointer_expression")


def deciding(amount: Node) -> Iterator[bytes]:
    """The names that decide how large an amount is: none of an index; of a rest its own spelling, for one."""
    sign, kind = text(amount.child_by_field_name("operator")), amount.type
    rest = kind == "binary_expression" and sign in (b"%", b"&")
    if kind == "identifier" or rest:
        yield b"".join(text(amount).split())
    part = "right" if rest else "argument" if kind == "subscript_expression" else ""
    only = amount.child_by_field_name(part) if part else None
    for one in amount.named_children if only is None else [only]:
        yield from deciding(one)


def is_bounded(amount: Node, names: set[str], is_lane: Callable[[Node], bool] | None = None) -> bool:
    """Whether a condition around a place, or one before it that leaves the function, asks for one of the names.

    With `is_lane`, which says what is the number of a lane, only those count that may keep the first lane away:
    `lane < n` holds for it where it holds for any, and the bit of a variable that the lane numbers may be set for it.
    """
    wanted = {name.encode() for name in names}
    asking = (one for one in asked(amount) if not wanted.isdisjoint(deciding(one)))
    if any(is_lane is None or not _lets_first(one, _is_met(one, amount), wanted, is_lane) for one in asking):
        return True
    return is_lane is not None and any(_leaves_rest(one, wanted) for one in asked(amount) if _is_met(one, amount))


def _leaves_rest(test: Node, wanted: set[bytes]) -> bool:
    """Whether a condition is what is left of one of the names, `lane & 1`: nothing is, in the first lane."""
    inner = bare(test)
    if inner is not None and inner.type == "condition_clause":
        inner = bare(inner.child_by_field_name("value"))
    if inner is None or text(inner.child_by_field_name("operator")) not in (b"%", b"&"):
        return False
    return text(bare(inner.child_by_field_name("left"))) in wanted


def _is_met(test: Node, amount: Node) -> bool:
    """Whether a condition holds where an amount is worked out, or does not: behind what leaves, and in an `else`."""
    around = test.parent
    if around is None or not holds(around, amount):
        return False
    sign = text(around.child_by_field_name("operator")) if around.type == "binary_expression" else b""
    other = around.child_by_field_name("alternative")
    return sign != b"||" and (other is None or not holds(other, amount))


def _lets_first(test: Node, is_met: bool, wanted: set[bytes], is_lane: Callable[[Node], bool]) -> bool:
    """Whether a condition that some lane meets, or does not, is so for the first lane too."""
    inner = bare(test)
    if inner is not None and inner.type == "condition_clause":
        inner = bare(inner.child_by_field_name("value"))
    if inner is None or wanted.isdisjoint(deciding(inner)):
        return inner is not None
    if _asks_for_bit(inner, wanted):
        return True
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if inner.type != "binary_expression" or left is None or right is None:
        return False
    sign = text(inner.child_by_field_name("operator"))
    if sign == (b"&&" if is_met else b"||"):
        return all(_lets_first(one, is_met, wanted, is_lane) for one in (left, right))
    less, more = (b"<", b"<="), (b">", b">=")
    for one, other, signs in ((left, right, less if is_met else more), (right, left, more if is_met else less)):
        if sign in signs and is_lane(one) and wanted.isdisjoint(deciding(other)):
            return True
    return False


def _asks_for_bit(test: Node, wanted: set[bytes]) -> bool:
    """Whether a condition is about one bit of a variable: `(bits & (1 << lane)) != 0`, `bits >> lane & 1`."""
    left, right = (bare(test.child_by_field_name(side)) for side in ("left", "right"))
    if left is not None and text(test.child_by_field_name("operator")) in COMPARISONS:
        return text(right) == b"0" and _asks_for_bit(left, wanted)
    if left is None or right is None or text(test.child_by_field_name("operator")) != b"&":
        return False
    for one, other in ((left, right), (right, left)):
        held, by = (bare(one.child_by_field_name(side)) for side in ("left", "right"))
        sign = text(one.child_by_field_name("operator"))
        bits = other if sign == b"<<" else held if sign == b">>" else None
        if held is None or by is None or bits is None or (other if bits == held else held).type != "number_literal":
            continue
        if bits.type in _VARIABLES and wanted.isdisjoint({*deciding(bits), *_words(bits)}):
            return True
    return False


def function_around(node: Node) -> Node | None:
    """The function or lambda whose body a place is in."""
    return next((one for one in tree_sitter_nodes.ancestors(node) if one.type in FUNCTIONS), None)


def asked(amount: Node) -> Iterator[Node]:
    """The conditions around a place, and those before it that leave the function or the loop."""
    function = amount
    for around in tree_sitter_nodes.ancestors(amount):
        function = around
        if around.type in FUNCTIONS:
            break
        yield from (one for one in _asks(around) if not holds(one, amount))
    for one in _IFS.below(function):
        test = one.child_by_field_name("condition")
        if one.end_byte <= amount.start_byte and test is not None and any(word in text(one) for word in _LEAVES):
            yield test


def _asks(node: Node) -> Iterator[Node]:
    """What decides whether or how often the parts of a node run."""
    names: tuple[str, ...] = ("condition", "initializer", "update")
    if node.type == "binary_expression" and text(node.child_by_field_name("operator")) in _LOGICAL:
        names = ("left",)
    yield from (part for name in names if (part := node.child_by_field_name(name)) is not None)


def keeps_away(amount: Node, own: frozenset[bytes], under: frozenset[bytes], part: Node | None = None) -> bool:
    """Whether a condition may keep an amount from a value, or something behind it may put right what comes of it.

    `own` are the variables that the amount is made of, `under` those of which it takes a rest. What `part`, which
    decides on the value, asks for itself keeps nothing away.
    """
    function = function_around(amount)
    if function is None:
        return True
    made = _made_of(function, own | under)
    if any(_excludes(one, own, made) for one in asked(amount)):
        return True
    named = own | (under.difference(COORDINATES))
    asking = (one for one in tests(function) if part is None or not holds(part, one))
    return any(_excludes(test, own, named) for test in asking if not holds(test, amount))


def tests(function: Node) -> Iterator[Node]:
    """Everything that a function asks: conditions, comparisons, and what is negated."""
    for one in _ASKING.below(function):
        sign = text(one.child_by_field_name("operator"))
        if one.type == "unary_expression" and sign != b"!":
            continue
        if one.type == "binary_expression" and sign not in COMPARISONS:
            continue
        test = one.child_by_field_name("condition") if one.type.endswith(("_statement", "l_expression")) else None
        yield one if test is None else test


def _made_of(function: Node, names: frozenset[bytes]) -> frozenset[bytes]:
    """The variables of a function that may be worked out from some names, the names among them."""
    feeds: dict[bytes, set[bytes]] = {}
    for given in _GIVEN.below(function):
        left = given.child_by_field_name("declarator") or given.child_by_field_name("left")
        value = given.child_by_field_name("value") or given.child_by_field_name("right")
        name = text(left)
        for word in _words(value) if value is not None else ():
            feeds.setdefault(word, set()).add(name)
    found, waiting = set(names), list(names)
    while waiting:
        more = feeds.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return frozenset(found)


def _words(node: Node) -> set[bytes]:
    return {text(one) for one in _NAMES.below(node)} | ({text(node)} if node.type == "identifier" else set())


def _excludes(test: Node, own: frozenset[bytes], made: frozenset[bytes]) -> bool:
    """Whether a condition may exclude a value of an amount: all but bounds of what the rest is taken of."""
    inner = bare(test)
    if inner is None or made.isdisjoint(_words(inner)):
        return False
    if inner.type == "condition_clause":
        value = inner.child_by_field_name("value")
        return value is None or _excludes(value, own, made)
    if inner.type == "declaration" or (inner.type in ("assignment_expression", "update_expression")):
        return not own.isdisjoint(_words(inner))  # a loop's beginning and step: the variable is followed as one
    sign = text(inner.child_by_field_name("operator"))
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if inner.type != "binary_expression" or left is None or right is None:
        return True
    if sign == b"&&":
        return _excludes(left, own, made) or _excludes(right, own, made)
    if sign not in _RELATIONS or not own.isdisjoint(_words(inner)):
        return True
    sides = [not made.isdisjoint(_words(one)) for one in (left, right)]
    other = right if sides[0] else left
    return all(sides) or not _words(other)
