"""Reductions and scans over tiles whose type says how many threads they have."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.cooperative_groups import of_tile
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit

WORDS = ((b"thread_block_tile", b"reduce"), (b"thread_block_tile", b"clusive_scan"),
         (b"tiled_partition", b"reduce"), (b"tiled_partition", b"clusive_scan"))  # fmt: skip
INSTEAD = True
"""The rules for these names are for groups that nothing is known of."""

_RULES = {"reduce": "tile-reduce", "inclusive_scan": "tile-scan", "exclusive_scan": "tile-scan"}
_SPACES = ("cooperative_groups", "cg")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls under the usual spellings of the namespace; those under others are found with the other groups."""
    for use in parsed.uses:
        space, _, name = use.name.rpartition("::")
        if use.kind == "call" and name in _RULES and space.lstrip(":") in _SPACES and of_tile(parsed, use):
            yield Hit(f"cooperative-groups/{_RULES[name]}", use, {"name": use.name})
