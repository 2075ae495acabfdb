"""Paths of CUDA files that Python puts together: the strings of an expression, and the files that they may name."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re

ENDINGS = (".cu", ".cuh")
WRITING = re.compile(r"[wax][bt+]{0,2}")
"""The modes of `open` that write."""


def strings(node: ast.AST) -> Iterator[str]:
    """The strings in an expression as patterns; what is put in when the program runs may be anything."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(pattern(one) or ".*" for one in node.values)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield "".join("".join(strings(one)) or ".*" for one in (node.left, node.right))
    elif (text := pattern(node)) is not None:
        yield text
    else:
        for inner in ast.iter_child_nodes(node):
            yield from strings(inner)


def pattern(node: ast.AST) -> str | None:
    """A string as a pattern; None of another expression."""
    return re.escape(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_named(path: str, words: Sequence[str]) -> bool:
    """Whether strings name a file: the last one its end, those before it folders on its way."""
    if not words or not words[-1].endswith(tuple(re.escape(end) for end in ENDINGS)):
        return False
    parts = [part for word in words for part in word.split("/") if part not in ("", ".", r"\.", r"\.\.")]
    there = posixpath.normpath(path).split("/")
    folders = there[:-1]
    return re.fullmatch(parts[-1], there[-1]) is not None and all(
        any(re.fullmatch(part, folder) for folder in folders) for part in parts[:-1]
    )
