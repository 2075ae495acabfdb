"""Variables that are declared with addresses of shared memory, which AMD's back end cannot compile."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import address_tables
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span

WORDS = (b"__shared__",)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each list of first elements that is a constant to clang."""
    for table in address_tables.of(parsed.tree.root_node):
        value = table.declarator.child_by_field_name("value")
        if value is not None:
            use = parsed.named_use(table.name, Span(value.start_byte, value.end_byte), "syntax")
            yield Hit("memory/shared-address-table", use, {"name": table.name})
