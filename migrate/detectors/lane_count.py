"""Places that count 32 lanes: lane arithmetic, constants named after the warp, mixed uses of `warpSize`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.constant_contexts import defines_wave, is_own_wave, must_be_constant
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Hit, Span, Use
from cudamigrate.warp import logical_warp_edits
from cudamigrate.warp.lane_code import Lanes, Unit, facts, has_lane_words
from cudamigrate.warp.lane_remarks import remarks
from cudamigrate.warp.lane_words import LANE_WORDS

WORDS = LANE_WORDS

_SIZE = re.compile(rb"\(?(?:\w+ |)(?:/ )?warpSize(?: / 2| - 1)?\)?")
"""New text that is a warp's size or a share by it: `warpSize`, `(warpSize / 2)`, `n / warpSize`; all else is a step."""
_WAVE = re.compile(rb"(?<![\w.>])warpSize\b")
_LANE_WORD = re.compile(rb"[Ll]ane|LANE|[Ww]arp|WARP")
_WORKS = re.compile(
    rb"\.\s*(?:shfl|ballot|any|all|match)\w*\s*\(|\btiled_partition\b|\bthread_block_tile\b|\bldmatrix|\bldsm|\bw?mma\w*\b"
    rb"|\b(?:Warp|Block)(?:Reverse)?(?:Scan|Reduce|Exchange)T?\b|\+\s*16\s*\]|(?:reduce|scan)\w*\s*<\s*32\s*>"
)
"""Work of a warp other than by CUDA's functions: `tile.shfl(`, `ldmatrix`, `WarpReduce`, `s[t + 16]`, `reduce<32>`."""
_WARP_CALL = re.compile(
    rb"\b\w*(?:[Ww]arp_?(?i:all_?)?(?i:reduc|sum|max|min|scan|sort)|warp_(?:sum|max|min))\w*\s*(?:<[^;<>()]*>)?\s*\("
)
"""A call of a helper for warps by its name: `warpReduceSum<T>(`, `warp_all_reduce(`; no macro `WARP_SUM(`."""
_LANE_PTX = re.compile(
    rb"\b(?:mma\.sync|ldmatrix\.sync|shfl\.sync|redux\.sync|vote\.sync|elect\.sync|bar\.warp|barrier\.cta)"
)
"""Instructions of PTX that the lanes of a warp run together: `shfl.sync`, `mma.sync`, `bar.warp`."""
_WARPS_OF_BLOCK = re.compile(rb"blockDim\.x\s*(?:/\s*32|>>\s*5)")
_WARP_OF_THREAD = re.compile(rb"threadIdx\.x\s*(?:/\s*32|>>\s*5)")
_REFUSED = re.compile(rb"(?i:warp_?size)\s*==\s*32\b")
_BARRIER = re.compile(rb"\s*\)\s*\{?\s*__syncthreads\b")
_LANE_IN_ROW = re.compile(rb"\blane\w*\s*=\s*threadIdx\.x\s*[;,]")
_THREAD_AGAIN = re.compile(rb"threadIdx\.x\s*(?:%\s*32|&\s*31)\s*\)?\s*\+\s*\(*\s*threadIdx\.x\s*/\s*32[^;]*\*\s*32\b")
"""A thread's number from its lane and its warp: `threadIdx.x % 32 + (threadIdx.x / 32) * 32`."""
_THREADS_IN_WARPS = re.compile(rb"\b(?:tid|threadIdx\.x)\s*(?:/\s*32|>>\s*5)\b")
"""The number of a thread's warp: `tid / 32`, `threadIdx.x >> 5`."""
_SHARE = re.compile(rb"(\w+ \* \w+)\s*/\s*32")
_DEFAULT = re.compile(rb"= 32[uU]?\s*[,>]")
_NEAR, _CLASS = 200, 2500


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Lane arithmetic, uses of `warpSize` that mean 32, and functions whose warp-level code stays unconverted."""
    if not has_lane_words(parsed):
        return
    lanes = facts(parsed)
    if lanes.native:
        return
    for unit in lanes.units.values():
        why = logical_warp_edits.reason(lanes, unit) if unit.calls or unit.blocked else ""
        if why:
            place = unit.calls[0] if unit.calls else _hit(parsed, "", unit.asks[0]).use
            yield Hit("warp/unconverted-lanes", place, {"reason": why, "function": unit.name or place.name})
        followed = [edit.span for edit in logical_warp_edits.follows(unit)]
        yield from (_followed(parsed, edit) for edit in logical_warp_edits.follows(unit))
        if unit.counts and _reaches_lanes(lanes, unit):
            for span in unit.counts:
                if not any(span.start <= one.start < span.end for one in followed):
                    yield _hit(parsed, "warp/hardcoded-size", span)
        if unit.mixed and lanes.counts_by_value(unit):
            yield from (_hit(parsed, "warp/mixed-size", span) for span in unit.sizes)
        elif unit.mixed:
            yield from _unproved(parsed, unit)
    yield from _natives(lanes)
    yield from (_hit(parsed, "warp/hardcoded-size", span) for span in _remarks(parsed, lanes))
    yield from _constants(parsed, lanes)


def _unproved(parsed: ParsedFile, unit: Unit) -> Iterator[Hit]:
    """One word at a function's name for all its `warpSize`: none is wrong by itself, and all change together."""
    count, place = len(unit.sizes), _name(parsed, unit)
    words = {"function": unit.name or "this code", "places": f"{count} place{'s' * (count > 1)}"}
    for span in unit.sizes if place is None else [place]:
        hit = _hit(parsed, "warp/unproved-size", span)
        yield replace(hit, use=replace(hit.use, name="warpSize"), words=words)


def _name(parsed: ParsedFile, unit: Unit) -> Span | None:
    """Where a function's name stands in its definition; None for a macro and for code outside of functions."""
    wanted, token = unit.name.encode(), parsed.lexed.token(unit.span.start)
    while wanted and token is not None and token.end < unit.span.end and parsed.lexed.text(token) != b"{":
        after = parsed.lexed.token(token.end)
        if parsed.lexed.text(token) == wanted and after is not None and parsed.lexed.text(after) == b"(":
            return Span(token.start, token.end)
        token = after
    return None


def _followed(parsed: ParsedFile, edit: Edit) -> Hit:
    """A place that is written for the full wavefront: a size of a warp, or a step in another form."""
    if _SIZE.fullmatch(edit.replacement) is not None:
        return _hit(parsed, "warp/native-size", edit.span)
    form = " ".join(edit.replacement.partition(b"\n")[0].decode("utf-8", "replace").split())
    return replace(_hit(parsed, "warp/native-step", edit.span), words={"form": form})


def _natives(lanes: Lanes) -> Iterator[Hit]:
    """One word for each group of functions that could follow the wave, or could not though that is asked for."""
    asked, reported = lanes.parsed.native, set[int]()
    for unit in lanes.units.values():
        if unit.plan is None or id(unit.plan) in reported or not unit.calls or logical_warp_edits.reason(lanes, unit):
            continue
        reported.add(id(unit.plan))
        words = {"function": unit.name or unit.calls[0].name, "reason": unit.plan.refused, "cure": unit.plan.cure}
        calls = sum(len(other.calls) for other in lanes.units.values() if other.plan is unit.plan)
        words |= {"pays": unit.plan.pays, "calls": f"{calls} lane call{'s' * (calls > 1)}"}
        if unit.plan.pays and not asked:
            yield Hit("warp/native-pays", unit.calls[0], words)
        elif unit.plan.refused and asked:
            yield Hit("warp/native-refused", unit.calls[0], words)


def _remarks(parsed: ParsedFile, lanes: Lanes) -> Iterator[Span]:
    """Assertions and masks that speak of 32 lanes and are reported nowhere else."""
    return (span for span in remarks(parsed) if not _is_known(lanes, span))


def _is_known(lanes: Lanes, span: Span) -> bool:
    """Whether a remark on 32 lanes is reported already, or is in code for any wave."""
    unit = lanes.unit(span.start)
    if unit is None:
        return False
    reported = [*unit.counts, *(call.extent for call in unit.calls)]
    for_any = (unit.whole or bool(unit.waves)) and _REFUSED.search(lanes.parsed.data, span.start, span.end) is None
    return for_any or any(one.start <= span.start < one.end for one in reported)


def _constants(parsed: ParsedFile, lanes: Lanes) -> Iterator[Hit]:
    """Uses of `warpSize` that stay and that the compiler must know the value of."""
    for match in parsed.lexed.matches(_WAVE, b"warpSize") if not defines_wave(parsed) else ():
        found = lanes.unit(match.start())
        own = is_own_wave(parsed, match.start())
        if not own and (found is None or not found.mixed) and must_be_constant(parsed, match.start()):
            span = Span(*match.span())
            yield _hit(parsed, "warp/constant-size" if span in lanes.pinned else "warp/wave-constant", span)


def _reaches_lanes(lanes: Lanes, unit: Unit) -> bool:
    """A remainder by 32 counts lanes where warp-level code is near, or where what it makes is called a lane or warp."""
    if unit.calls or unit.sizes:
        return True
    data = lanes.parsed.data
    rows = _LANE_IN_ROW.search(data) is not None
    if any(_says_lanes(data, span, rows) for span in unit.counts):
        return True
    if not unit.name and unit.span.start == unit.span.end:
        return _stands_near_lanes(data, unit.span.start)
    inside = (unit.span.start, unit.span.end)
    if _WARPS_OF_BLOCK.search(data, *inside) is not None and _WARP_OF_THREAD.search(data, *inside) is not None:
        return True
    works = _WARP_CALL.search(data, *inside) is not None or _WORKS.search(data, *inside) is not None
    return works or _LANE_PTX.search(data) is not None or lanes.calls_lane_code(unit.span)


def _says_lanes(data: bytes, span: Span, rows: bool) -> bool:
    """Whether a count says by itself that it is of lanes, or its line does; `rows` are rows of lanes in a block."""
    line = data[data.rfind(b"\n", 0, span.start) + 1 : max(span.end, data.find(b"\n", span.end))]
    if _LANE_WORD.search(line) is not None or _THREAD_AGAIN.search(line) is not None:
        return True
    if _BARRIER.match(data, span.end) is not None or _is_wave_elsewhere(data, span):
        return True
    return rows and data.find(b"threadIdx.y", span.start, span.end) >= 0


def _is_wave_elsewhere(data: bytes, span: Span) -> bool:
    """Whether another branch of the file makes a 64th of what is a 32nd here."""
    share = _SHARE.fullmatch(data, span.start, span.end) if b"/ 64" in data else None
    return share is not None and re.search(re.escape(share[1]) + rb"\s*/ 64\b", data) is not None


def _stands_near_lanes(data: bytes, start: int) -> bool:
    """Whether a count outside of functions is a default of a template, or is next to words about lanes."""
    if (
        _DEFAULT.match(data, max(0, start - 2)) is not None
        or _LANE_WORD.search(data, max(0, start - _NEAR), start + _NEAR) is not None
    ):
        return True
    return _THREADS_IN_WARPS.search(data, max(0, start - _CLASS), start + _CLASS) is not None


def _hit(parsed: ParsedFile, rule: str, span: Span) -> Hit:
    scope, certainty = parsed.scope(span.start), parsed.certainty(span.start)
    name = "warpSize" if parsed.data[span.start : span.end] == b"warpSize" else "32"
    return Hit(rule, Use("name", name, span, span, (), scope, certainty))
