"""Words of identifiers that warps are usually spelled with: a suspicion that leads to a report, never to an edit.

A name decides only where no value says more; what is known of a value comes from `quantities`. No project's own names
are in here: `lane`, `warp`, `thread` and `shuffle` are the words of CUDA's manual.
"""

from __future__ import annotations

from enum import IntFlag
from functools import lru_cache
from itertools import pairwise

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re


class Quantity(IntFlag):
    """What an integer measures: an index of a thread, lane or warp; a number of threads or warps; lanes of a warp.

    RUNS marks a variable that a loop moves on, BLOCK a name that says no more than the size of a block. SPREAD is a
    multiple of a lane, PLACE a thread's index within several warps.
    """

    NONE = 0
    THREAD = 1
    LANE = 2
    WARP = 4
    THREADS = 8
    WARPS = 16
    WIDTH = 32
    MASK = 64
    RUNS = 128
    BLOCK = 256
    SPREAD = 512
    PLACE = 1024


_THREADS_OF_WARP = {(what, how, "warp") for what in ("threads", "thread", "lanes") for how in ("per", "in")}
_MATRIX = frozenset(("ldsm", "mma", "wmma"))
_SHORT = (("k", "warp"), ("kwarp",))
_WHOLE = frozenset(("full", "final", "all", "whole"))
_WHOLE_MASK = _WHOLE | {"warp", "warps", "lane", "lanes", "mask"}
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_INDEX = frozenset(("id", "idx", "index", "rank", "num", "number"))
_COUNT = frozenset(("n", "num", "nr", "count", "cnt"))
_THREAD = frozenset(("tid", "tidx", "thid", "threadid", "threadidx", "thread"))
_BLOCK = frozenset(("k", "num", "block", "size", "dim", "threads", "x", "blocksize", "blockdim"))
_SHUFFLES = ("shfl", "shuffle", "broadcast")
_GROUP_SHUFFLES = frozenset((b"shfl", b"shfl_up", b"shfl_down", b"shfl_xor"))
"""Members of cooperative groups: names of a library, which no project chooses."""
_VOTES = frozenset(("ballot", "any", "all", "match", "vote", "activemask"))
_WORKS = ("reduc", "scan", "sum", "max", "min", "sort", *_SHUFFLES)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What identifiers say; nothing where `heard` is False, for what must not depend on how a project calls things.

    Names of CUDA itself are no project's own and are known in either case.
    """

    heard: bool

    def words(self, name: bytes) -> tuple[str, ...]:
        """The words of an identifier, in lower case: `kNumWarps` has `k`, `num` and `warps`."""
        return _words(name) if self.heard else ()

    def suspected(self, name: bytes) -> Quantity:
        """What a variable is called after."""
        return _suspected(name) if self.heard else Quantity.NONE

    def says_width(self, name: bytes) -> bool:
        """Whether a name is that of a warp's size: `WARP_SIZE`, `kThreadsPerWarp`, `lanes_per_warp`."""
        return self.heard and _says_width(name)

    def says_lanes(self, name: bytes) -> bool:
        """Whether a name speaks of lanes or warps at all."""
        lower = name.lower()
        return self.heard and (b"lane" in lower or b"warp" in lower)

    def says_number_of_lanes(self, name: bytes) -> bool:
        """Whether a constant is called after the lanes of a warp: `WARP_SIZE`, `kWarpThreads`, `num_lanes`, `kWarp`."""
        parts = self.words(name)
        if not parts:
            return False
        last, plain = parts[-1], name.lower().replace(b"_", b"")
        sizes = b"warpsize" in plain or b"warpreducesize" in plain
        shares = any(parts[at : at + 3] in _THREADS_OF_WARP for at in range(len(parts)))
        ends = parts[-2:] in (("warp", "threads"), ("warp", "width")) or last in ("warpthreads", "warpwidth", "lanes")
        return (sizes and not {"tile", "shape"} & set(parts)) or shares or ends or parts in _SHORT or last == "numlanes"

    def says_share_of_warp(self, name: bytes) -> bool:
        """Whether a name says what each warp has: `kRowsPerWarp`."""
        parts = self.words(name)
        return ("per", "warp") in set(pairwise(parts)) or "perwarp" in parts

    def says_logarithm(self, name: bytes) -> bool:
        """Whether a constant is called after the logarithm of a warp's size: `WARP_SHIFT`, `LOG2_WARP_SIZE`."""
        parts = self.words(name)
        logarithm = {"bits", "shift", "log"} & set(parts)
        return bool(logarithm) and any("warp" in part for part in parts) and len(parts) < 6

    def says_lane_bits(self, name: bytes) -> bool:
        """Whether a constant is called the bits of a lane's number: `kLaneIdMask`."""
        parts = self.words(name)
        return "mask" in parts and any("lane" in part for part in parts)

    def says_all_lanes(self, name: bytes) -> bool:
        """Whether a constant is called a mask of all lanes: `FULL_MASK`, `kAllLanesMask`, `kWarpSyncMask`."""
        parts = tuple(part for part in self.words(name) if part != "k")
        if not parts or not parts[-1].endswith("mask"):
            return False
        whole = parts[0] in _WHOLE and set(parts) <= _WHOLE_MASK
        return whole or "warp" in parts[-3:-1] or parts[-1] in ("warpmask", "fullmask")

    def says_warps(self, name: bytes) -> bool:
        """Whether a name counts warps: `kWarps`, `NUM_WARPS_X`."""
        return any(part.endswith("warps") for part in self.words(name))

    def says_warps_or_share(self, name: bytes) -> bool:
        """Whether a name counts warps, or what each lane or thread has: `PER_LANE`, `kLaneChunks`."""
        parts = self.words(name)
        pairs = set(pairwise(parts))
        share = {("per", "lane"), ("per", "thread")} & pairs or any(part in ("perlane", "perthread") for part in parts)
        return self.says_warps(name) or bool(share) or "lane" in parts[:-1]

    def says_matrix(self, name: bytes) -> bool:
        """Whether a name speaks of matrix instructions, which the lanes of a warp run together."""
        return any(part in _MATRIX or part.startswith("ldmatrix") for part in self.words(name))

    def works_across(self, name: bytes) -> bool:
        """Whether a function is called as one that works across the lanes of a warp."""
        if name.startswith((b"__shfl", b"__ballot", b"__syncwarp", b"__reduce_", b"__match_", b"__activemask")):
            return True
        parts = self.words(name)
        warp = any("warp" in part for part in parts)
        return self.shuffles(name) or (warp and any(part.startswith(_WORKS) or part == "all" for part in parts))

    def shuffles(self, name: bytes) -> bool:
        """Whether a function is called as a shuffle: `shfl_down`, `WARP_SHFL_XOR`, `ShuffleIndex`."""
        if not self.heard:
            return name.startswith(b"__shfl") or name in _GROUP_SHUFFLES
        parts = _words(name)
        if any(part.startswith("shfl") for part in parts):
            return True
        ways = {"index", "up", "down", "xor", "reduce", "sum"}
        return any(part.startswith("shuffle") for part in parts) and bool(ways & set(parts) or "warp" in parts)

    def votes(self, name: bytes) -> bool:
        """Whether a function is called as a vote of lanes."""
        if not self.heard and not name.startswith(b"__"):
            return False
        parts = set(_words(name))
        return bool(parts & {"ballot", "activemask"}) or ("sync" in parts and bool(parts & _VOTES))


NAMES = Vocabulary(heard=True)
NO_NAMES = Vocabulary(heard=False)


@lru_cache(maxsize=8192)
def _words(name: bytes) -> tuple[str, ...]:
    return tuple(part.lower() for part in _PART.findall(name.rpartition(b"::")[2].decode("latin-1")))


@lru_cache(maxsize=8192)
def _suspected(name: bytes) -> Quantity:
    parts = _words(name)
    if not parts:
        return Quantity.NONE
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    warp = any("warp" in part for part in parts)
    if _says_width(name):
        return Quantity.WIDTH
    if warp and not _is_share(parts):
        if any(part.endswith("warps") for part in parts) or _counts_warps(parts):
            return Quantity.WARPS
        return Quantity.WARP if _ends(last, before, "warp") else Quantity.NONE
    if last in _THREAD or (before == "thread" and last in _INDEX) or parts[-2:] == ("tid", "x"):
        return Quantity.THREAD
    if "in" in parts and warp and parts[0] in ("thread", "tid", "lane"):
        return Quantity.LANE
    if _ends(last, before, "lane") or last in ("laneid", "lid"):
        return Quantity.LANE
    return _threads(parts, last, before)


def _is_share(parts: tuple[str, ...]) -> bool:
    """Whether a name says what each warp has: `rows_per_warp`."""
    return any(one in ("per", "in") and "warp" in other for one, other in pairwise(parts))


def _counts_warps(parts: tuple[str, ...]) -> bool:
    pairs = set(pairwise(parts))
    numbers = any((count, "warp") in pairs or ("warp", count) in pairs for count in _COUNT - {"n", "num"})
    return numbers or ("num", "warp") in pairs or ("n", "warp") in pairs or "nwarp" in parts or "numwarp" in parts


def _ends(last: str, before: str, word: str) -> bool:
    """Whether a name ends in a word, or in the index of such a thing."""
    return last == word or (before == word and last in _INDEX) or (last.startswith(word) and last[4:] in _INDEX)


def _threads(parts: tuple[str, ...], last: str, before: str) -> Quantity:
    if last.endswith("threads") or last in ("tpb", "nthr", "nthrs") or (before == "threads" and last == "num"):
        return Quantity.THREADS
    if (before == "thread" and last in _COUNT) or ("threads" in parts and {"block", "cta"} & {last}):
        return Quantity.THREADS
    return Quantity.BLOCK if "block" in parts[0:3] and set(parts) <= _BLOCK else Quantity.NONE


@lru_cache(maxsize=8192)
def _says_width(name: bytes) -> bool:
    parts = set(_words(name))
    if "warpsize" in parts or ({"warp", "size"} <= parts and not {"tile", "shape"} & parts):
        return True
    return "warp" in parts and bool({"threads", "lanes", "width"} & parts) and not {"num", "n"} & parts
