"""No regular expression of the package takes more than quadratic time: none backtracks badly on hostile text.

`regexploit` looks at each pattern for runs of parts that can all match the same characters. Three such parts beside
each other, or a repetition in a repetition, take cubic or exponential time on a text of these characters that does not
match: a file of blanks would keep a reader busy for hours.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
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
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
                given = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                if isinstance(given, (str, bytes)) and ast.unparse(node.func) != "re.compile":
                    found.setdefault((_text(given), 0), str(path.relative_to(ROOT)))
    return found


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


def test_no_pattern_backtracks_badly() -> None:
    known = patterns()
    assert len(known) > 700
    bad = {where: text for (text, flags), where in known.items() if worst(text, flags) > MOST}
    assert bad == {}


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\s*x?\s*y?\s*z", r"\(\s*([^)]+?)\s*\)"])
def test_bad_patterns_are_seen(pattern: str) -> None:
    assert worst(pattern) > MOST


@pytest.mark.parametrize("pattern", [r"a+b", r"\s*(?:x\s*)?(?:y\s*)?z", r"\(\s*([^)\s][^)]*?)\s*\)"])
def test_others_are_not(pattern: str) -> None:
    assert worst(pattern) <= MOST
