"""Expressions of a setup.py -> the compiler options that they are, and the macros among them.

`f"-DWIDTH={width}"` is the option with the value of the variable where that is known; where it is not, the macro is one
whose value only the build knows. Nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cudamigrate.compilation import python_values
from cudamigrate.compilation.build_settings import FORCED
from cudamigrate.compilation.python_values import Scope, Scopes
from cudamigrate.lazy_re import re

_MACRO = re.compile(r"-D\s*([A-Za-z_]\w*)(?:=|\Z)")
"""An option that gives a macro: `-DFAST`, `-DWIDTH=64`."""
_ADDS = ("append", "insert")
"""Methods that put one element into a list, their last argument."""

Answer = Callable[[ast.IfExp], bool | None]
"""What the condition of a choice is for ROCm; None where nobody knows."""


class Word(NamedTuple):
    """An option, empty where it is not known, and the macro that it gives, empty where it gives none.

    It is not `alone` where it may have another value, and one of `some` where only some ways give it.
    """

    text: str
    macro: str = ""
    alone: bool = True
    some: bool = False


def of(node: ast.AST, scopes: Scopes, answer: Answer) -> list[Word]:
    """The options in a list, in one that a comprehension or `split` makes, or in what a list gets as well."""
    match node:
        case ast.List(elts=parts):
            unknown = {id(one) for pair in forced(parts, scopes) for one in pair}
            return [word for part in parts if id(part) not in unknown for word in _word(part, scopes, answer)]
        case ast.Call(func=ast.Attribute(attr="split", value=inner), args=[], keywords=[]):
            found = python_values.text(inner, scopes)
            return [_option(word, found[1]) for word in found[0].split()] if found is not None else []
        case ast.Call(func=ast.Attribute(attr=how), args=[*_, ast.expr() as added]) if how in _ADDS:
            return [word for word in _word(added, scopes, answer) if word.macro or word.text.startswith("-")]
        case ast.ListComp(elt=part, generators=[ast.comprehension(target=ast.Name(id=name), iter=values, ifs=[])]):
            each = values.elts if isinstance(values, ast.List | ast.Tuple) else []
            made = ((part, (_Given(name, value), *scopes)) for value in each)
            return [word for one, inner in made for word in _word(one, inner, answer)]
    return []


def forced(parts: Sequence[ast.expr], scopes: Scopes) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The options in a list that include a header before the file, each with the header, where that is no text."""
    for option, header in pairwise(parts):
        if isinstance(option, ast.Constant) and option.value in FORCED and not python_values.text(header, scopes):
            yield option, header


class _Given(Scope):
    """The scope of a comprehension at one of its values."""

    def __init__(self, name: str, value: ast.expr) -> None:
        super().__init__(ast.Module([], []))
        self.values[name] = [value]


def _word(node: ast.expr, scopes: Scopes, answer: Answer) -> Iterator[Word]:
    """The option that an element is; of a choice the one for ROCm, or both where that is not known."""
    if isinstance(node, ast.IfExp):
        chosen = answer(node)
        if chosen is not None:
            yield from _word(node.body if chosen else node.orelse, scopes, answer)
        else:
            either = (word for one in (node.body, node.orelse) for word in _word(one, scopes, answer))
            yield from (Word("", word.macro, word.alone, some=True) for word in either if word.macro)
        return
    found = python_values.text(node, scopes)
    if found is not None:
        yield _option(*found)
    elif macro := _MACRO.match(python_values.beginning(node)):
        yield Word("", macro[1], alone=False)


def _option(text: str, alone: bool) -> Word:
    macro = _MACRO.match(text)
    return Word(text, macro[1] if macro is not None else "", alone)
