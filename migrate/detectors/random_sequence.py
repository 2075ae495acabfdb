"""Where a file seeds cuRAND: hipRAND draws other numbers from the same seed."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Use

WORDS = (b"curand_init", b"RandomGeneratorSeed")

_SEEDS = frozenset({"curand_init", "curandSetPseudoRandomGeneratorSeed"})


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first call of the file that seeds a generator."""
    for use in parsed.uses:
        if use.kind == "call" and use.name in _SEEDS:
            place = Use("name", use.name, use.span, use.span, (), use.scope, use.certainty)
            yield Hit("math/random-sequence", place, {"name": use.name})
            return
