"""Objects made at an address, `new (p) T(n)`: they are where `p` points to, and are what their constructor makes."""

from __future__ import annotations

from cudamigrate.model.warp_graph import Expression

PLACED = "placed"
"""The sign of such an expression: of the address, and of the constructor's call."""


def constructor(made: Expression) -> Expression:
    """The call of a constructor that `new` makes."""
    return made[3] if made[:2] == ("o", PLACED) else made


def is_placed(what: Expression) -> bool:
    """Whether an expression is an object that is made at an address there: `*new (p) T`."""
    return bool(what[0] == "i" and what[1][:2] == ("o", PLACED))
