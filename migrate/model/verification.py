"""The types of verification: what is checked, with what, and what was said of it.

Result: frozen dataclasses that travel between processes. Paths are relative to the root of the tree in POSIX form, or
absolute where a file lies outside it. Lines and columns count from 1.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TypeAlias

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

Side = Literal["device", "host"]
"""The two passes of a HIP compiler over one file."""
Language = Literal["hip", "cuda"]
"""What a file is compiled as: converted code, or code as it was."""
Kind = Literal["error", "missing-header", "stand-in", "mask", "asm"]
"""What a diagnostic says: an error of the compiler's, a header that is not there, an error that an incomplete stand-in
header may have caused, a lane mask cut to 32 bits, or assembly for NVIDIA's GPUs left in code for AMD's."""
Word = Literal["checked", "declarations", "unresolved", "failed"]
"""The verdict on a file: it type-checks; it does, against declarations of ours in place of a library's own headers;
a header is not available, so nothing is proved; it does not compile."""

NOWHERE = ("use of undeclared identifier", "unknown type name")
"""How clang says that no declaration of a name was read; of one that is a member of something else it says more."""
UNDECLARED = re.compile(rf"(?:{'|'.join(NOWHERE)}) '(\w+)'")
"""The name in it; `; did you mean 'hipMalloc'?` may follow."""
UNFORESEEN = "verify/unforeseen"
"""The rule of complaints that no finding foresaw."""
PASSED_OVER = "build/vendored-include"
"""The rule of CUDA code in vendored folders that the project's own code includes."""

BROKEN = " cannot be read by the type check's compiler"
"""How the reason ends that keeps a file from being judged, where a header is there and the engine refuses it."""
OUTSIDE = "the installed header "
"""How it begins: the header is none of the tree's, and no fault of its code."""
OF_MACRO = ", in a header that reads this macro in the place of a name of its own"
"""Ends what is said of an error in a header outside of the tree, at a macro of the tree."""
OUT_OF_TIME = "left out: the time given by --verify-time was over"
"""Why a file was not judged that had its turn too late."""

_MEANING: Mapping[Word, tuple[str, str]] = {
    "checked": ("type-checks", "type-check"),
    "declarations": (
        "type-checks against declarations, not the libraries' own headers",
        "type-check against declarations, not the libraries' own headers",
    ),
    "unresolved": (
        "is not judged: a header is not installed, the file cannot be read, or no time was left",
        "are not judged: a header is not installed, the file cannot be read, or no time was left",
    ),
    "failed": ("does not compile", "do not compile"),
}
WORDS: tuple[Word, ...] = tuple(_MEANING)


def meaning(word: Word, files: int) -> str:
    """What a verdict says of so many files, behind their number: `1 type-checks`, `3 type-check`."""
    one, several = _MEANING[word]
    return one if files == 1 else several


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint. `notes` are the places that led there, innermost first; `header` is the one that is missing.
    `included` are the places of the includes that brought the file of the complaint in, innermost first.

    `rule` is the id of the finding at its place, empty where there is none; `foreseen` is False where no finding said
    that a manual change is needed; `advice` is what the finding says to do. `origin` is the place in the file as it
    was before conversion, None where the complaint is about a file that was not converted.

    `before` is true where the original has the same error at that place.

    `said` are the words of notes that say why candidates are none, where all `notes` do. `apart` tells what an error
    has to do with headers that are missing in its pass: it came `before` the first, or is the pass's first and of
    `syntax`. It is `certain` where it is one whatever such a header holds.
    """

    kind: Kind
    place: Place
    message: str
    side: Side
    arch: str = ""
    header: str = ""
    notes: tuple[Place, ...] = ()
    rule: str = ""
    foreseen: bool = False
    origin: Place | None = None
    advice: str = ""
    included: tuple[Place, ...] = ()
    said: tuple[str, ...] = ()
    apart: Literal["", "before", "syntax"] = ""
    certain: bool = False
    before: bool = False


@dataclass(frozen=True, slots=True)
class Flags:
    """How one file is compiled: the C++ standard, macros, and absolute include folders, with where that is from.

    `after` are those of the folders that no build file names: they are searched last, and hide no header. `named` is
    the newest standard that build files name, where it is older than the one that is taken. `forced` are absolute
    paths of headers that options include before the file. `language` are options by which more code compiles, as clang
    takes them: `-ftemplate-depth=2048`. `demanded` are those of the macros that the code asks for and no build file
    gives: they are defined, and their values are not known.
    """

    standard: str
    defines: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    source: str = ""
    after: tuple[str, ...] = ()
    named: str = ""
    forced: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    demanded: tuple[str, ...] = ()

    @property
    def macros(self) -> frozenset[str]:
        """The names of the macros that are defined."""
        return frozenset(define.partition("=")[0] for define in self.defines)

    @property
    def words(self) -> tuple[str, ...]:
        """Folders, macros and options, as a key of what a compiler says."""
        forced = (f"-include{one}" for one in self.forced)
        return (*self.includes, "", *self.after, *self.defines, *forced, *self.language)


@dataclass(frozen=True, slots=True)
class Unit:
    """One file to check. `overlay` names a file that maps converted files over the ones on disk, or is empty.

    `preamble` is the path, without the ending for a pass, of precompiled headers that the file begins with, or empty.
    A file for the `host` is C++, or C by its ending, that the build gives the host's compiler: it has one pass, and no
    `arch`.
    """

    path: str
    root: str
    flags: Flags
    arch: tuple[str, ...]
    language: Language = "hip"
    overlay: str = ""
    preamble: str = ""
    host: bool = False

    @property
    def in_c(self) -> bool:
        """Whether the host's compiler reads it as C, and not by a compiler of C++ alone."""
        return self.host and self.path.endswith(".c") and "++" not in self.flags.standard


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler front end and the headers it reads.

    `title` is for readers, `release` the HIP release of the headers. `headers` are the folders of the real headers,
    `declarations` those of ours, searched after them. `first` is what CUDA code includes before all else, empty for
    clang's own choice. `key` changes whenever an answer may.
    """

    engine: str
    title: str
    release: str
    headers: tuple[str, ...]
    arch: tuple[str, ...]
    declarations: tuple[str, ...] = ()
    program: str = ""
    key: str = ""
    first: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """What an engine says of one unit: its diagnostics and the absolute paths of all files it read.

    `left_out` says why a unit has no answer, where it has none: the time was over, or the engine did not survive it.
    It is `partial` where the pass for the host was not made, because it could not change the verdict.
    """

    diagnostics: tuple[Diagnostic, ...]
    read: tuple[str, ...] = ()
    seconds: float = 0.0
    cached: bool = False
    left_out: str = ""
    partial: bool = False

    def inside(self, root: str) -> frozenset[str]:
        """The files read that are below the tree's absolute root, relative to it."""
        base = os.path.join(os.path.abspath(root), "")
        paths = (path for path in map(os.path.abspath, self.read) if path.startswith(base))
        return frozenset(path[len(base) :].replace(os.sep, "/") for path in paths)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one file. `headers` are those not available, or for `declarations` those of ours that it used.
    A file that failed may lack some beside.

    `original` is the verdict on the file as it was, for one that failed and where CUDA's headers are available. `named`
    is the C++ standard that the project's build files name, where the file was judged by a newer one.

    `given` is the macro, with the line that asks for it, that the file was judged with because it has no HIP code
    without. `skipped` are conditions that do not hold, each with how many lines of GPU code no pass compiles for it,
    and `skipped_host` the same of lines of the host's code that call HIP.
    """

    path: str
    word: Word
    diagnostics: tuple[Diagnostic, ...] = ()
    headers: tuple[str, ...] = ()
    flags: str = ""
    seconds: float = 0.0
    cached: bool = False
    original: Word | Literal[""] = ""
    named: str = ""
    given: str = ""
    skipped: tuple[tuple[str, int], ...] = ()
    skipped_host: tuple[tuple[str, int], ...] = ()


Unseen: TypeAlias = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
"""Files, each with conditions that hold in no pass, and how many lines are behind each."""


@dataclass(frozen=True, slots=True)
class Verification:
    """All verdicts of a run, sorted by path; `absent` says why nothing could be checked, and is empty otherwise.

    `unread` are build files that could not be read, with the reason: what they say of flags is not known. `empty` are
    files with how many kernels do nothing on AMD, because a test leaves out all that is in them. `late` are files that
    failed and whose originals no time was left to check. `unseen` are headers with conditions that hold in no unit,
    each with how many lines no pass compiles for it: of GPU code, and of the host's code that calls HIP.
    """

    toolchain: Toolchain | None
    verdicts: tuple[Verdict, ...] = ()
    arch: tuple[str, ...] = ()
    absent: str = ""
    seconds: float = 0.0
    reverted: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    empty: tuple[tuple[str, int], ...] = ()
    late: tuple[str, ...] = ()
    unseen: tuple[Unseen, Unseen] = ((), ())


@dataclass(frozen=True, slots=True)
class Cause:
    """One distinct complaint: its first place, at how many places it is made, and the files that it stops.

    `rule` is the finding that foresaw it or whose fix is at its place, `advice` what that finding says to do. `before`
    is true where the originals of all files have it as well.
    """

    kind: Kind
    message: str
    place: Place
    places: int
    files: tuple[str, ...]
    rule: str = ""
    foreseen: bool = False
    advice: str = ""
    side: str = ""
    before: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Why files could not be judged: a header or library that is missing, or (`header` False) another reason."""

    what: str
    files: tuple[str, ...]
    header: bool = True


@dataclass(frozen=True, slots=True)
class Difference:
    """The first token in which what CUDA compiles of a file differs: its place before and after, and the two lines.

    `side` is the pass that shows it, empty where the text alone does.
    """

    before: Place
    after: Place
    was: str
    now: str
    side: Side | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class CudaPath:
    """Whether a change leaves what CUDA compiles as it was, by its tokens.

    `files` were changed, `units` were preprocessed with CUDA's headers in `passes` passes. `absent` says why none were
    preprocessed, `left` names the files that were not, for lack of time.
    """

    files: int
    units: int = 0
    passes: int = 0
    toolchain: str = ""
    differences: tuple[Difference, ...] = ()
    absent: str = ""
    left: tuple[str, ...] = ()

    @property
    def unchanged(self) -> bool:
        """Whether no token differs."""
        return not self.differences
