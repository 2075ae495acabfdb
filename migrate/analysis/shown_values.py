"""What an expression is worth where all that it names is seen: a name that says warp size is worth nothing here.

`Values.constant` takes such a name of another file for 32, as a suspicion needs it. An edit may not rest on a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import WARP_NAME, WAVE_NAMES, Values, resolved
from cudamigrate.cuda.declarations import text
from cudamigrate.lazy_re import re

_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEPTH = 6


def shown(values: Values, node: Node | None) -> int | None:
    """The number that an expression stands for, or None where a name alone says so."""
    value = values.constant(node)
    return (
        None
        if value is None or node is None or any(_is_guessed(values, one, _DEPTH) for one in _named(node))
        else value
    )


def _is_guessed(values: Values, node: Node, depth: int) -> bool:
    found = values.locals(node.start_byte).get(text(node), ())
    if found and depth:
        given = [one for local in found if local.value is not None for one in _named(local.value)]
        return any(_is_guessed(values, one, depth - 1) for one in given if text(one) != text(node))
    return _rests_on_name(values, text(node).rpartition(b"::")[2], _DEPTH)


def _rests_on_name(values: Values, name: bytes, depth: int) -> bool:
    """Whether a constant, or one that its value is made of, is known by nothing but its name."""
    known = values.constants()
    if name in known:
        words = _WORD.findall(known[name] or b"") if depth else ()
        return any(_rests_on_name(values, word, depth - 1) for word in words)
    guessed = WARP_NAME.fullmatch(name) is not None and name not in WAVE_NAMES
    return guessed and name not in resolved(values.parsed)


def _named(node: Node) -> Iterator[Node]:
    """The names in an expression."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in ("identifier", "qualified_identifier"):
            yield one
        else:
            waiting += one.named_children
