"""The text of a Python file that somebody else wrote -> its tree.

Python reports what it finds odd in a text that it parses, as `"\\d"`, on the standard error: by default since 3.12.
That is about their file and says nothing to whoever migrates it.
"""

from __future__ import annotations

import ast
import warnings


def parse(text: str | bytes) -> ast.Module:
    """The tree of a file, silently; in its first line, columns count from behind a byte order mark.

    Raises SyntaxError or ValueError where it is no Python of this release, RecursionError or MemoryError where it nests
    too deep.
    """
    text = text.removeprefix("\ufeff") if isinstance(text, str) else text  # a mark that Python takes in a file alone
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_expression(text: str) -> ast.Expression:
    """As `parse`, of one expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval")
