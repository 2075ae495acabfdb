"""What one file's warp-level code means for others, and what becomes of each function that has any.

Frozen dataclasses, as in the rest of the package.
"""

from __future__ import annotations

from typing import Literal

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.finding import Step

LaneState = Literal["converted", "right", "left", "unchecked"]
"""The state of a function with warp-level code: fully converted, right as it is, left for manual review, or left to the
project's own port for HIP, which nothing checked."""

WaveState = Literal["narrowed", "proved", "open"]
"""What a function's warps are: 32 lanes on any wave, the wave of the GPU by a proof, or not known to be either."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What a device function mentions, as numbers that stand for names; `names` are the bytes of those.

    `kind` is `device`, `kernel`, or `wide` for a kernel that is only launched, in blocks of full wavefronts of 64. It
    is empty for what is outside of device functions.
    """

    function: str
    kind: str
    names: bytes


@dataclass(frozen=True, slots=True)
class LaneUnit:
    """A function or macro whose code works lane by lane: its line, counted from 1, and the bytes it covers.

    `borrowed` are the constants of other files that it takes for 32, `calls` the functions that it calls and its file
    does not define. `leads` are functions with warp-level code that it comes to, each with its file and first byte.
    `is_of_called` says that what it calls, or a group of threads, has the warp-level code, and `trace` are the facts
    behind its state then. For the rest see `LaneFunction`.
    """

    name: str
    line: int
    start: int
    end: int
    wave: WaveState = "narrowed"
    why: str = ""
    borrowed: tuple[str, ...] = ()
    calls: frozenset[str] = frozenset()
    leads: tuple[tuple[str, int], ...] = ()
    is_of_called: bool = False
    trace: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class LaneFunction:
    """What becomes of a function or macro with warp-level code: see `LaneState`. `rules` are those of what is left.

    `wave` says what its warps are, `why` the fact behind that, `trace` the facts that lead there through
    other functions.
    """

    name: str
    line: int
    state: LaneState
    rules: tuple[str, ...] = ()
    wave: WaveState = "narrowed"
    why: str = ""
    trace: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class LaneFacts:
    """What the warp-level code of one file means for others.

    `ported` are warp constants with another value for HIP, `fixed` those that are 32; `includes` are the paths of
    the headers that the file includes; `whole` are the functions that work on the full wavefront, `narrow` those on 32
    lanes, and `whole_calls` and `narrow_calls` the functions of other files that each kind calls. `aliases` are
    variables that are given a warp constant of another file, each with that constant. `native` are the functions that
    are made to follow the wave, `launches` the kernels of other files that the file launches. `helpers` are those of
    `native` that other files may call from kernels in blocks of full wavefronts, `mentions` what the file mentions,
    both where the full wavefront is asked for. `units` are its functions and macros with warp-level code. `for_amd` are
    names that the file defines for HIP, of a file written for AMD its functions that work lane by lane; `narrowed` are
    groups of fixes that write 32 for `warpSize` without a word of 32 in the code, each with the names of other files
    that it mentions. `on_waves` says that code of the file is written for
    the wave of AMD's GPUs. `branched` are functions that exchange lanes in one way for HIP and in another for CUDA.
    `masks` are constants that the file makes wider than 32 bits under some condition. `on_library_waves` are functions
    that work, or launch what works, with a library's functions for the wave; `sized` are the ranges of functions that
    count with the size of the wave which the library or the GPU gives, each with the names that it mentions.
    """

    ported: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    includes: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    narrow: frozenset[str] = frozenset()
    whole_calls: frozenset[str] = frozenset()
    narrow_calls: frozenset[str] = frozenset()
    aliases: frozenset[tuple[str, str]] = frozenset()
    native: frozenset[str] = frozenset()
    launches: frozenset[str] = frozenset()
    helpers: frozenset[str] = frozenset()
    mentions: tuple[Mention, ...] = ()
    units: tuple[LaneUnit, ...] = ()
    for_amd: frozenset[str] = frozenset()
    narrowed: tuple[tuple[str, frozenset[str]], ...] = ()
    on_waves: bool = False
    masks: frozenset[str] = frozenset()
    branched: frozenset[str] = frozenset()
    on_library_waves: frozenset[str] = frozenset()
    sized: tuple[tuple[int, int, frozenset[str]], ...] = ()
