"""Libraries that a program in Python which builds for both vendors links for HIP too, though AMD has none of the name.

The branches of the program tell: one that sets a macro which marks HIP, names a file that is written for HIP or asks
for ROCm is HIP's, and the other one CUDA's. What is in no branch of CUDA's, HIP's build gets.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence, Set

from cudamigrate.analysis import port_python
from cudamigrate.lazy_re import re
from cudamigrate.syntax import python_tree

_LINKS = re.compile(r"-l[ ]*\w+")
_WORTH = re.compile(r"[\"']-l")
_OWN = re.compile(r"-l[ ]*(?:rccl|hip|roc|amdhip)")
"""What a build links for AMD: it chooses by itself then, in ways that may not show."""


def lines(text: str, macros: Set[str], files: Collection[str]) -> tuple[int, ...]:
    """The lines of options that link a library, in no branch of CUDA's, of a program with a branch for HIP.

    `macros` are those that mark HIP, `files` the paths of what is written for it.
    """
    if _WORTH.search(text) is None or _OWN.search(text) is not None:
        return ()
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    names = port_python.names_for_hip(tree)
    sides = [side for node in ast.walk(tree) if isinstance(node, ast.If) for side in _sides(node, names, macros, files)]
    if not sides:
        return ()
    theirs = [(side[0].lineno, side[-1].end_lineno or 0) for side in sides if side]
    found = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Constant) and _is_link(node)}
    return tuple(sorted(line for line in found if not any(first <= line <= last for first, last in theirs)))


def _is_link(node: ast.Constant) -> bool:
    return isinstance(node.value, str) and _LINKS.fullmatch(node.value) is not None


def _sides(
    node: ast.If, names: frozenset[str], macros: Set[str], files: Collection[str]
) -> Iterator[Sequence[ast.stmt]]:
    """The branch for CUDA of a condition that chooses the vendor; an empty one where HIP's has no other."""
    first = port_python.asks_for_hip(node.test, names) or _is_hips(node.body, macros, files)
    second = _is_hips(node.orelse, macros, files)
    if first != second:
        yield node.orelse if first else node.body


def _is_hips(body: Sequence[ast.stmt], macros: Set[str], files: Collection[str]) -> bool:
    """Whether a branch sets a macro that marks HIP, or names a file that is written for it."""
    if any(name in macros for name, _ in port_python.set_by(body)):
        return True
    texts = {
        one.value.removeprefix("./")
        for statement in body
        for one in ast.walk(statement)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and "." in one.value
    }
    return any(path == text or path.endswith(f"/{text}") for text in texts for path in files)
