"""Constants of 32 named after the warp, masks of all its lanes, numbers of warps."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.lexer import Token
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_code import facts, has_lane_words
from cudamigrate.warp.lane_words import LANE_WORDS

WORDS = LANE_WORDS

_VALUE = rb"(?P<value>(?:32|31|5|0[xX]1[fF]|0[xX][fF]{8})[uUlL]*|-1|~0[uU]?)(?![\w.])"
_GIVEN = re.compile(rb"(?:=|\{)\s*" + _VALUE)
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+(?=(?P<name>\w+))(?P=name)[ \t]+\(?" + _VALUE)
"""`#define WARP_SIZE 32`. A lookahead and `(?P=name)` take the name as one, so no shorter part is tried again."""
_DIVIDED = re.compile(rb"(?:/\s*32|>>\s*5)[uUlL]*\b(?!\s*\*)")
_MADE = re.compile(
    rb"\b(?P<name>\w*(?:[Ww]arps|WARPS|(?P<share>(?i:per_?(?:lane|thread))|Lane(?=[A-Z])))\w*)\s*=[^;={}]*\Z"
)
"""The name that a value up to the end is for: `numWarps = n`, `per_lane = n`; `share` marks a share of each lane."""
_SIZE = re.compile(
    rb"\w*(?:warp_?(?:reduce_?)?size|threads_?(?:per|in)_?warp)\w*|(?:\w*_|k)?warp_?(?:threads|width)"
    rb"|(?:\w*_|k)?(?:num_?|n_?)?lanes(?:_?(?:per|in)_?warp)?|k_?warp",
    re.I,
)
"""A name for the number of lanes, in any case: `WARP_SIZE`, `threads_per_warp`, `kWarpThreads`, `num_lanes`."""
_SHIFT = re.compile(rb"\w*warp_?(?:size_?)?(?:bits|shift|log2?)\w*|\w*log_?2?_?(?:of_?)?warp_?size\w*", re.I)
"""A name for the logarithm of the warp's size, in any case: `WARP_SHIFT`, `warp_size_bits`, `LOG2_WARP_SIZE`."""
_THREADS = re.compile(rb"k?(?:Num)?Threads")
_PER_WARP = re.compile(rb"\w*per_?warp\w*", re.I)
_LANE_BITS = re.compile(rb"\w*lane\w*mask\w*", re.I)
_LAST = (b"31", b"0x1f", b"0x1F", b"0X1f", b"0X1F")
_MASK_NAME = re.compile(
    rb"k?_?(?:full|final|all|whole)_?(?:warp|lane)?s?_?mask|k?_?(?:\w+_)?warp(?:_?[a-z]+)?_?mask", re.I
)
"""A name for a mask of all lanes, in any case: `FULL_MASK`, `kAllLanesMask`, `kWarpSyncMask`."""
_LANES = re.compile(rb"[Ll]ane|[Ww]arp")
_WARP_CALL = re.compile(rb"\b\w*[Ww]arp\w*\s*(?:<[^;<>]*>)?\s*\(")
"""A call of a function named after warps, maybe with template arguments: `warpReduce(`, `blockWarpSum<int>(`."""
_STATEMENT, _NEAR = 160, 400


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Macros, constants and enumerators; silent where the file gives the name another value for HIP."""
    if not has_lane_words(parsed) or facts(parsed).native:
        return
    for span in sorted([*_given(parsed), *_divided(parsed)]):
        if not _has_twin(parsed, span.start):
            use = Use("name", "32", span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
            yield Hit("warp/hardcoded-size", use)


def _given(parsed: ParsedFile) -> Iterator[Span]:
    """Names that are given 32, or a mask of 32 lanes."""
    for match in parsed.lexed.matches(_GIVEN):
        name = parsed.lexed.before(match.start())
        if name is None or _is_setting(parsed, name):
            continue
        if _stands_for_lanes(parsed, name.start, parsed.lexed.text(name), match):
            yield Span(name.start, match.end())
    for match in parsed.lexed.matches(_DEFINED):
        if _stands_for_lanes(parsed, match.start("name"), match["name"], match):
            yield Span(match.start("name"), match.end())


def _is_setting(parsed: ParsedFile, name: Token) -> bool:
    """Whether a member is given 64 somewhere else in the file, as for another GPU."""
    before = parsed.lexed.before(name.start)
    if before is None or parsed.lexed.text(before) not in (b".", b"->"):
        return False
    return re.search(rb"\b" + parsed.lexed.text(name) + rb"\s*=\s*64\b", parsed.data) is not None


def _stands_for_lanes(parsed: ParsedFile, start: int, name: bytes, match: re.Match[bytes]) -> bool:
    if match["value"].startswith(_LAST):
        return _LANE_BITS.fullmatch(name) is not None
    if match["value"].startswith(b"5"):
        return _SHIFT.fullmatch(name) is not None
    if not match["value"].startswith(b"32"):
        return _is_lane_mask(parsed, name)
    if _THREADS.fullmatch(name) is not None:
        return _in_warp_class(parsed, start)
    divided = parsed.lexed.text(parsed.lexed.token(match.end())) == b"/"
    if (_PER_WARP if divided else _SIZE).fullmatch(name) is not None:
        return True
    return _splits_threads(parsed, name) or _bounds_shuffles(parsed, name)


def _splits_threads(parsed: ParsedFile, name: bytes) -> bool:
    """Whether a constant cuts the threads of a block into groups in a function with warp-level code.

    One that is beside the size of a warp is something else.
    """
    split = re.compile(rb"\bthreadIdx\.x\s*[/%]\s*" + re.escape(name) + rb"\b")
    places = [match.start() for match in parsed.lexed.matches(split)]
    around = [function.span for start in places if (function := parsed.function(start)) is not None]
    spoken = (parsed.data[span.start : span.end].lower() for span in around)
    return any(_works_in_warps(parsed, span) for span in around) and not any(b"warp_size" in said for said in spoken)


def _bounds_shuffles(parsed: ParsedFile, name: bytes) -> bool:
    """Whether a constant is how far the steps of shuffles go, or their width."""
    if b"__shfl" not in parsed.data:
        return False
    word = re.escape(name)
    steps = rb"\bfor\s*\([^;{}]*;\s*\w+\s*<\s*" + word + rb"\s*;[^;{}]*\)\s*\{?[^;{}]*\b__shfl"
    width = rb"\b__shfl\w*\s*\([^;{}]*,\s*" + word + rb"\s*\)"
    return any(True for _ in parsed.lexed.matches(re.compile(steps + b"|" + width)))


def _works_in_warps(parsed: ParsedFile, span: Span) -> bool:
    """Whether a function has warp-level code, or calls one that has it or is called after warps."""
    unit = facts(parsed).unit(span.start)
    if unit is not None and unit.calls:
        return True
    return facts(parsed).calls_lane_code(span) or _WARP_CALL.search(parsed.data, span.start, span.end) is not None


def _divided(parsed: ParsedFile) -> Iterator[Span]:
    """Numbers of warps: threads divided by 32, outside of the host's functions."""
    for match in parsed.lexed.matches(_DIVIDED):
        start = max(0, match.start() - _STATEMENT)
        made = _MADE.search(parsed.data, start, match.start())
        if made is None or parsed.scope(made.start()) == "host":
            continue
        span = Span(made.start(), match.end())
        if made["share"] is not None and not _is_near_lanes(parsed, span.start):
            continue
        if not _is_counted(parsed, span):
            yield span


def _is_near_lanes(parsed: ParsedFile, offset: int) -> bool:
    """Whether a function has warp-level code, or where the tree shows no function, whether lanes are spoken of near."""
    if parsed.scope(offset) != "unknown":
        function = parsed.function(offset)
        return facts(parsed).unit(offset) is not None or (
            function is not None and _works_in_warps(parsed, function.span)
        )
    return _LANES.search(parsed.data, max(0, offset - _NEAR), offset + _NEAR) is not None


def _is_counted(parsed: ParsedFile, span: Span) -> bool:
    """Whether lane arithmetic is found at a place already."""
    unit, units = facts(parsed).unit(span.start), facts(parsed).units
    among = [unit] if unit is not None else [units[at] for at in units if span.start <= at < span.end]
    return any(span.start <= count.start < span.end for one in among for count in one.counts)


def _is_lane_mask(parsed: ParsedFile, name: bytes) -> bool:
    """Whether a constant names lanes: it says so, or a lane function is given it."""
    if _MASK_NAME.fullmatch(name) is not None:
        return True
    given = re.compile(rb"\b__\w+_sync\s*\(\s*(?:\w+::)*" + re.escape(name) + rb"\b")
    return b"_sync" in parsed.data and given.search(parsed.data) is not None


def _in_warp_class(parsed: ParsedFile, offset: int) -> bool:
    """Whether a member is in a class that is called after warps."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    for around in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if around.type in ("class_specifier", "struct_specifier"):
            return re.match(rb"\w*(?:Warp|warp)", text(around.child_by_field_name("name"))) is not None
    return False


def _has_twin(parsed: ParsedFile, start: int) -> bool:
    """Whether code for HIP alone defines the same name."""
    name = parsed.lexed.text(parsed.lexed.token(start))
    word = rb"\b" + re.escape(name) + rb"\b"
    places = re.finditer(rb"\bdefine[ \t]+" + word + rb"|" + word + rb"\s*(?:=(?!=)|\{)", parsed.data)
    return parsed.hip(start) is False or any(parsed.hip(place.start()) is True for place in places)
