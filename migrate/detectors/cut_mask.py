"""Lane masks of 64 bits that code written for HIP puts into 32: the upper half of each wave is lost."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.warp.lane_masks import cuts

WORDS = (b"__ballot", b"__activemask", b"__match_", b"<<", b">>")
IN_HIP = True
"""Code that HIP alone compiles is read too."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """What the file shows by itself; masks that go to functions of other files, the repository as a whole shows."""
    for place, name, into in cuts(parsed):
        yield Hit("warp/cut-mask", parsed.named_use(name, place), {"into": into, "name": name})
