"""No regular expression of the package takes more than quadratic time: none backtracks badly on hostile text.

`regexploit` looks at each pattern for runs of parts that can all match the same characters. Three such parts beside
each other, or a repetition in a repetition, take cubic or exponential time on a text of these characters that does not
match: a file of blanks would keep a reader busy for hours.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cudamigrate

pytest.importorskip("regexploit", reason="regexploit is not installed")
from regexploit import redos
from regexploit.ast.sre import SreOpParser

ROOT = Path(cudamigrate.__file__).parent
MOST = 2
"""Parts beside each other that may match the same characters."""


_IMPORTS_RE = re.compile(r"(?:^|[;:])[ \t]*import\b.*\bre\b", re.MULTILINE)
"""Where a source may import `re` itself: the statement begins a line, or comes behind another."""


def patterns() -> dict[tuple[str, int], str]:
    """Each pattern with its flags, and a module that has it: of module level, and written in calls of `re`."""
    found: dict[tuple[str, int], str] = {}
    for module in pkgutil.walk_packages(cudamigrate.__path__, "cudamigrate."):
        if not module.name.endswith("__main__"):
            for words, flags in _of(vars(importlib.import_module(module.name)).values(), 2):
                found.setdefault(
                    (_text(words[0]), int(words[1] if len(words) > 1 else flags.get("flags", 0))), module.name
                )
    for path in ROOT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "re." in text else ():
            if isinstance(node, ast.Call) and node.args and _is_of_re(node.func):
                given = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                if isinstance(given, (str, bytes)):
                    found.setdefault((_text(given), _flags(node)), str(path.relative_to(ROOT)))
    return found


def _is_of_re(function: ast.expr) -> bool:
    """Whether what is called is written `re.NAME`, or a name of what such a call gives."""
    while isinstance(function, ast.Attribute | ast.Call | ast.Subscript):
        function = function.func if isinstance(function, ast.Call) else function.value
    return isinstance(function, ast.Name) and function.id == "re"


def _flags(call: ast.Call) -> int:
    """The flags that a call of `re` is given by their names."""
    given = [*call.args[1:], *(word.value for word in call.keywords)]
    named = (node.attr for one in given for node in ast.walk(one) if isinstance(node, ast.Attribute))
    return sum({int(re.RegexFlag[name]) for name in named if name in re.RegexFlag.__members__})


def eager(source: str) -> list[int]:
    """The lines on which a module compiles a pattern with the standard library's own `re`, which nobody looks at."""
    if not _IMPORTS_RE.search(source):
        return []
    tree = ast.parse(source)
    plain = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
        if name.name == "re"
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "compile"
        and ast.unparse(node.func.value) in plain
    ]


def _of(values: Any, deep: int) -> Iterator[tuple[Any, Any]]:
    for value in list(values):
        made = getattr(value, "__dict__", None)
        if isinstance(made, dict) and "_made_from" in made:
            yield made["_made_from"]
        elif deep and isinstance(value, (tuple, list, set, frozenset)):
            yield from _of(value, deep - 1)
        elif deep and isinstance(value, dict):
            yield from _of(value.values(), deep - 1)


def _text(pattern: str | bytes) -> str:
    return pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern


def worst(pattern: str, flags: int = 0) -> int:
    """How many parts beside each other can match the same characters: 10 and more for a repetition in another."""
    return max((one.starriness for one in redos.find(SreOpParser().parse_sre(pattern, flags))), default=0)


@pytest.mark.exhaustive
def test_no_pattern_backtracks_badly() -> None:
    known = patterns()
    assert len(known) > 700
    bad = {where: text for (text, flags), where in known.items() if worst(text, flags) > MOST}
    assert bad == {}


def test_every_module_compiles_patterns_where_they_are_looked_at() -> None:
    files = (path for path in ROOT.rglob("*.py") if path.parent.name != "lazy_re")
    found = {str(path.relative_to(ROOT)): eager(path.read_text(encoding="utf-8")) for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import re\n_A = re.compile('a')\n", [2]),
        ("if True: import os, re\n_A = re.compile('a')\n", [2]),
        ("import re as expressions\n_A = expressions.compile('a')\n", [2]),
        ("from cudamigrate.lazy_re import re\n_A = re.compile('a')\n", []),
        ("import re\nfound = re.match('a', 'b')\n", []),
    ],
)
def test_patterns_that_nobody_looks_at_are_seen(source: str, lines: list[int]) -> None:
    assert eager(source) == lines


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\s*x?\s*y?\s*z", r"\(\s*([^)]+?)\s*\)"])
def test_bad_patterns_are_seen(pattern: str) -> None:
    assert worst(pattern) > MOST


@pytest.mark.parametrize("pattern", [r"a+b", r"\s*(?:x\s*)?(?:y\s*)?z", r"\(\s*([^)\s][^)]*?)\s*\)"])
def test_others_are_not(pattern: str) -> None:
    assert worst(pattern) <= MOST
