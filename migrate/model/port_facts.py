"""What a repository shows of a HIP port that it already has, found before any file is judged.

Evidence is read file by file and joined to facts, which every file is then inspected with. Both are plain data and
hold a few words for each place, so that they can be sent to processes and stay small.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model.python_builders import PythonBuilder

GuardKind = Literal["exact", "implies", "cuda", "implies-cuda"]
"""`exact`: set where HIP compiles and nowhere else. `implies`: set only where HIP compiles. `cuda`: set only where CUDA
compiles, and not where HIP does. `implies-cuda`: set nowhere but where CUDA compiles, and not always there."""
ProjectKind = Literal["", "hip", "skips", "other"]
"""Of a build file that begins a project of its own: `hip`, it sets up HIP; `skips`, without CUDA it builds nothing."""
UndecidedKind = Literal["option", "unlike"]
"""`option`: a build needs more for it than what turns CUDA on; `unlike`: HIP's side may do it in files of its own."""
Conditions = tuple[tuple[bytes, ...], ...]
"""The conditionals around a place, outermost first: the conditions of a chain up to its own branch."""

UNSEEN = "in files that no build for HIP was seen to compile"
"""What is not shown of places that would be gaps if a build for HIP compiled them."""
NO_BUILD = "in programs that no build for HIP has"
"""The same of places in sources that no build for HIP can mean."""


@dataclass(frozen=True, slots=True)
class BuildNames:
    """Of the names that are asked for, those of sources that a file which builds has; its patterns for such names, as
    `*.cu`; and those of macros that it names, or may make the names of."""

    path: str
    words: frozenset[bytes] = frozenset()
    patterns: frozenset[str] = frozenset()
    macros: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BranchEvidence:
    """What one branch of a conditional holds itself, inner branches apart. `line` counts from 1.

    `hip` and `cuda`: it speaks HIP, or CUDA alone; `mixed`: it speaks both, in lines of their own; `header`: it
    includes a header that CUDA alone has. `opposite`: another branch of its chain speaks CUDA alone.
    """

    conditions: Conditions
    line: int
    text: str
    hip: bool
    cuda: bool
    opposite: bool = False
    header: bool = False
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class MacroDefinition:
    """A macro or constant with a simple value, or a function that returns one, and the conditionals around it.

    `scope` are the namespaces and classes around a constant, joined by `::`; a `member` is one of a class, a `call`
    what a function returns.
    """

    name: str
    value: bytes
    conditions: Conditions
    line: int
    macro: bool = True
    scope: str = ""
    member: bool = False
    call: bool = False


@dataclass(frozen=True, slots=True)
class SelectingMacro:
    """A macro that is one of its arguments and nothing else, and the conditionals around it.

    `chosen` counts from 0; it is -1 where the macro is nothing at all.
    """

    name: str
    chosen: int
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class BuildMacro:
    """A macro that a build file sets; `needs` are the variables that must be true for it.

    `hip` tells that the file, or the block around it, sets up HIP, `cuda` that it sets up CUDA; `sure` that nothing
    else there decides on it; `variable` that it is a variable of the build, which a configured header may pass on.
    `either` are variables of which one is enough, `value` is what it is set to where that is a number.
    `everywhere`: all sources of the folder and those below get it.
    """

    name: str
    line: int
    hip: bool
    sure: bool
    needs: tuple[str, ...] = ()
    variable: bool = False
    cuda: bool = False
    either: tuple[str, ...] = ()
    value: str = ""
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class BuildSource:
    """A source file that a build file names, and whether it does so for HIP, for CUDA, or for both or neither.

    `removed`: it is taken out of a list there. `instead` is the source that it takes the place of in a list. `either`
    are variables of which one is enough.
    """

    name: str
    line: int
    hip: bool
    cuda: bool
    needs: tuple[str, ...] = ()
    removed: bool = False
    instead: str = ""
    either: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildChoices:
    """What a CMake file compiles on which conditions, and which of those are for whoever builds to choose.

    `named` are sources, patterns of sources, and folders, which end in `/`, as the file spells them, each with what
    must hold for it: variables, or `NAME=VALUE`, outermost first. `declared` are the variables that can be chosen,
    `given` those that the file turns on, each with what must hold for that; `off` are options that are off by default.
    """

    named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    declared: tuple[str, ...] = ()
    given: tuple[tuple[str, tuple[str, ...]], ...] = ()
    off: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileEvidence:
    """What one file shows of a port.

    `hip` and `cuda` tell that it speaks HIP, or CUDA, outside of every conditional; `kernels` names the kernels it
    defines. `aliases` are CUDA names that it gives to HIP's, `stand_ins` what else it defines beside them. `includes`
    are the paths that it includes in the repository, `unknown` those in quotes that no file read is called. `asked` are
    the words of its conditions. `build` is the place that sets up HIP in a build file, `switches` the variables that
    turn it on, `cuda_switches` those that turn CUDA on, `sources` what it compiles, `folders` those that it enters,
    `hipifies` the line that runs hipify on what no one names, `hipified` the sources that it is run on by name,
    `extension` the one that has PyTorch build CUDA code, which renames it on ROCm. `configured` are the macros that a
    header is configured with, each with its line. `for_hip` are the sources that a build gives the language HIP, `*`
    for all that it names, behind `${NAME} ` where a variable holds the language; `languages` are those set to HIP.
    `asks` tells that code names a macro that is known to mark HIP. `guarded` are the includes
    that are in conditionals alone, each with those around it. `selects` are macros that choose one of their arguments.
    `drops` are arguments of CUDA's functions that its macros of these names leave out, as `cublasSetMathMode:1`.
    `renamed` are CUDA names that it gives to neither vendor, where they are several: those of a third one.
    `asks_build` is the first condition of a build file on a variable for HIP, which a library or its user may set.
    `probes` are the sources that a build file has compiled only to ask something. `for_cuda` are names of HIP's
    that it gives to CUDA's. `to_host` are the variables of a build file that hold options for the compiler of the
    host. `requires` are variables that a build file refuses where another is not set, each with that other. `choices`
    is what a CMake file compiles, with what must hold for it. `project`: what kind of one a build file begins.
    `builders` are classes that have PyTorch build extensions. `opens` are the directives by which names of CUDA's
    libraries go without their namespace, or under another: `using namespace cub;`.
    """

    path: str
    hip: bool = False
    cuda: bool = False
    kernels: tuple[str, ...] = ()
    branches: tuple[BranchEvidence, ...] = ()
    definitions: tuple[MacroDefinition, ...] = ()
    aliases: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()
    macros: tuple[BuildMacro, ...] = ()
    build: tuple[int, str] | None = None
    switches: tuple[str, ...] = ()
    cuda_switches: tuple[str, ...] = ()
    requires: tuple[tuple[str, str], ...] = ()
    sources: tuple[BuildSource, ...] = ()
    folders: tuple[BuildSource, ...] = ()
    hipifies: tuple[int, str] | None = None
    hipified: tuple[str, ...] = ()
    extension: tuple[int, str] | None = None
    configured: tuple[tuple[str, int, str], ...] = ()
    for_hip: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    asks: bool = False
    guarded: tuple[tuple[str, Conditions], ...] = ()
    selects: tuple[SelectingMacro, ...] = ()
    asks_build: tuple[int, str] | None = None
    renamed: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    for_cuda: tuple[str, ...] = ()
    to_host: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    choices: BuildChoices | None = None
    project: ProjectKind = ""
    builders: tuple[PythonBuilder, ...] = ()
    opens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PortGuard:
    """A macro or constant that tells HIP from CUDA, and the place that shows it.

    `defined`: conditions only ask whether it is defined.
    """

    name: str
    kind: GuardKind
    path: str
    line: int
    reason: str
    defined: bool = False

    @property
    def mark(self) -> str:
        """How conditions are evaluated with it: `NAME`, `?NAME` where it only implies HIP, `!NAME` for
        CUDA's, `-NAME` where it only implies CUDA."""
        return {"exact": "", "implies": "?", "cuda": "!", "implies-cuda": "-"}[self.kind] + self.name


_OF_HIP = (
    "?HIP_VERSION",
    "?HIP_VERSION_MAJOR",
    "?HIP_DISABLE_WARP_SYNC_BUILTINS",
    "?HIP_ENABLE_WARP_SYNC_BUILTINS",
    "-__HIP_PLATFORM_NVIDIA__",
    "-__HIP_PLATFORM_NVCC__",
)
"""Macros that HIP's headers define or ask, and nothing else: `hip_version.h`, `amd_warp_sync_functions.h`. The last two
are set where HIP's headers are NVIDIA's in disguise: no GPU of AMD's runs what they choose."""
_SEVERAL = 3
"""So many files for CUDA with an equivalent for HIP are no accident."""
_HANDLED = 0.5
"""Where fewer of the kernels are in files that know HIP, a port has only begun, and the rest is to be converted."""


@dataclass(frozen=True, slots=True)
class PortFacts:
    """The HIP port of a repository; without evidence of one, everything is empty.

    `shims` are the headers that give CUDA names to HIP's, `covered` those names, `through_shim` the files that see one.
    `hip_files` are written for AMD; `equivalents` gives for a file of the CUDA side the file that does its work for
    HIP, `lacking` for one that has none the folder that lacks it. `cuda_only` gives for a file that no build for HIP
    compiles the place that says so. `kernels` are those of the HIP side. `undefined` are macros of CUDA's own that
    nothing defines where HIP compiles. `known` are the files that have a branch for HIP, or include what has one.
    `build` are places that build for HIP, `hipify` those that rename CUDA names while building, `extensions` those
    where PyTorch's build does. `answered` are the files that know HIP, include what does, or have an equivalent.
    `written` tells that a branch for HIP speaks HIP; `handled` is the part of the kernels, 0 to 1, in files that have
    such a branch, a shim, or a header with one. `waves` are constants that are 64 for HIP and 32 for CUDA, with the
    place of the first; `seen_waves` gives for a file those of other files that have a meaning in it, as `^lib::kWarp`
    where a name must be qualified and as `^kWarp` where it need not. `selecting` are macros that give HIP one of their
    arguments and CUDA another: `@NAME:0` where HIP gets the first. `cuda_lines` are, for a file, the first and last
    lines of the macros that only CUDA's side uses. `valued` are macros of CUDA's own that have a number where HIP
    compiles, as `CUDA_VERSION=11000`; `dropped` are arguments that shims leave out of CUDA's functions, as
    `cublasSetMathMode:1`; `dropping` are further selecting macros, of which macros of CUDA's own decide. `probes` are
    the files that builds compile only to ask something, `unbuilt` those that none names where builds name each. `unset`
    are macros that conditions ask for and that nothing sets; `dead_lines` are, for a file, the first and last lines of
    branches that its own definitions rule out; `unread` gives for a header that HIP's side never includes a file that
    does elsewhere. `parts` gives for a lacking header that only lacking files include the outermost of these.
    `compiled` are the files that a build for HIP is seen to compile. `undecided` are the places of `cuda_only`, and
    files in `lacking`, of which it is not shown that HIP has nothing for them, and why not. `to_host` are the variables
    of builds whose options the compiler of the host gets. `aliased` has, for a file, the CUDA names that headers which
    are no shims, as they have one or two of them, give to HIP's in it. `hipified` are the sources that a build or a
    script runs hipify on by their names, each with that file; `hipify_folders` are the places of those that take all
    sources of a folder. `aside` are files that were left to CUDA by choice: they say nothing of the port. `passed_over`
    are files that an extension includes and PyTorch's build does not convert, or that no extension has. `kernel_build`
    says why the kernels are not PyTorch's to build, where all sources of its extensions are seen, else it is empty.
    `elsewhere` are sources with kernels that builds for HIP do not compile, though they compile those of another
    program. `links` are lines of builds with options that link a library for HIP too.
    """

    guards: tuple[PortGuard, ...] = ()
    shims: Mapping[str, int] = field(default_factory=dict)
    covered: frozenset[str] = frozenset()
    hip_files: frozenset[str] = frozenset()
    equivalents: Mapping[str, str] = field(default_factory=dict)
    build: tuple[tuple[str, int, str], ...] = ()
    hipify: tuple[tuple[str, int, str], ...] = ()
    extensions: tuple[tuple[str, int, str], ...] = ()
    written: bool = False
    handled: float = 1.0
    answered: frozenset[str] = frozenset()
    waves: Mapping[str, str] = field(default_factory=dict)
    through_shim: frozenset[str] = frozenset()
    kernels: frozenset[str] = frozenset()
    lacking: Mapping[str, str] = field(default_factory=dict)
    cuda_only: Mapping[str, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    undefined: tuple[str, ...] = ()
    selecting: tuple[str, ...] = ()
    cuda_lines: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    valued: tuple[str, ...] = ()
    dropping: tuple[str, ...] = ()
    seen_waves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    probes: frozenset[str] = frozenset()
    unbuilt: frozenset[str] = frozenset()
    unset: frozenset[str] = frozenset()
    dead_lines: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    compiled: frozenset[str] = frozenset()
    undecided: Mapping[str, UndecidedKind] = field(default_factory=dict)
    to_host: frozenset[str] = frozenset()
    aliased: Mapping[str, frozenset[str]] = field(default_factory=dict)
    hipified: Mapping[str, str] = field(default_factory=dict)
    hipify_folders: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()
    passed_over: frozenset[str] = frozenset()
    kernel_build: str = ""
    elsewhere: frozenset[str] = frozenset()
    links: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def is_port(self) -> bool:
        """Whether the repository has a HIP port: a build for HIP, or shims, and code that is written for it.

        An extension that PyTorch's build renames is none by that alone: its branches for HIP are respected, and all
        other code is converted as before, for what that build does not do. It is one where what builds it asks for
        ROCm itself, and code is written for that.
        """
        if self.extensions and not (self.shims or self.hip_files or self.hipify):
            own = {path for path, _, _ in self.extensions}
            return self.written and any(path in own for path, _, _ in self.build)
        return bool(self.hipify or self.hipify_folders) or (self.is_begun and self.handled >= _HANDLED)

    @property
    def is_begun(self) -> bool:
        """Whether code is written for HIP and something compiles it, for however little of the project.

        Kernels for HIP that do what several files for CUDA do are compiled, be it by a build that is not read; so is
        code with branches for HIP beside a header that gives CUDA's names to HIP's.
        """
        written = bool(self.written or self.hip_files or self.shims or self.hipified)
        sides = len(self.equivalents) >= _SEVERAL and bool(self.kernels)
        shimmed = bool(self.shims) and bool(self.guards or self.written)
        return written and (bool(self.build) or shimmed or sides)

    @property
    def renames(self) -> bool:
        """Whether the build renames what hipify knows."""
        return bool(self.hipify or self.extensions)

    @property
    def marks(self) -> tuple[str, ...]:
        """The guards as conditions are evaluated with them; in a port, which HIP compiles as it is, CUDA's own too."""
        own = (*(f"-{name}" for name in self.undefined), *self.valued, *self.dropping, *_OF_HIP) if self.is_port else ()
        found = [guard.mark for guard in self.guards]
        return (*found, *(mark for mark in own if mark not in found), *self.selecting)


@dataclass(frozen=True, slots=True)
class PortSummary:
    """The HIP port that a repository has, as reports show it. Places are written `path:line`.

    `kernels` counts its CUDA kernels, `ported` those that no gap is seen in: of a file with gaps
    as many are not as it has lines with one; nor are those that were left to CUDA by choice, nor those in
    `unseen`: files with places of CUDA's that nothing shows to be compiled for HIP, or to have an equivalent that is.
    `covered` counts the findings that the port answers, by how it does; `gaps` counts those that are left. `unproven`
    has places that would be gaps if HIP compiled them so, which nothing shows: by what is not shown, `path:line rule`.
    """

    guards: tuple[PortGuard, ...]
    shims: tuple[str, ...]
    builds: tuple[str, ...]
    hipify: tuple[str, ...]
    kernels: int
    ported: int
    covered: Mapping[str, int]
    gaps: int
    unproven: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The part of the kernels without a gap, 0 to 1; 1 where there is none."""
        return self.ported / self.kernels if self.kernels else 1.0

    @property
    def doubts(self) -> str:
        """How many places are not shown to fail with HIP, by what is not shown: the most first."""
        counts = sorted((-len(places), why) for why, places in self.unproven.items())
        return "; ".join(f"{-count:,} {why}" for count, why in counts)

    @property
    def whole(self) -> bool:
        """Whether nothing is left to be ported."""
        return not self.gaps
