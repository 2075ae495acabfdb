"""The text of a Python file that somebody else wrote -> its tree.

Python reports what it finds odd in a text that it parses, as `"\\d"`, on the standard error: by default since 3.12.
That is about their file and says nothing to whoever migrates it.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from itertools import accumulate


def parse(text: str | bytes) -> ast.Module:
    """The tree of a file, silently; in its first line, columns count from behind a byte order mark.

    Raises SyntaxError or ValueError where it is no Python of this release, RecursionError or MemoryError where it nests
    too deep.
    """
    text = text.removeprefix("\ufeff") if isinstance(text, str) else text  # a mark that Python takes in a file alone
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def known(text: str | bytes) -> ast.Module | None:
    """As `parse`; None of what is no Python of this release, or nests too deep."""
    try:
        return parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def line_starts(data: bytes) -> list[int]:
    """Where the lines of a tree begin, in bytes: a lone CR ends one for Python, and columns are bytes too."""
    return [*accumulate(map(len, data.splitlines(keepends=True)), initial=0)]


def place(starts: Sequence[int], node: ast.expr) -> tuple[int, int]:
    """Where an expression begins and ends, in bytes; `starts` are where the lines of its file do."""
    line, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return starts[node.lineno - 1] + node.col_offset, starts[line - 1] + column


def parse_expression(text: str) -> ast.Expression:
    """As `parse`, of one expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval")
