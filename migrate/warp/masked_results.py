"""Shifts whose result a mask clears wherever they are too wide: `x << (32 - lane) & (lane ? ~0u : 0u)`.

The amount and the mask are worked out for each number of a lane, or each rest of 32, that both are made of.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.warp.amount_conditions import deciding
from cudamigrate.warp.block_threads import CALCULATED
from cudamigrate.warp.tree_queries import bare, outer

_WIDTH = 32
_BITS = 2**_WIDTH - 1
_DEPTH = 12
_CLEARS = (b"&", b"*")


def is_cleared(parsed: ParsedFile, shift: Node, amount: Node, width: int = _WIDTH) -> bool:
    """Whether some mask of a shift's result is 0 for each number of a lane that makes the amount `width` or more."""
    names = set(deciding(amount))
    mask = _mask(shift)
    if mask is None or len(names) != 1:
        return False
    wide = 0
    for lane in range(_WIDTH):
        known = _Known(Values.of(parsed), next(iter(names)), lane)
        bits = known.value(amount)
        if bits is None:
            return False
        if not 0 <= bits < width:
            wide += 1
            if known.value(mask) != 0:
                return False
    return wide > 0


def _mask(shift: Node) -> Node | None:
    """What the result of a shift is masked with, or multiplied by."""
    around, inner = outer(shift), shift
    while inner.parent is not None and inner.parent != around:
        inner = inner.parent
    if around is None or text(around.child_by_field_name("operator")) not in _CLEARS:
        return None
    left = around.child_by_field_name("left")
    return around.child_by_field_name("right") if left == inner else left


class _Known:
    """Expressions of one variable, or of one rest, that has a known value; None for what is made of anything else."""

    def __init__(self, values: Values, name: bytes, number: int) -> None:
        self.values, self.name, self.number = values, name, number

    def value(self, node: Node | None, depth: int = _DEPTH) -> int | None:
        """The value of an expression."""
        inner = bare(node)
        if inner is None or depth == 0:
            return None
        if b"".join(text(inner).split()) == self.name:
            return self.number
        if (known := self.values.constant(inner)) is not None:
            return known
        child = inner.child_by_field_name
        if inner.type == "conditional_expression":
            asked = self.value(child("condition"), depth - 1)
            return None if asked is None else self.value(child("consequence" if asked else "alternative"), depth - 1)
        if inner.type == "cast_expression":
            return self.value(child("value"), depth - 1)
        sign, right = text(child("operator")), self.value(child("right") or child("argument"), depth - 1)
        if right is None:
            return None
        if inner.type == "unary_expression":
            return {b"!": int(not right), b"-": -right & _BITS, b"~": ~right & _BITS}.get(sign)
        left = self.value(child("left"), depth - 1)
        if left is None or sign not in CALCULATED or (sign in (b"/", b"%") and right == 0):
            return None
        return None if sign in (b"<<", b">>") else int(CALCULATED[sign](left, right))
