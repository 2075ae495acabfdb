"""Barriers of the block, and loops that wait, under conditions that part a wave of 64 lanes."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.warp.entering_lanes import is_alone
from cudamigrate.warp.obligations import failures, hit
from cudamigrate.warp.transfer import evaluator_of
from cudamigrate.warp.version_guards import is_left_out

WORDS = (b"sync", b"barrier", b"wait", b"while", b"atomic", (b"for", b"__device__"), (b"for", b"__global__"))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """What the file shows by itself; where other files have a part in it, the repository as a whole shows it."""
    for failure in failures(evaluator_of(parsed), lambda _, site: is_alone(parsed, site.start)):
        if parsed.hip(failure.site.start) is None and not is_left_out(parsed, failure.site.start):
            yield hit(failure, parsed.data[failure.site.start : failure.site.end])
