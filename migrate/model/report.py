"""What becomes of files: the result of one, of a conversion, and the report on all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model.finding import Finding, Fix, Suppression
from cudamigrate.model.rule import Rule, Target
from cudamigrate.model.source import Definition
from cudamigrate.model.vocabulary import LOOKED_AT, NO_CUDA_NAMED, PARTS
from cudamigrate.model.warp_graph import FileGraph

if TYPE_CHECKING:
    from cudamigrate.model.estimate import Estimate, FileClues
    from cudamigrate.model.execution import Execution
    from cudamigrate.model.lane_facts import LaneFacts, LaneFunction
    from cudamigrate.model.port_facts import PortSummary
    from cudamigrate.model.verification import Cause, CudaPath, Missing, Word


_NOTICES = ("link", "git", "submodule", "resolve", "copy", "language", "aside", "ignored", "generated", "toolkit")


@dataclass(frozen=True, slots=True)
class Skip:
    """A file or fix that was left out, and why; `kind` is a short word for grouping."""

    path: str
    kind: str
    reason: str

    @property
    def notice(self) -> bool:
        """Whether no file is amiss: links, copies, a missing submodule or git, types and languages not known.

        Nor is one that was set aside or generated.
        """
        return self.kind in _NOTICES


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file that discovery chose, not yet read. `size` is in bytes."""

    path: str
    language: str
    size: int


@dataclass(frozen=True, slots=True)
class Inventory:
    """What discovery saw: the files to read, what was skipped, and how many files each vendored folder holds.

    `configuring` are files of no known language that a build may be configured with: templates and scripts.
    `passed_over` are the C++ and CUDA files in vendored folders, `scripts` those of CMake in such folders without any
    code. `languages` counts files of languages that call CUDA by bindings and have no reader here, and `bound` are
    their paths. `naming` are files
    of no known language that may name a macro of the build, as documentation does. `modules` are files of NVIDIA's
    machine code and compiled libraries, `unnamed` those of no known language with an ending of code before their
    last: `kernels.cu.tmpl`.
    `toolkit` are those of `passed_over` that are copies of NVIDIA's own headers.
    """

    root: str
    entries: tuple[FileEntry, ...]
    skipped: tuple[Skip, ...] = ()
    vendored: Mapping[str, int] = field(default_factory=dict)
    submodules: tuple[str, ...] = ()
    ignored: int = 0
    other: int = 0
    configuring: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    toolkit: tuple[str, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileResult:
    """What the per-file function returns. `ported` counts the regions already written for HIP, `kernels` the kernels,
    `programs` the functions called main.

    `builds` says what a build file sets up: `cuda`, `hip`, and `project` where it is the root of one. `clues` are
    set for an estimate, for files that have any. `logical_result` is the result for logical warps of 32 lanes: it
    replaces this one where other files contradict that the file's functions may use the full wavefront.
    `lane_functions` are set once all files are read. `graph` is its device code, for facts that need several files.
    `enclosed` has what includes inside of a scope spell: in a linkage block, a namespace, a class or a function.
    `absent` says why a HIP port has nothing of the file, which is then one gap, and `belongs` which file it goes with.
    `chosen` is what must be chosen in the build, as options or macros, for the file to be compiled at all. An
    `unincluded` header has something to do manually, and no source of the repository includes it. `shuffles`:
    macros in it may call HIP's shuffle without a mask, `__shfl(`. `shifts` has the
    constants by which its device code, or its macros, may shift.
    """

    path: str
    language: str
    lines: int
    size: int
    cuda: bool
    findings: tuple[Finding, ...] = ()
    definitions: tuple[Definition, ...] = ()
    ported: int = 0
    skip: Skip | None = None
    lanes: LaneFacts | None = None
    kernels: int = 0
    programs: int = 0
    builds: frozenset[str] = frozenset()
    clues: FileClues | None = None
    logical_result: FileResult | None = None
    lane_functions: tuple[LaneFunction, ...] = ()
    graph: FileGraph | None = None
    suppressions: tuple[Suppression, ...] = ()
    enclosed: tuple[str, ...] = ()
    absent: str = ""
    belongs: str = ""
    chosen: frozenset[str] = frozenset()
    unincluded: bool = False
    shuffles: bool = False
    shifts: frozenset[bytes] = frozenset()

    @property
    def lacking(self) -> int:
        """How many of its kernels, at most, do not compile for HIP or compute something else: a place is in one."""
        if self.absent:
            return self.kernels if self.findings else 0
        serious = ("compile-error", "wrong-result")
        places = (one for one in self.findings if one.outcome in serious and one.effort not in ("none", "trivial"))
        return min(self.kernels, len({one.position.line for one in places}))


@dataclass(frozen=True, slots=True)
class Conversion:
    """One file after its fixes, those applied in file order; `rejected` names those that were not, with the reason.

    `part` is what of a repository the file belongs to: see `PARTS`. `built` is there where `after` was not made by
    `fixes` as they are: in portable style, where `written` did. `by_build` are those of them that changed nothing in
    the file: PyTorch's build makes them, or they are there.
    """

    path: str
    before: bytes
    after: bytes
    fixes: tuple[Fix, ...]
    rejected: tuple[tuple[Finding, str], ...] = ()
    skip: Skip | None = None
    part: str = PARTS[0]
    built: Conversion | None = None
    written: tuple[Fix, ...] = ()
    by_build: frozenset[Fix] = frozenset()

    @property
    def made_by(self) -> tuple[Fix, ...]:
        """The edits that make `after` of `before`: in portable style others than the fixes that were applied."""
        return self.fixes if self.built is None else self.written

    @property
    def as_built(self) -> Conversion:
        """The file as HIP's compiler gets it, with the edits that made it: PyTorch's build renames once more."""
        return self.built or self

    @property
    def applied(self) -> int:
        """How many fixes were applied."""
        return len(self.fixes)


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a branch: its message, and the new bytes of the files that it changes, by path."""

    message: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Repository:
    """What was scanned; `commit` and `branch` are empty outside git, `url` where no remote is called origin."""

    root: str
    name: str
    commit: str = ""
    branch: str = ""
    dirty: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """How `apply` writes: `name` is `hip` for HIP sources, `portable` for one source that builds for both.

    `reason` says in words why. `guard` is the macro that is defined for HIP alone; `extension` tells that PyTorch's
    build renames CUDA's names itself.
    """

    name: Literal["hip", "portable"]
    reason: str
    guard: str = "__HIP_PLATFORM_AMD__"
    extension: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """What was shown of converted code without a GPU. `types` counts files by the verdict of the type check, and is
    empty where there was none, `engine` is what judged them, and `runs` what running the programs showed, if they ran.

    `arch` are the GPUs it was judged for. `causes` are the complaints for which files fail, `missing` why others could
    not be judged, each once; `said` is both in lines for a reader, or the line that says why nothing was judged.
    """

    types: Mapping[Word, int]
    engine: str = ""
    runs: Execution | None = None
    arch: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All that a renderer may know. `port` is there where the repository already has a port to HIP, `proof` where what
    was made of it has been checked or run.

    `style` is there where files were converted, `cuda_path` where what CUDA compiles was compared too.
    `date` is the day of the scan (ISO) and `command` what was run; both are empty where nobody said them.
    `trend` says what changed since an earlier report, where one was given.
    `suppressed` are the fingerprints of findings that comments in the code suppress; they are not among `findings`.
    `needed_submodules` are those of `submodules` whose headers files with CUDA include, with the number of these files,
    or that a build enters which sets something up for CUDA where no file that was read has any;
    and `needed_dependencies` the projects that a build or a script fetches, in the same way.
    """

    version: str
    repository: Repository
    target: Target
    files: tuple[FileResult, ...]
    findings: tuple[Finding, ...]
    skipped: tuple[Skip, ...]
    vendored: Mapping[str, int]
    submodules: tuple[str, ...]
    rules: Mapping[str, Rule]
    seconds: float = 0.0
    estimate: Estimate | None = None
    port: PortSummary | None = None
    style: Style | None = None
    cuda_path: CudaPath | None = None
    suppressed: tuple[str, ...] = ()
    proof: Proof | None = None
    date: str = ""
    command: str = ""
    trend: str = ""
    needed_submodules: Mapping[str, int] = field(default_factory=dict)
    needed_dependencies: Mapping[str, int] = field(default_factory=dict)

    @property
    def unread(self) -> int:
        """How many files could not be read, so that nothing is known of them."""
        return sum(not skip.notice for skip in self.skipped)

    @property
    def unread_languages(self) -> Sequence[str]:
        """The languages that have no reader, and of which a file names CUDA."""
        found = (skip for skip in self.skipped if skip.kind == "language" and skip.reason != NO_CUDA_NAMED)
        return [skip.path.partition(" ")[2] for skip in found]

    @property
    def glanced(self) -> Mapping[str, int]:
        """How many files of each language use CUDA and are not read further, where they are most files that use it."""
        names = {language: name for name, language in LOOKED_AT.items()}
        found = Counter(names[file.language] for file in self.files if file.language in names and file.findings)
        return found if found.total() > sum(file.cuda for file in self.files) else {}
