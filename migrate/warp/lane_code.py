"""Which code of a file works lane by lane, and whether it means 32 lanes or the whole wave.

Worked out once for each file: calls that shuffle, vote or reduce across lanes, in units; places that count 32 lanes;
units for any wave size; why a unit cannot be converted. A unit is an outermost function or macro, changed as a whole.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from tree_sitter import Node

from cudamigrate.analysis import builtin_wave
from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.analysis.constant_contexts import must_be_constant
from cudamigrate.analysis.constant_values import WARP_NAME, WAVE_NAMES, Values, node_at
from cudamigrate.analysis.launch_geometry import is_bound, widths
from cudamigrate.analysis.member_arguments import names_member
from cudamigrate.analysis.seen_waves import means_at
from cudamigrate.cuda.amd_code import for_amd, is_native
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.words import begun
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.warp import shuffle_overloads, wide_branches
from cudamigrate.warp.lane_counts import counts
from cudamigrate.warp.lane_words import SHUFFLES
from cudamigrate.warp.library_waves import keeps_wave, obstacle
from cudamigrate.warp.sources import fixed
from cudamigrate.warp.vocabulary import NO_NAMES
from cudamigrate.warp.warp_synchronous import runs
from cudamigrate.warp.wave_proof import Plan, plan

VOTES = frozenset(("__ballot", "__any", "__all", "__ballot_sync", "__any_sync", "__all_sync", "__activemask"))
OTHERS = frozenset(
    ["__syncwarp", "__match_any_sync", "__match_all_sync"]
    + [f"__reduce_{what}_sync" for what in ("add", "min", "max", "and", "or", "xor")]
)
NAMES = SHUFFLES | VOTES | OTHERS
"""CUDA's functions that work across the lanes of a warp."""
LEGACY = frozenset(name for name in SHUFFLES | VOTES if not name.endswith("_sync")) - {"__activemask"}
"""Those without a mask, which HIP has too."""

_LANE_PARTS = (b"warp", b"lane", b"Lane", b"LANE", b"Warp", b"WARP", b"__shfl", b"__ballot", b"__match_", b"__reduce_")
_LANE_WORD = re.compile(rb"__a(?:ny|ll|ctivemask)(?:_sync)?\b|\bldmatrix")
_LANE_WORDS = (b"__any", b"__all", b"__activemask", b"ldmatrix")
"""What words of warp-level code hold, and words that are such from end to end or from their beginning."""
_LANE_TEXT = re.compile(
    rb"tiled_partition\s*<|m(?<!\wm)ma\.sync|blockDim\.x\s*(?:/\s*32|>>\s*5)"
    rb"|threadIdx\.x\s*<\s*32\b|(?:reduce|scan)\s*<\s*32\s*>|b(?<!\wb)allot\s*\("
)
"""Words of which warp-level code has one, also 32 by itself: `blockDim.x >> 5`, `threadIdx.x < 32`, `reduce<32>`."""
_LANE_TEXTS = (b"tiled_partition", b"mma.sync", b"blockDim.x", b"threadIdx.x", b"reduce", b"scan", b"ballot")
_WAVE = frozenset((builtin_wave.NAME,))
_WARP_WORD = re.compile(rb"\b\w*(?:[Ww][Aa][Rr][Pp])\w*")
_START_HALF = re.compile(rb"=\s*16[uU]?\s*;|>>=?\s*1\b[^;]*\b16\b")
"""The start of steps that halve from 16: `int offset = 16;`, or 16 after the step in a statement: `i >>= 1, n = 16`."""
_SHARED = re.compile(rb"\b__shared__\b[^;{}()=\[]*\[\s*([^\]\s][^\]]*?)\s*\]")
"""The size of an array in shared memory: `__shared__ float sums[32]`; no `=` or bracket comes before the size."""
_DEFINE = re.compile(rb"#[ \t]*define[ \t]+(\w+)")
_OWN_WAVE = re.compile(rb"#[ \t]*define[ \t]+(\w+)(?:\\\r?\n|[^\n\\])*?\bint[ \t]+warpSize[ \t]*=")
"""A macro that declares a variable `warpSize`: `#define WAVE int warpSize = 32;`, on the same or joined lines."""
_TILE = re.compile(rb"\btiled_partition\s*<\s*32\s*>|\bthread_block_tile\s*<\s*32\b")
"""A tile of 32 threads: `tiled_partition<32>`, `thread_block_tile<32, Parent>`."""


@dataclass(slots=True)
class Unit:
    """What is converted together: the lane calls of a function or macro, and `sizes`, its uses of `warpSize`.

    `waves` are other names for the wave size, `counts` the places that count 32 lanes, `borrowed` the constants of
    other files that are taken for 32. `whole` says that it is written for any wave, and `plan` what would make it so.
    """

    span: Span
    name: str
    calls: list[Use] = field(default_factory=list)
    sizes: list[Span] = field(default_factory=list)
    waves: list[Span] = field(default_factory=list)
    counts: list[Span] = field(default_factory=list)
    borrowed: tuple[str, ...] = ()
    whole: bool = False
    blocked: str = ""
    plan: Plan | None = None
    proof: Plan | None = None
    """What shows that it computes the same on any wave as it is written; None where nothing does."""

    @property
    def group(self) -> str:
        """The name of the fixes that change together."""
        if self.whole and self.plan is not None:
            return f"wave of {min(self.plan.functions)}"
        return f"lanes at {self.span.start}"

    @property
    def mixed(self) -> bool:
        """Whether it says `warpSize` where only groups of 32 lanes keep its meaning."""
        return bool(self.sizes) and not self.whole

    @property
    def asks(self) -> list[Span]:
        """Where it asks for the size of the wave, under any name."""
        return self.sizes + self.waves


def _own_waves(parsed: ParsedFile) -> frozenset[bytes]:
    return frozenset(match[1] for match in _OWN_WAVE.finditer(parsed.data))


class Lanes:
    """Lane code of one file, by `units`. `pinned` is where constants of the file are given `warpSize` and mean 32,
    `strays` where no unit covers it or it may mean something else: there it stays."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.values = parsed, Values.of(parsed)
        self.values.constants()
        self.outer, self.calls = parsed.outer, CallGraph.of(parsed)
        self._starts = [function.span.start for function in self.outer]
        self.units: dict[int, Unit] = {}
        self.pinned: list[Span] = []
        self.strays: list[Span] = []
        self.native = is_native(parsed)
        for use in parsed.uses:
            if use.name in NAMES and concerns(parsed, use):
                self._make(use.span.start).calls.append(use)
        self._sizes()
        self._counts()
        for unit in self.units.values():
            self._read(unit)
            wide = wide_branches.obstacle(parsed, unit.span, NAMES) if unit.calls else ""
            unit.blocked = wide or (obstacle(parsed, unit.span) if unit.calls else "")
            unit.whole = not unit.calls and bool(unit.sizes) and keeps_wave(parsed, unit.span.start)
        self._settle()
        self._plan()

    def unit(self, offset: int) -> Unit | None:
        """The unit around an offset, or None where no lane code is."""
        span = self._span(offset)
        return self.units.get(offset if span is None else span[0].start)

    def calls_lane_code(self, span: Span) -> bool:
        """Whether a function calls one of the file that has lane calls, or that calls such a one."""
        own = {function.name.encode() for function in self.outer if function.span == span}
        return not (self._workers - own).isdisjoint(self.calls.words(span))

    @cached_property
    def _workers(self) -> frozenset[bytes]:
        """Functions with lane calls, and all that call them, directly or not."""
        named = {unit.name for unit in self.units.values() if unit.calls and unit.name}
        return frozenset(name.encode() for name in self.calls.reaching(named))

    def _span(self, offset: int) -> tuple[Span, str] | None:
        directive = self.parsed.lexed.directive_at(offset)
        if directive is not None and directive.name != "pragma":
            return (Span(directive.start, directive.end), "") if directive.name == "define" else None
        at = bisect_right(self._starts, offset) - 1
        if at >= 0 and offset < self.outer[at].span.end:
            return self.outer[at].span, self.outer[at].name
        return None

    def _make(self, offset: int) -> Unit:
        """The unit around an offset; code outside functions and macros, as in a broken tree, is a unit by itself."""
        span, name = self._span(offset) or (Span(offset, offset), "")
        return self.units.setdefault(span.start, Unit(span, name))

    def _sizes(self) -> None:
        """CUDA's `warpSize` in device code; members and variables of that name are something else."""
        for start in self.parsed.lexed.words(_WAVE):
            meant, directive = builtin_wave.meaning(self.parsed, start), self.parsed.lexed.directive_at(start)
            other = self.parsed.hip(start) is not None or self._declares_wave(start)
            if meant == "own" or other or self.parsed.scope(start) == "host":
                continue
            if directive is not None and directive.name not in ("define", "pragma"):
                continue
            place = builtin_wave.place(self.parsed, start)
            if meant == "builtin" and self._span(start) is not None and not names_member(self.parsed, start):
                self._make(start).sizes.append(place)
            elif meant == "builtin" and must_be_constant(self.parsed, start):
                self.pinned += [place] if self.parsed.source.path.endswith(".cu") else []
            elif not builtin_wave.is_for_member(self.parsed, start):
                self.strays.append(place)

    def _declares_wave(self, offset: int) -> bool:
        """Whether the function around gets a variable called `warpSize` from a macro of the file, or is that macro."""
        around = self._span(offset)
        return around is not None and not self.calls.words(around[0]).isdisjoint(self.parsed.once(_own_waves))

    def _counts(self) -> None:
        """Lane arithmetic with 32: on thread indices, or on what is called a lane or a warp; not in AMD's own code.

        Steps through shared memory without a barrier are lane code of their own, whatever they count.
        """
        data = self.parsed.data
        for run in runs(self.parsed):
            self._make(run.first.start)
        if not self.units and not any(word in data for word in (b"threadIdx", b"blockDim", b"Warp", b"WARP", b"warps")):
            return
        calls = [use.span.start for unit in self.units.values() for use in unit.calls]
        ours = for_amd(self.parsed)
        for span in sorted(set(counts(self.parsed, calls))):
            if not any(branch.start <= span.start < branch.end for branch in ours):
                self._make(span.start).counts.append(span)

    def counts_by_value(self, unit: Unit) -> bool:
        """Whether a unit counts 32 lanes under any names: what is found only because of a name does not say so."""
        return any(unit.span.start <= place.start < unit.span.end for place in self._counted_by_value)

    @cached_property
    def _counted_by_value(self) -> list[Span]:
        calls = [use.span.start for unit in self.units.values() for use in unit.calls]
        return list(counts(self.parsed, calls, NO_NAMES))

    def _read(self, unit: Unit) -> None:
        """Constants named after the warp: those of other files, and those that mean the wave."""
        known, borrowed = self.values.constants().keys() | WAVE_NAMES | fixed(self.parsed.includes), set()
        told = self.values.ported | self.values.borrowed
        words = re.compile(b"|".join([_WARP_WORD.pattern, *(rb"\b%s\b" % name for name in sorted(told))]))
        for match in words.finditer(self.parsed.data, unit.span.start, unit.span.end):
            name, start = match[0], match.start()
            if not self.parsed.lexed.is_code(start):
                continue
            if self._means_wave(name, start):
                unit.waves.append(Span(*match.span()))
            elif WARP_NAME.fullmatch(name) and name not in known and name not in self.values.locals(start):
                borrowed.add(name.decode())
        unit.borrowed = tuple(sorted(borrowed))

    def _means_wave(self, name: bytes, start: int) -> bool:
        """Whether a word means a constant that follows the wave: of the file, or of another that it includes."""
        own = name in self.values.ported or (name in WAVE_NAMES and name != b"warpSize")
        lent = name in self.values.borrowed and means_at(self.parsed, name, start)
        return own or (lent and name not in self.values.locals(start))

    def _settle(self) -> None:
        """Decide which units keep the whole wave: those that are proved as they stand, and those ported to AMD.

        All that call each other are decided together. What asks for the size of the wave and is neither works on
        groups of 32 lanes, which is CUDA's meaning on any wave.
        """
        known = self.values
        self.pinned = [] if any((known.ported, known.borrowed, known.for_hip, self.parsed.ported)) else self.pinned
        if not any(unit.asks for unit in self.units.values()):
            return
        narrow = self._in_narrow_blocks()
        for group in self._connected():
            if not any(unit.asks for unit in group):
                continue
            if not self._is_ported(group):
                self._prove(group)
            elif not any(unit.name in narrow or self._means_32(unit) for unit in group):
                for unit in group:
                    unit.whole = True
            elif any(unit.calls for unit in group):
                for unit in group:
                    if not unit.blocked and unit.waves:
                        name = self.parsed.data[unit.asks[-1].start : unit.asks[-1].end].decode()
                        unit.blocked = f"it mixes `{name}`, the wave of the GPU at hand, with groups of 32 lanes"

    def _prove(self, group: list[Unit]) -> None:
        """Let units keep the whole wave where a proof holds and needs no edit, nor a word from other files."""
        calls = [use.span.start for unit in group for use in unit.calls]
        if not calls or any(unit.blocked for unit in group):
            return
        counts = [span for unit in group for span in unit.counts]
        made = plan(self.parsed, [unit.name for unit in group], counts, calls)
        if not (made.refused or made.edits or made.votes or made.helpers):
            for unit in group:
                unit.whole, unit.proof = True, made

    def _is_ported(self, group: list[Unit]) -> bool:
        """Whether units are written for AMD too: one has a branch for it, or says what has a meaning of its own there.

        What other code of the file does says nothing of them.
        """
        if any(unit.waves for unit in group):
            return True
        spans = [unit.span for unit in group]
        ours = [one for one in self.parsed.branches if one.hip is not None]
        if any(span.start <= one.start < span.end for one in ours for span in spans):
            return True
        return any(not self.for_amd.isdisjoint(self.calls.words(span)) for span in spans)

    @cached_property
    def for_amd(self) -> frozenset[bytes]:
        """Names that the file defines for HIP: constants, macros and functions in a branch for it."""
        parsed = self.parsed
        named = {one.name.encode() for one in parsed.functions if one.name and parsed.hip(one.span.start) is True}
        for directive in parsed.lexed.directives:
            match = _DEFINE.match(parsed.data, directive.start) if directive.name == "define" else None
            if match is not None and parsed.hip(directive.start) is True:
                named.add(match[1])
        return frozenset(named | self.values.for_hip | self.values.ported | self.values.borrowed)

    def _plan(self) -> None:
        """What would make groups of 32 lanes follow the wave; where that is asked for and proved, they are whole."""
        if self.native or not any(unit.calls for unit in self.units.values()):
            return
        for group in self._connected():
            if any(unit.whole or unit.blocked for unit in group) or not any(unit.calls for unit in group):
                continue
            counts = [span for unit in group for span in unit.counts]
            calls = [use.span.start for unit in group for use in unit.calls]
            made = plan(self.parsed, [unit.name for unit in group], counts, calls)
            for unit in group:
                unit.plan = made
                unit.whole = not made.refused and self.parsed.native

    def _in_narrow_blocks(self) -> set[str]:
        """Functions of kernels that the file launches in blocks which whole waves of 64 lanes do not make up."""
        kernels = {kernel for kernel, width in widths(self.parsed, self.values) if width % 64}
        return self.calls.reached(kernels)

    def _connected(self) -> Iterator[list[Unit]]:
        """Units with lane code, gathered by who calls whom in this file."""
        units = list(self.units.values())
        for group in self.calls.components([(one.span, one.name or self._macro_name(one)) for one in units]):
            yield [units[at] for at in group]

    def _macro_name(self, unit: Unit) -> str:
        match = _DEFINE.match(self.parsed.data, unit.span.start)
        return "" if match is None else match[1].decode()

    def _means_32(self, unit: Unit) -> bool:
        """Whether a unit says 32 lanes somewhere: lane arithmetic, a mask that is looked at, a width, an offset."""
        if unit.counts or any(use.name not in SHUFFLES | {"__syncwarp"} for use in unit.calls):
            return True
        data = self.parsed.data[unit.span.start : unit.span.end]
        steps = any(unit.span.start <= run.first.start < unit.span.end for run in runs(self.parsed))
        if steps or _TILE.search(data) or (unit.calls and _START_HALF.search(data)):
            return True
        sizes = [self.values.spelled(match[1]) for match in _SHARED.finditer(data)]
        if any(size is not None and 1 < size < 32 for size in sizes):
            return True  # one place for each warp of a block, of which there are half as many waves
        if 32 in sizes and any(is_bound(self.values, node_at(self.parsed, at.start, at.end)) for at in unit.sizes):
            return True  # a whole wave may be more than there are places
        for use in unit.calls:
            rest = use.args[2:] if use.name.endswith("_sync") else use.args[1:]
            values = [self.values.constant(node_at(self.parsed, arg.start, arg.end)) for arg in rest]
            if (len(values) == 2 and values[1] == 32) or (values and values[0] == 16 and "_" in use.name[6:]):
                return True
        return False


def has_lane_words(parsed: ParsedFile) -> bool:
    """Whether a file says anything of lanes at all; most do not, and nothing is worked out for them."""
    return parsed.once(_lane_words)


def _lane_words(parsed: ParsedFile) -> bool:
    lexed = parsed.lexed
    whole = any(map(lexed.holds, _LANE_WORDS)) and _LANE_WORD.search(lexed.vocabulary) is not None
    if whole or any(map(lexed.holds, _LANE_PARTS)):
        return True
    return any(begun(parsed.data, _LANE_TEXT, filter(lexed.holds, _LANE_TEXTS))) or bool(runs(parsed))


def facts(parsed: ParsedFile) -> Lanes:
    """The lane code of a file, worked out once."""
    return parsed.once(Lanes)


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False for a name that is declared, given a meaning, an overload's, or that only a directive asks for.

    The short names without a mask are those of other things too: they must be called.
    """
    start = use.span.start
    if (use.kind != "call" and use.name in LEGACY) or shuffle_overloads.is_own(parsed, use):
        return False
    directive = parsed.lexed.directive_at(start)
    if directive is not None:
        head = parsed.lexed.token(directive.rest)
        return directive.name == "define" and head is not None and head.start != start
    if parsed.hip(start) is not None:
        return False
    before = parsed.lexed.before(start)
    if before is not None and parsed.lexed.text(before) == b"::" and use.kind == "name":
        return False
    around = parsed.nodes_around(start, start + 1)
    for node, parent in pairwise(reversed(around)):
        if parent.type == "function_declarator" and parent.child_by_field_name("declarator") == node:
            return not _is_declared(parent.parent)
        if parent.type not in ("qualified_identifier", "pointer_declarator", "reference_declarator"):
            return True
    return True


def _is_declared(node: Node | None) -> bool:
    """Whether a function declarator stands in a definition, or in a prototype that names its result's type."""
    while node is not None and node.type in ("pointer_declarator", "reference_declarator"):
        node = node.parent
    return node is not None and (
        node.type == "function_definition"
        or (node.type in ("declaration", "field_declaration") and node.child_by_field_name("type") is not None)
    )
