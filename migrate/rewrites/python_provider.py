"""A provider of ONNX Runtime gets AMD's before it, where it is an element of a list of plain names."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.model import Edit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile


def _element(parsed: ProjectFile, use: Use) -> tuple[Program, Node] | None:
    read = program.of(parsed)
    node = read.first(use.extent, "string") if read is not None else None
    return (read, node) if read is not None and node is not None else None


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where AMD's provider is in the same list or tuple, or the file chooses between them."""
    found = _element(parsed, use)
    if found is None or found[1].parent is None:
        return True
    return b"MIGraphXExecutionProvider" not in found[0].py.text


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` is AMD's provider. A list keeps its others, which are passed over where they are not there."""
    found = _element(parsed, use)
    listed = found[1].parent if found is not None else None
    if found is None or listed is None or listed.type != "list":
        return []
    read, node = found
    if any(plain(read.py, child) is None for child in listed.named_children if child.type != "comment"):
        return []
    quote = read.py.text[node.end_byte - 1 : node.end_byte].decode()
    return read.py.edits(node.start_byte, node.start_byte, f"{quote}{words[0]}{quote}, ")
