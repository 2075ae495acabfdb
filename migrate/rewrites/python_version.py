"""A test of `torch.version.cuda` becomes one of `(torch.version.cuda or torch.version.hip)`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.python_source import program, torch_version
from cudamigrate.python_source.source import enclosing
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None where the version is compared with a number, where there is an `else`, and where it is no attribute.

    Nor are there any where what is under the test takes the version apart, which has none for ROCm.
    """
    read = program.of(parsed)
    node = next(iter(read.found(use.span)), None) if read is not None else None
    if read is None or node is None or node.type != "attribute":
        return []
    around = node.parent
    if around is not None and around.type == "comparison_operator" and b"None" not in read.py.raw(around):
        return []
    statement = enclosing(node, "if_statement", "block", "module")
    if statement is not None and statement.child_by_field_name("alternative") is not None:
        return []  # what is under `else` may be meant for AMD
    body = statement.child_by_field_name("consequence") if statement is not None else None
    if body is not None and torch_version.PARSED.search(read.py.raw(body)):
        return []
    text = read.py.raw(node).decode()
    return read.py.edits(node.start_byte, node.end_byte, f"({text} or {text[: -len('cuda')]}hip)")
