"""Types behind an arrow: what a function or a lambda returns, `auto stream() const -> cudaStream_t`."""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile


def is_member(parsed: ParsedFile, sign: bytes, start: int) -> bool:
    """Whether the name at a place, behind a sign, is a member's, and no such type."""
    return sign == b"." or (sign == b"->" and not _is_returned(parsed, start))


def _is_returned(parsed: ParsedFile, start: int) -> bool:
    node = parsed.tree.root_node.descendant_for_byte_range(start, start + 1)
    around = node.parent if node is not None and node.type == "type_identifier" else None
    while around is not None and around.type in ("type_descriptor", "qualified_identifier"):
        around = around.parent
    return around is not None and around.type == "trailing_return_type"
