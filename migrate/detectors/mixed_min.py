"""`min` and `max` of two types of integers on the device: CUDA works in the type of both, HIP in double."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis import conversion_contexts, extreme_calls, integer_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.extreme_calls import Extreme
from cudamigrate.analysis.integer_types import Integer
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit

WORDS = extreme_calls.NAMES
RULE = "math/mixed-min-max"

_TAKING = {"init_declarator": ("declarator", "value"), "assignment_expression": ("left", "right")}
"""What takes a value, with the fields of the variable and of the value."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call whose arguments differ in sign, or are promoted where a double is not the same."""
    if parsed.data.find(b"__global__") < 0 and parsed.data.find(b"__device__") < 0:
        return
    for one in extreme_calls.calls(parsed, "device", "both"):
        values, given = Values.of(parsed), (one.left, one.right)
        types = [kind for node in given if (kind := integer_types.exact(values, node)) is not None]
        converted = _converted(parsed, one, types) if len(types) == 2 and types[0] != types[1] else None
        if converted is not None:
            use = one.use(*(node for node, kind in zip(given, types, strict=True) if kind != converted))
            left, right = (kind.spelled for kind in types)
            yield Hit(RULE, use, {"name": one.name, "left": left, "right": right, "type": converted.spelled})


def _converted(parsed: ParsedFile, extreme: Extreme, types: Sequence[Integer]) -> Integer | None:
    """The type that CUDA works in, where HIP's double is something else; None also where CUDA has no such function."""
    left, right = (kind.promoted for kind in types)
    if left == right:
        return left if conversion_contexts.differs_in_double(Values.of(parsed), extreme.call) else None
    if left.rank != right.rank or extreme.side == "both":  # of both sides, `math/host-mixed-min-max` is right for each
        return None
    signed = extreme.right if left.unsigned else extreme.left
    is_same = integer_types.is_number(parsed, signed) and _is_same_in_double(parsed, extreme.name, extreme.call)
    return None if is_same else left._replace(unsigned=True)


def _is_same_in_double(parsed: ParsedFile, name: str, call: Node) -> bool:
    """Whether a call with a number that is written out gives the same in `double`, as far as what takes it can tell.

    An integer is seen to take it: any for a minimum, which is no more than the number is; for a maximum one that holds
    all of an `unsigned int`. To an `int`, `max(threadIdx.x - 1, 0)` of thread 0 is -1, and INT_MAX from `double`.
    """
    node, around = call, call.parent
    while around is not None and around.type == "parenthesized_expression":
        node, around = around, around.parent
    taking = _TAKING.get(around.type) if around is not None else None
    if around is None or taking is None or node != around.child_by_field_name(taking[1]):
        return False
    if around.type == "assignment_expression" and text(around.child_by_field_name("operator")) != b"=":
        return False
    kind = integer_types.of(Values.of(parsed), around.child_by_field_name(taking[0]))
    return kind is not None and (name == "min" or kind.unsigned or kind.rank > 0)
