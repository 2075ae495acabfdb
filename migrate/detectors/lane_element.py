"""Arrays in shared memory that a lane's number alone indexes: several warps write them, or 64 lanes pass their end."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit
from cudamigrate.warp.shared_elements import Element, past_the_end, written_by_several
from cudamigrate.warp.tree_queries import span

IN_HIP = True
WORDS = ((b"__shared__", b"warpSize"), (b"__shared__", b"32"), (b"__shared__", b"31"), (b"__shared__", b"63"))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first of each kind for each array of a function."""
    for past in past_the_end(parsed):
        where = f", in {past.block}" if past.block else ""
        words = {"highest": str(past.highest), "extent": str(past.extent), "where": where}
        yield _hit(parsed, "warp/lane-past-end", past.element, words)
    for one in written_by_several(parsed):
        words = {"first": str(one.first), "second": str(one.second), "block": one.block}
        yield _hit(parsed, "warp/lane-element", one.element, words)


def _hit(parsed: ParsedFile, rule: str, element: Element, words: dict[str, str]) -> Hit:
    place = span(element.node)
    spelled = " ".join(text(element.node).decode("latin-1").split())
    return Hit(rule, parsed.named_use(spelled, place), {"element": spelled, "array": element.array, **words})
