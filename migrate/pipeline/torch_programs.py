"""Programs and other sources that PyTorch's build cannot have, in a repository where not all that it has is seen.

A wrapper around `load` takes its sources from callers anywhere, so that any CUDA source may be one of an extension. Two
facts say that a file is none: it defines `main`, or a build of another kind names it. A script of Python that has the
file's name, or picks files by their ending, takes it back: that script may hand it to PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from cudamigrate.compilation.torch_hipify import Text
from cudamigrate.cuda.lexer import lex
from cudamigrate.lazy_re import re

_UNITS = (".cu", ".cc", ".cpp", ".cxx")
_SCRIPTS = (".py", ".ipynb")
_MAIN = re.compile(rb"\bint\s+main\s*\(")
_BY_ENDING = re.compile(rb"(?:[*?\"'}\])]|%s)\.(?:cu|cc|cpp|cxx)\b")
"""Files chosen by their ending: `glob("*.cu")`, `name.endswith(".cu")`, `f"{name}.cu"`."""
_NAME = re.compile(rb"[\w.+-]+\.(?:cu|cc|cpp|cxx)\b")


def apart(units: Set[str], named: Set[str], paths: Set[str], text: Text) -> frozenset[str]:
    """The `units` that no script of Python may give to PyTorch, and that are programs or `named` by other builds."""
    found = [path for path in sorted(units) if path in named or _is_program(text(path))]
    return frozenset(_unnamed(found, paths, text)) if found else frozenset()


def _is_program(data: bytes) -> bool:
    """Whether a file defines `main` in code."""
    if _MAIN.search(data) is None:
        return False
    lexed = lex(data)
    return any(_is_defined(lexed.closing(match.end() - 1), lexed.data) for match in lexed.matches(_MAIN))


def _is_defined(closing: int, data: bytes) -> bool:
    return closing > 0 and data[closing + 1 :].lstrip().startswith(b"{")


def _unnamed(units: list[str], paths: Set[str], text: Callable[[str], bytes]) -> Iterator[str]:
    scripts = [text(path) for path in sorted(paths) if path.endswith(_SCRIPTS)]
    if any(_BY_ENDING.search(data) is not None for data in scripts):
        return
    names = {name for data in scripts for name in _NAME.findall(data)}
    yield from (path for path in units if path.rpartition("/")[2].encode() not in names)
