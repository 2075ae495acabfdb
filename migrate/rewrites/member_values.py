"""Values in CUDA's order of members, each to its member: `T x = {a, b}` becomes `T x = {}; x.m = a; x.n = b`."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis.structure_members import ORDER
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit before each value, so that values keep their own; the extent of the use begins at the variable."""
    if not use.args:
        return []
    variable = parsed.lexed.text(parsed.lexed.token(use.extent.start)).decode()
    made: list[Edit] = []
    start = use.extent.start + len(variable)
    for member, given in zip(ORDER[use.name], use.args, strict=False):
        before = " = {}; " if not made else "; "
        made.append(Edit(Span(start, given.start), f"{before}{variable}.{member} = ".encode()))
        start = given.end
    return [*made, Edit(Span(start, use.extent.end), b"")]
