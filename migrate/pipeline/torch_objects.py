"""Sources of one extension that PyTorch's build for ROCm compiles to one object: `a.cpp` and `a_cuda.cu`.

What it converts of `a.cpp` is `a_hip.cpp`, and of `a_cuda.cu` `a_hip.hip`; both become `a_hip.o`, and Ninja stops at
the second. Builds at first use call objects of CUDA files otherwise.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from cudamigrate.compilation.torch_hipify import Hipified
from cudamigrate.detection import engine
from cudamigrate.model import Finding, Hit, SourceFile, Span, Use
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import python_tree

RULE = "build/torch-object"
_UNITS = (".cu", ".cc", ".cpp", ".cxx", ".c")


def meeting(script: str, paths: Set[str], made: Sequence[tuple[Hipified, Set[str]]]) -> Iterator[tuple[str, str, str]]:
    """Pairs of files that a call in a script lists together, and the object of both; `made` are builds, each with the
    files that hipify changes."""
    try:
        tree = python_tree.parse(script)
    except (SyntaxError, ValueError, RecursionError):
        return
    ends: dict[str, list[str]] = {}
    for path in paths:
        if path.endswith(_UNITS):
            ends.setdefault(posixpath.basename(path), []).append(path)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        given = (one for one in (*call.args, *(word.value for word in call.keywords)) if isinstance(one, ast.List))
        names = dict.fromkeys(name for one in given for name in _strings(one) if name.endswith(_UNITS))
        by_folder: dict[str, list[str]] = {}
        for name in names:
            for path in ends.get(posixpath.basename(name), ()):
                if f"/{path}".endswith(f"/{posixpath.normpath(name)}"):
                    by_folder.setdefault(posixpath.dirname(path), []).append(path)
        for listed in by_folder.values():
            yield from _alike(listed, made)


def _strings(listed: ast.List) -> Iterator[str]:
    for one in listed.elts:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _alike(listed: Sequence[str], made: Sequence[tuple[Hipified, Set[str]]]) -> Iterator[tuple[str, str, str]]:
    """Those of some files of a folder whose objects have one name after conversion, and two before."""
    for one, other in combinations(listed, 2):
        for model, changed in made:
            if not {one, other} <= model.taken or model.is_loaded:
                continue
            objects = {posixpath.splitext(model.place(path) if path in changed else path)[0] for path in (one, other)}
            if len(objects) == 1 and posixpath.splitext(one)[0] != posixpath.splitext(other)[0]:
                first, second = (other, one) if one.endswith(".cu") else (one, other)
                yield first, second, f"{objects.pop()}.o"
                break


def finding(source: SourceFile, other: str, made: str, book: Rulebook) -> Finding | None:
    """The finding at the first line of a file that is compiled to the object of another."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return None
    data = source.data
    start = len(data) - len(data.lstrip())
    end = data.find(b"\n", start)
    span = Span(start, end if end > start else len(data))
    use = Use("name", posixpath.basename(source.path), span, span, (), "unknown", "token")
    words = {
        "name": posixpath.basename(source.path),
        "other": posixpath.basename(other),
        "object": posixpath.basename(made),
    }
    return engine.finding(source, Hit(RULE, use, words), rule)
