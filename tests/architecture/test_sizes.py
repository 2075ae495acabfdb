"""Functions and files stay small. Numbers of parameters and branches are held by ruff (PLR0913, C901)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUNCTION_LINES = 40
FILE_LINES = 400
MODULES = sorted((ROOT / "migrate").rglob("*.py"))


def long_functions(text: str) -> Iterator[tuple[str, int]]:
    """Name and number of lines of every function that is too long; decorators do not count."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield node.name, lines


def test_modules_are_found():
    assert len(MODULES) > 300


@pytest.mark.parametrize("folder", ["migrate", "tests"])
def test_no_function_is_too_long(folder):
    files = sorted((ROOT / folder).rglob("*.py"))
    found = [(str(path.relative_to(ROOT)), *one) for path in files for one in long_functions(path.read_text("utf-8"))]
    assert found == [], f"split functions of more than {FUNCTION_LINES} lines"


def test_no_module_is_too_long():
    lines = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in MODULES}
    found = {path: n for path, n in lines.items() if n > FILE_LINES}
    assert found == {}, f"split what has over {FILE_LINES} lines"


def test_a_long_function_is_seen():
    body = "    x = 1\n" * FUNCTION_LINES
    assert list(long_functions(f"def f():\n{body}")) == [("f", FUNCTION_LINES + 1)]
    assert list(long_functions(f"def f():\n{body[10:]}")) == []
