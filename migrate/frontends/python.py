"""Python front end: what a file imports, calls, names in strings and compiles, under full names."""

from __future__ import annotations

from migrate.lazy_re import re
from migrate.model import SourceFile
from migrate.python_source import program
from migrate.python_source.trigger import Trigger
from migrate.syntax import tree_sitter_nodes
from migrate.syntax.project_file import ProjectFile

FILES = {".py": "python", ".pyw": "python"}
PART = "python"
TRIGGER = Trigger()
_SETUP = re.compile(r"(?:^|/)setup(?:_\w+)?\.py$")


def part(path: str) -> str:
    """The part of a repository that a file belongs to: a setup.py is its build."""
    return "build" if _SETUP.search(path) else PART


def parse(source: SourceFile) -> ProjectFile:
    """Read a Python file."""
    return program.project_file(source, source.data, setup=_SETUP.search(source.path) is not None)


def broken(data: bytes) -> int:
    """How many bytes the grammar cannot place."""
    return tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("python", data))
