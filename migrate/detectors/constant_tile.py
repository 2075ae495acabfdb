"""Sizes of tiles that the compiler has to know: HIP's members give them to running code alone."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import tile_sizes
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit

WORDS = ((b"thread_block_tile",), (b"tiled_partition",))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each of them."""
    for one in tile_sizes.constant(parsed):
        text = parsed.data[one.span.start : one.span.end].decode("latin-1")
        yield Hit("cooperative-groups/constant-tile-size", parsed.named_use(text, one.span, "syntax"))
