"""Arguments of a call by their names, with those of the dictionaries that it spreads: `load(**options)`.

Nothing is run. A dictionary is followed through variables, `dict` and `|`; of several values that a name has, the last
in the text counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cudamigrate.compilation.python_values import Scopes

_DEPTH = 8
"""So many variables are followed, one to the next."""


def values(call: ast.Call, scopes: Scopes) -> dict[str, ast.expr]:
    """The values of the arguments that have names."""
    return dict(_named(call.keywords, scopes, 0))


def _named(given: list[ast.keyword], scopes: Scopes, depth: int) -> Iterator[tuple[str, ast.expr]]:
    for one in given:
        if one.arg is not None:
            yield one.arg, one.value
        else:
            yield from _pairs(one.value, scopes, depth)


def _pairs(node: ast.expr | None, scopes: Scopes, depth: int) -> Iterator[tuple[str, ast.expr]]:
    """The pairs of a dictionary whose keys are texts."""
    if depth > _DEPTH:
        return
    for part in _parts(node, scopes):
        yield from _pairs(part, scopes, depth + 1)
    match node:
        case ast.Dict(keys=keys, values=held):
            for key, value in zip(keys, held, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.Call(func=ast.Name(id="dict"), keywords=named):
            yield from _named(named, scopes, depth + 1)


def _parts(node: ast.expr | None, scopes: Scopes) -> Iterator[ast.expr | None]:
    """The dictionaries that one is made of, before its own pairs."""
    match node:
        case ast.Dict(keys=keys, values=held):
            yield from (value for key, value in zip(keys, held, strict=True) if key is None)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from (left, right)
        case ast.Call(func=ast.Name(id="dict"), args=parts):
            yield from parts
        case ast.Name(id=name):
            yield from next((one.values[name] for one in scopes if name in one.values), ())
