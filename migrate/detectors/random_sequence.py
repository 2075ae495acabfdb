"""Where a file seeds cuRAND: hipRAND draws other numbers from the same seed."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"curand_init", b"RandomGeneratorSeed")

_SEEDS = frozenset({"curand_init", "curandSetPseudoRandomGeneratorSeed"})
_CLOCK = re.compile(
    rb"(?<![\w.>:])(?:::|std::)?(?P<name>clock|clock64|time)\((?:NULL|nullptr|0)?\)"
    rb"|(?:system|steady|high_resolution)_clock::now\(\)"
)
"""What is another number in each run: no test or stored result can expect what a generator draws from it."""
_MAKES = ("curandCreateGenerator", "curandCreateGeneratorHost")
_QUASI = b"CURAND_RNG_QUASI_"
"""How generators are called that give one sequence and take no seed. Source: cuRAND, "Generator Types"."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first call of the file that seeds a generator, by anything but a clock."""
    for use in parsed.uses:
        if use.kind == "call" and use.name in _SEEDS and not (_is_refused(parsed, use) or _is_timed(parsed, use)):
            place = Use("name", use.name, use.span, use.span, (), use.scope, use.certainty)
            yield Hit("math/random-sequence", place, {"name": use.name})
            return


def _is_timed(parsed: ParsedFile, seed: Use) -> bool:
    """Whether a seed is made from a clock, of no function of the file's own."""
    at = 0 if seed.name == "curand_init" else 1
    found = _CLOCK.search(_text(parsed, seed.args[at])) if at < len(seed.args) else None
    name = (found["name"] or b"").decode() if found is not None else ""
    return found is not None and all(one.name != name for one in parsed.functions)


def _is_refused(parsed: ParsedFile, seed: Use) -> bool:
    """Whether a generator is seeded that takes no seed, as all calls of its function that make it show."""
    around = parsed.function(seed.span.start)
    if around is None or not seed.args or seed.name not in _SEEDS - {"curand_init"}:
        return False
    made = [one for one in parsed.uses if one.name in _MAKES and len(one.args) == 2 and _is_in(one.span, around.span)]
    kinds = [
        _text(parsed, one.args[1]) for one in made if _text(parsed, one.args[0]) == b"&" + _text(parsed, seed.args[0])
    ]
    return bool(kinds) and all(_QUASI in kind for kind in kinds)


def _is_in(place: Span, around: Span) -> bool:
    return around.start <= place.start < around.end


def _text(parsed: ParsedFile, span: Span) -> bytes:
    return b"".join(parsed.data[span.start : span.end].split())
