"""Members of cooperative groups that HIP lacks, or that return something else there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import grid_barriers
from cudamigrate.analysis.cooperative_groups import groups
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"cooperative_groups", b"cg")

_SHORT = re.compile(rb"cg\s*::")
_MEMBER = re.compile(
    rb"(?<![\w.>:])(?P<group>[A-Za-z_]\w*)\s*\.\s*(?P<name>num_blocks|dim_blocks|block_index|dim_threads"
    rb"|thread_index|ballot|match_any|match_all|any|all|barrier_arrive|barrier_wait|num_clusters|cluster_rank"
    rb"|cluster_index|dim_clusters)\s*\("
)
"""A member called on a variable: `grid.num_blocks(`; not on a member or qualified name, `a.b.any(` (lookbehind)."""
_FITS = re.compile(
    rb"\b(?:cuda|cu|hip)(?:Module)?OccupancyMaxActiveBlocksPerMultiprocessor(?:WithFlags)?\s*\(\s*[^,;]*,"
    rb"\s*(?:\(\s*(?:const\s+)?void\s*\*\s*\)\s*)?&?\s*(?P<kernel>\w+)"
)
"""The question how many blocks of a kernel fit on one multiprocessor."""
_UNITS = re.compile(rb"multiProcessorCount|MultiProcessorCount|MULTIPROCESSOR_COUNT")
_SIZES = {
    "grid": (b"num_blocks", b"dim_blocks", b"block_index", b"dim_threads", b"thread_index"),
    "block": (b"dim_threads",),
}
_MASKS = (b"ballot", b"match_any", b"match_all")
_VOTES = (*_MASKS, b"any", b"all")
_BARRIERS = (b"barrier_arrive", b"barrier_wait")
_CLUSTERS = (b"num_clusters", b"cluster_rank", b"cluster_index", b"dim_clusters")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls of such members through variables that this file declares as groups."""
    if b"cooperative_groups" not in parsed.data and _SHORT.search(parsed.data) is None:
        return
    known = groups(parsed)
    for match in parsed.lexed.matches(_MEMBER) if known.variables else ():
        kind = known.kind(match["group"], match.start())
        rule = _rule(kind, match["name"])
        if rule:
            yield _hit(parsed, match, rule, kind)
    for match in _once(parsed, grid_barriers.of(parsed)):
        yield _hit(parsed, match, "grid-sync", "grid")


def _once(parsed: ParsedFile, syncs: Sequence[re.Match[bytes]]) -> Iterator[re.Match[bytes]]:
    """The first barrier of the grid in each function, without kernels whose grid is worked out from how many fit."""
    text, seen = parsed.data, set[int]()
    asked = {match["kernel"].decode() for match in _FITS.finditer(text)} if _UNITS.search(text) else set[str]()
    for match in syncs:
        function = parsed.function(match.start())
        place = function.span.start if function is not None else -match.start()
        if place not in seen and (function is None or function.name not in asked):
            yield match
        seen.add(place)


def _rule(kind: str, name: bytes) -> str:
    """The rule for a member of a kind of group; empty where HIP's means the same."""
    if name in _SIZES.get(kind, ()):
        return "group-dimensions"
    if kind in ("grid", "block") and name in _BARRIERS:
        return "split-barrier"
    if kind == "grid" and name in _CLUSTERS:
        return "grid-of-clusters"
    if kind == "active" and name in _MASKS:
        return "active-group-mask"
    return "tile-vote" if kind == "tile" and name in _VOTES else ""


def _hit(parsed: ParsedFile, match: re.Match[bytes], rule: str, kind: str) -> Hit:
    start, opening = match.start(), match.end() - 1
    closing = parsed.lexed.closing(opening)
    span = Span(start, (closing if closing > 0 else opening) + 1)
    args = parsed.arguments(opening, closing)
    name = match["name"].decode()
    use = Use("call", f"{kind}.{name}", span, span, args, parsed.scope(start), parsed.certainty(start))
    return Hit(f"cooperative-groups/{rule}", use, {"name": name})
