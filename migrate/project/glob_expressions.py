"""Expressions of globs that do not backtrack: `*a*a*a*b` of a repository's `.gitignore` could take hours of one name.

Of the stretches that a glob has between two stars, the first place that fits is as good as any later one, as the star
behind it takes what is left over. So each is matched once: in a group that the expression does not try again. Python
3.10 has no such groups; a captured lookahead that is matched again by its name is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from cudamigrate.lazy_re import re

_STAR, _FOLDERS, _FIRST = "[^/]*", "(?:/.+)?/", "^(?:.+/)?"
"""How `pathspec` writes `*`, `/**/`, and `**/` in front."""
_FIXED = re.compile(r"(?:\\.|\[(?:\\.|[^\]\\])+\]|[^()\\\[])*", re.DOTALL)
"""A part of an expression that matches a number of characters that is known: letters and sets of them."""
_SET = re.compile(r"\\.|\[\^?(?:\\.|[^\]\\])+\]", re.DOTALL)
"""An escaped character, or a set of characters."""
_numbers = count()


def without_backtracking(expression: str) -> str:
    """An expression that `pathspec` made of a glob, as one that matches the same and tries no stretch twice.

    A set of what is not meant, as `[!a]`, takes no slash, as git has it.
    """
    expression = _SET.sub(_within, expression)
    if expression.count(_STAR) + expression.count(_FOLDERS) < 2:
        return expression
    parts = [_stars(part) for part in expression.split(_FOLDERS)]
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    if first.startswith(_FIRST):
        first = "^" + _once(f"(?:.+?/)??{first.removeprefix(_FIRST)}(?=/)")
    return first + "".join(_once(f"(?:/.+?)??/{part}(?=/)") for part in parts[1:-1]) + _FOLDERS + parts[-1]


def _within(match: re.Match[str]) -> str:
    text = match[0]
    return f"[^/{text[2:]}" if text.startswith("[^") and text != "[^/]" else text


def _stars(part: str) -> str:
    """The stretches between two stars, each matched once; two stars in a row are one."""
    first, *rest = part.split(_STAR)
    return first + "".join(_stretches(rest))


def _stretches(rest: list[str]) -> Iterator[str]:
    for stretch in rest[:-1]:
        if stretch:
            yield _once(f"[^/]*?{stretch}") if _FIXED.fullmatch(stretch) else _STAR + stretch
    if rest:
        yield _STAR + rest[-1]


def _once(expression: str) -> str:
    name = f"once{next(_numbers)}"
    return f"(?=(?P<{name}>{expression}))(?P={name})"
