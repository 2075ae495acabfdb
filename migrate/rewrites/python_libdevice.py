"""`triton.language.extra.cuda` loses its last part, in an import of libdevice alone and in a chain of attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cudamigrate.model import Edit, Use
from cudamigrate.python_source import program
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None for an import that takes more than libdevice out of the package."""
    read = program.of(parsed)
    node = next(iter(read.found(use.span)), None) if read is not None else None
    if read is None or node is None:
        return []
    text = read.py.text[node.start_byte : node.end_byte]
    part = re.search(rb"\.\s*cuda\b(?=\s*\.\s*libdevice|$)", text)
    statement = node.parent
    if part is None or statement is None:
        return []
    if statement.type == "import_from_statement" and len(statement.children_by_field_name("name")) != 1:
        return []
    return read.py.edits(node.start_byte + part.start(), node.start_byte + part.end(), "")
