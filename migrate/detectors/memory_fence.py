"""The last block adds up what the others wrote, with a fence on the writers' side only."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Use
from cudamigrate.warp.last_block_tickets import tickets

WORDS = (b"__threadfence",)


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """A fence, a ticket drawn with an atomic and compared with the number of blocks, then a barrier and no fence."""
    for ticket in tickets(parsed):
        use = Use("name", "__threadfence", ticket, ticket, (), "device", parsed.certainty(ticket.start))
        yield Hit("memory/last-block", use, {"name": "__threadfence"})
