"""Python front end: what a file imports, calls, names in strings and compiles, under full names."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.python_source import program
from cudamigrate.python_source.trigger import Trigger
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile

FILES = {".py": "python", ".pyw": "python"}
PART = "python"
TRIGGER = Trigger()
_FILLED = tree_sitter_nodes.Kinds("python", "interpolation")
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
    """How many bytes the grammar cannot place, or Python before 3.12 could not: quotes of an f-string within it."""
    tree = tree_sitter_nodes.parse("python", data)
    filled = _FILLED.below(tree.root_node) if b"{" in data else ()
    return tree_sitter_nodes.error_bytes(tree) + sum(one.end_byte - one.start_byte for one in filled if _is_newer(one))


def _is_newer(filled: Node) -> bool:
    """Whether an expression in an f-string has the quotes in it that end that."""
    around = next((one for one in tree_sitter_nodes.ancestors(filled) if one.type == "string"), None)
    begin = around.named_children[0].text if around is not None and around.named_children else None
    quote = (begin or b"").lstrip(b"rRbBfFuUtT")
    return bool(quote) and quote in (filled.text or b"")
