"""Cooperative groups under names that rules do not list, and tiles of a size that no wave holds."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.cooperative_groups import USUAL, Groups, groups, of_tile
from cudamigrate.analysis.type_sizes import Amounts
from cudamigrate.cuda.lexer import WORD
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.active_groups import only_counts

WORDS = (b"cooperative_groups", b"thread_block_tile", b"tiled_partition")

_TILE = re.compile(
    rb"\b(?:thread_block_tile|tiled_partition)\s*<\s*(?P<size>[\w:]+(?:\s*(?:[*/]|<<|>>)\s*\w+)?)\s*[,>]"
)
"""A tile with its size, a number, a name, a product or a shift: `thread_block_tile<32>`, `tiled_partition<N / 2, T>`.
In `Held<thread_block_tile<32>> x` two lists end, and no `>` follows the name."""
_COUNTED = re.compile(rb"(?<![\w.])(?:[A-Za-z_]\w*\s*::\s*)*tiled_partition\s*\(")
"""A tile whose size is an argument: `cg::tiled_partition(block, 32)`. No `<`, and no member of a class."""
_WARP = 32
_GROUP = "cooperative-groups/"
_ACTIVE = "cooperative-groups/coalesced-group"
_RULES = {
    b"reduce": "group-reduce", b"inclusive_scan": "group-scan", b"exclusive_scan": "group-scan",
    b"memcpy_async": "group-copy", b"wait": "group-copy", b"wait_prior": "group-copy",
    b"labeled_partition": "labeled-partition", b"binary_partition": "binary-partition",
    b"coalesced_threads": "coalesced-group", b"coalesced_group": "coalesced-group",
    b"this_cluster": "cluster-group", b"cluster_group": "cluster-group",
    b"this_multi_grid": "multi-grid-group", b"multi_grid_group": "multi-grid-group",
    b"invoke_one": "invoke-one", b"invoke_one_broadcast": "invoke-one",
}  # fmt: skip
_OF_TILES = {b"reduce": "tile-reduce", b"inclusive_scan": "tile-scan", b"exclusive_scan": "tile-scan"}
_OPERATORS = (b"plus", b"less", b"greater", b"bit_and", b"bit_or", b"bit_xor")
_COMMON = frozenset((b"reduce", b"inclusive_scan", b"exclusive_scan", b"memcpy_async", b"wait", b"wait_prior"))
"""Names that others have too: without their namespace they count only where the first argument is a group."""
_LEADING = frozenset(b"return else do case throw const constexpr static auto typename".split())
_NAMES = b"|".join(sorted((*_RULES, *_OPERATORS), reverse=True))
"""In reverse order, so that of two names that begin alike the longer one is tried first."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Uses through another alias or a using directive, with the rules for the usual spelling; and wide tiles.

    A group of active lanes that only counts them is left out, as it is by its usual names.
    """
    yield from _wide_tiles(parsed)
    for hit in _named(parsed, groups(parsed)):
        if hit.rule != _ACTIVE or not only_counts(parsed, hit.use.span.start):
            yield hit


def _named(parsed: ParsedFile, known: Groups) -> Iterator[Hit]:
    """All uses by other names than the usual ones."""
    for space in sorted(known.spaces - USUAL):
        spelled = re.compile(rb"(?<![\w:])(?:::\s*)?" + re.escape(space) + rb"\s*::\s*(?P<name>" + _NAMES + rb")\b")
        for match in parsed.lexed.matches(spelled):
            yield _hit(parsed, match)
    if known.opened:
        yield from _bare(parsed, known)


def _wide_tiles(parsed: ParsedFile) -> Iterator[Hit]:
    values, amounts = Values.of(parsed), Amounts(parsed)
    for match in parsed.lexed.matches(_TILE):
        size = values.spelled(match["size"]) or amounts.of(match["size"], match.start())
        if size is not None and size > _WARP and parsed.scope(match.start()) != "host":
            text = match["size"].decode("latin-1")
            use = Use("name", text, Span(*match.span("size")), Span(*match.span("size")), (), "device", "token")
            wave = "64 lanes at most" if size > 2 * _WARP else "32 lanes on gfx10, gfx11 and gfx12"
            yield Hit(_GROUP + "wide-tile", use, {"size": str(size), "wave": wave})
    for match in parsed.lexed.matches(_COUNTED, b"tiled_partition"):
        closing = parsed.lexed.closing(match.end() - 1)
        if (
            closing > 0
            and len(parsed.lexed.arguments(match.end() - 1, closing)) == 2
            and _is_call(parsed, match.start())
        ):
            span = Span(match.start(), match.end() - 1)
            use = Use("call", "tiled_partition", span, Span(match.start(), closing + 1), (), "device", "token")
            yield Hit(_GROUP + "counted-tile", use)


def _is_call(parsed: ParsedFile, offset: int) -> bool:
    return parsed.scope(offset) == "device" and not _is_declared(parsed, offset)


def _bare(parsed: ParsedFile, known: Groups) -> Iterator[Hit]:
    """Names without a namespace, behind `using namespace cooperative_groups`."""
    bare = re.compile(rb"(?<![\w:.>~])(?P<name>" + b"|".join(sorted(_RULES, reverse=True)) + rb")\b(?!\s*::)")
    for match in parsed.lexed.matches(bare):
        if parsed.lexed.directive_at(match.start()) is not None or _is_declared(parsed, match.start()):
            continue
        hit = _hit(parsed, match)
        if match["name"] in _COMMON:
            args = hit.use.args
            first = parsed.data[args[0].start : args[0].end] if args else b""
            if not known.kind(first, match.start()) and not first.startswith(b"tiled_partition"):
                continue
        yield hit
        if match["name"] in _COMMON:
            operators = re.compile(rb"(?<![\w:.>])(?P<name>" + b"|".join(_OPERATORS) + rb")\s*(?=<)")
            for inner in operators.finditer(parsed.data, hit.use.span.end, hit.use.extent.end):
                yield _hit(parsed, inner)


def _is_declared(parsed: ParsedFile, offset: int) -> bool:
    """Whether a word that is no statement's is before the name: then something of that name is declared here."""
    before = parsed.lexed.before(offset)
    return before is not None and before.kind == WORD and parsed.lexed.text(before) not in _LEADING


def _hit(parsed: ParsedFile, match: re.Match[bytes]) -> Hit:
    name, lexed = match["name"], parsed.lexed
    rule = "api/group-operators" if name in _OPERATORS else _GROUP + _RULES[name]
    span = Span(match.start(), match.end("name"))
    end = span.end
    args: tuple[Span, ...] = ()
    called = False
    opening = lexed.token(span.end)
    if opening is not None and lexed.text(opening) == b"<":
        closed = lexed.angle_closing(opening.start, min(len(parsed.data), opening.start + 4000))
        opening = lexed.token(closed + 1) if closed > 0 else None
    if opening is not None and lexed.text(opening) == b"(":
        closing = lexed.closing(opening.start)
        if closing > 0:
            called, end = True, closing + 1
            args = parsed.arguments(opening.start, closing)
    full = f"cooperative_groups::{name.decode()}"
    scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
    use = Use("call" if called else "name", full, span, Span(span.start, end), args, scope, certainty)
    if called and name in _OF_TILES and of_tile(parsed, use):
        rule = _GROUP + _OF_TILES[name]
    return Hit(rule, use, {"name": full})
