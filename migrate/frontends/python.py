"""Python front end: what a file imports, calls, names in strings and compiles, under full names."""

from __future__ import annotations

from collections.abc import Mapping

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.python_source import program
from cudamigrate.python_source.trigger import Trigger
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile

FILES = {".py": "python", ".pyw": "python"}
PART = "python"
TRIGGER = Trigger()
_SETUP = re.compile(r"(?:^|/)setup(?:_\w+)?\.py$")


def part(path: str) -> str:
    """The part of a repository that a file belongs to: a setup.py is its build."""
    return "build" if _SETUP.search(path) else PART


def parse(source: SourceFile) -> ProjectFile:
    """Read a Python file alone."""
    return parse_among(source, {})


def parse_among(source: SourceFile, peers: Mapping[str, bytes]) -> ProjectFile:
    """Read a Python file; `peers` are by name what builds of other files take from it as options for nvcc."""
    setup = _SETUP.search(source.path) is not None
    return program.project_file(source, source.data, setup=setup, shared=frozenset(peers))


def broken(data: bytes) -> int:
    """How many bytes the grammar cannot place."""
    return tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("python", data))
