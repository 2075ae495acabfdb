"""Every type that travels between stages.

Comes in: nothing. Goes out: frozen dataclasses and the closed sets of words that code, rules, JSON and the
command line share. This module imports the standard library only.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from migrate.estimates import Estimate, FileClues
    from migrate.lanefacts import LaneFacts, LaneFunction

Support = Literal["full", "partial", "manual", "none"]
"""How well HIP covers a construct."""
Outcome = Literal["compile-error", "wrong-result", "slower", "fine"]
"""What happens on AMD when the construct is left as it is."""
Certainty = Literal["token", "syntax", "resolved"]
"""What a finding rests on: the token alone, the syntax tree, or resolved types and declarations."""
Safety = Literal["safe", "unsafe", "suggestion"]
"""May a fix be applied unasked (safe), when asked (unsafe), or never by the tool (suggestion)."""
Effort = Literal["none", "trivial", "small", "medium", "large", "redesign"]
"""Hand work left per occurrence once the fix, if any, has been applied."""
Scope = Literal["host", "device", "macro", "unknown"]
"""Where a use stands; `device` covers `__global__` and `__device__` functions."""
UseKind = Literal[
    "call", "name", "namespace", "include", "launch", "asm", "paste", "import", "option", "package", "string"
]
"""What a use is in the source: see `Use`. Beside the code, `name` is also a command, a variable, an image or a key."""
MatchKind = Literal["name", "namespace", "include", "family", "detector", "option", "package"]
ChangeKind = Literal["none", "rename", "template", "include", "needs", "rewrite"]

SUPPORTS: tuple[Support, ...] = ("full", "partial", "manual", "none")
OUTCOMES: tuple[Outcome, ...] = ("compile-error", "wrong-result", "slower", "fine")
CERTAINTIES: tuple[Certainty, ...] = ("token", "syntax", "resolved")
SAFETIES: tuple[Safety, ...] = ("safe", "unsafe", "suggestion")
EFFORTS: tuple[Effort, ...] = ("none", "trivial", "small", "medium", "large", "redesign")
GROUPS: tuple[str, ...] = (
    "api",
    "warp",
    "ptx",
    "cooperative-groups",
    "memory",
    "launch",
    "math",
    "texture",
    "library",
    "build",
    "packages",
    "python",
    "triton",
    "environment",
)
"""The first half of every rule id."""

PARTS: tuple[str, ...] = ("code", "python", "build", "packages", "environment")
"""The parts of a repository that are changed one by one, in the order in which a branch gets its commits."""

REPORT_SCHEMA = "cudamigrate-report/1"
"""Name and version of the JSON report format."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of byte offsets in the original file."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """True when the two ranges share a byte, or one is an insertion strictly inside the other."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place as an editor shows it: line and column count from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as read: `path` is relative to the scanned root, in POSIX form; `data` is never changed."""

    path: str
    data: bytes
    language: str
    _starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    def text(self, span: Span) -> str:
        """The characters of `span`; bytes that are not UTF-8 are read as Latin-1."""
        raw = self.data[span.start : span.end]
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    def line_starts(self) -> list[int]:
        """Byte offset of the first byte of each line (LF, CRLF; a lone CR does not end a line)."""
        if not self._starts:
            starts, at = [0], self.data.find(b"\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.data.find(b"\n", at + 1)
            self._starts.extend(starts)
        return self._starts

    def position(self, offset: int) -> Position:
        """Line and column of a byte offset; a leading byte-order mark takes no column."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        start = starts[line - 1]
        if line == 1 and self.data.startswith(b"\xef\xbb\xbf"):
            start = min(3, offset)
        return Position(line, len(self.text(Span(start, offset))) + 1)

    def line(self, number: int) -> str:
        """Text of line `number` (from 1) without its line end."""
        starts = self.line_starts()
        end = starts[number] if number < len(starts) else len(self.data)
        return self.text(Span(starts[number - 1], end)).rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Use:
    """One occurrence of something CUDA.

    `name` is the name as rules spell it (qualified names with `::`); `span` covers the token to rename, `extent`
    the whole construct (a call with its arguments), `args` the arguments of a call or launch. `enclosing` is the
    `::`-joined namespace and class path around the use.
    """

    kind: UseKind
    name: str
    span: Span
    extent: Span
    args: tuple[Span, ...] = ()
    scope: Scope = "unknown"
    certainty: Certainty = "token"
    enclosing: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """A CUDA-like name that the repository itself defines; `enclosing` is its namespace or class, empty if global.

    `fallback` marks a definition that only some builds see: it stands in for CUDA's own where CUDA is absent.
    """

    name: str
    enclosing: str
    fallback: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes of `span` by `replacement`; an empty span inserts."""

    span: Span
    replacement: bytes


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that succeed or fail together, with those of the other fixes of their file that name the same group.

    `relies` names what other files may define otherwise than the fix takes for granted: constants and functions.
    """

    edits: tuple[Edit, ...]
    safety: Safety
    group: str = ""
    relies: tuple[str, ...] = ()

    @property
    def start(self) -> int:
        """Offset of the first byte the fix touches."""
        return min(edit.span.start for edit in self.edits)

    @property
    def end(self) -> int:
        """Offset just after the last byte the fix touches."""
        return max(edit.span.end for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Match:
    """What a rule applies to: names, namespaces or includes as spelled, prefixes of names, or a detector's hits.

    `languages` are those whose files it is looked for in; empty for the C++ code, and for options and packages, which
    are the same everywhere.
    """

    kind: MatchKind
    names: tuple[str, ...]
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule does: `text` holds the new name, templates of which the first that fits counts, the include lines,
    the headers to have, or the rewrite's name."""

    kind: ChangeKind
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A rule's own test: the source, the texts it finds, and the source after its safe and unsafe fixes.

    `path` is the name of the file that it stands for, which decides its language; empty for CUDA code. `wave` is what
    is asked for of code for warps; empty for what is done unasked.
    """

    before: str
    finds: tuple[str, ...]
    after: str | None = None
    path: str = ""
    wave: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the rule base; pure data.

    `message` may hold `{text}` (the source found) and `{name}` (the name matched). `since` is the first ROCm
    release that has the counterpart, empty where not known. `arch` are the GPUs that it is for, as the file spells
    them; empty for all. `origin` names the rule file, `listed` the file that holds the names of a family. `silent`
    marks names that HIP spells alike: they are known, and never reported.
    """

    id: str
    title: str
    match: Match
    support: Support
    outcome: Outcome
    change: Change
    safety: Safety
    effort: Effort
    message: str
    notes: str = ""
    since: str = ""
    includes: tuple[str, ...] = ()
    library: str = ""
    examples: tuple[Example, ...] = ()
    formerly: tuple[str, ...] = ()
    arch: tuple[str, ...] = ()
    origin: str = ""
    listed: str = ""
    silent: bool = False

    @property
    def group(self) -> str:
        """The part of the id before the slash."""
        return self.id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Hit:
    """What a detector returns: the id of its rule, the use it found, and words for the rule's message."""

    rule: str
    use: Use
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about one place. Plain data: safe to send between processes and to write as JSON.

    `before` holds the source lines of the place, and `after` what its fix alone makes of them: nothing where there is
    no fix, and where the fix takes the line out or stands elsewhere.
    """

    rule: str
    path: str
    span: Span
    position: Position
    end: Position
    excerpt: str
    message: str
    support: Support
    outcome: Outcome
    certainty: Certainty
    effort: Effort
    fix: Fix | None = None
    name: str = ""
    enclosing: str = ""
    ordinal: int = 0
    before: str = ""
    after: str = ""

    @property
    def group(self) -> str:
        """The part of the rule id before the slash."""
        return self.rule.partition("/")[0]

    @property
    def automatic(self) -> bool:
        """True when `apply` settles the finding unasked and leaves no hand work."""
        return self.fix is not None and self.fix.safety == "safe"

    @property
    def fingerprint(self) -> str:
        """Stable across edits elsewhere in the file: hashes path, rule, excerpt and ordinal, not line numbers."""
        key = "\0".join((self.path, self.rule, self.excerpt, str(self.ordinal)))
        return hashlib.sha256(key.encode(errors="backslashreplace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Skip:
    """A file or fix that was left out, and why; `kind` is a short word for grouping."""

    path: str
    kind: str
    reason: str

    @property
    def notice(self) -> bool:
        """Whether no file is amiss: a link, a submodule that is not there, a tree without git, types not known."""
        return self.kind in ("link", "git", "submodule", "resolve")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file that discovery chose, not yet read. `size` is in bytes."""

    path: str
    language: str
    size: int


@dataclass(frozen=True, slots=True)
class Inventory:
    """What discovery saw: the files to read, what was skipped, and how many files each vendored folder holds."""

    root: str
    entries: tuple[FileEntry, ...]
    skipped: tuple[Skip, ...] = ()
    vendored: Mapping[str, int] = field(default_factory=dict)
    submodules: tuple[str, ...] = ()
    ignored: int = 0
    other: int = 0


@dataclass(frozen=True, slots=True)
class FileResult:
    """What the per-file function returns. `ported` counts the regions already written for HIP, `kernels` the kernels.

    `builds` says what a build file sets up: `cuda`, `hip`, and `project` where it is the root of one. `clues` are
    there where an estimate is asked for, of files that show any. `otherwise` is what to take in its place where other
    files do not bear out that its functions may follow the wave. `lane_functions` are told once all files are read.
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
    builds: frozenset[str] = frozenset()
    clues: FileClues | None = None
    otherwise: FileResult | None = None
    lane_functions: tuple[LaneFunction, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversion:
    """One file after its fixes, those applied in file order; `rejected` names those that were not, with the reason.

    `part` is what of a repository the file belongs to: see `PARTS`.
    """

    path: str
    before: bytes
    after: bytes
    fixes: tuple[Fix, ...]
    rejected: tuple[tuple[Finding, str], ...] = ()
    skip: Skip | None = None
    part: str = PARTS[0]

    @property
    def applied(self) -> int:
        """How many fixes were applied."""
        return len(self.fixes)


@dataclass(frozen=True, slots=True)
class Target:
    """What the migration aims at: the ROCm release and architectures, and the CUDA release the source is for.

    `wave` says what becomes of code for warps of 32 lanes: `logical32` keeps groups of 32, `native` writes the
    whole wave where that is proved.
    """

    rocm: str = "10.1"
    cuda: str = "13.0"
    arch: tuple[str, ...] = ("gfx90a", "gfx942")
    wave: str = "logical32"


@dataclass(frozen=True, slots=True)
class Repository:
    """What was scanned; `commit` and `branch` are empty outside git."""

    root: str
    name: str
    commit: str = ""
    branch: str = ""
    dirty: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """All that a renderer may know."""

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


def release(version: str) -> tuple[int, ...]:
    """A release as numbers that compare: '7.13' is newer than '7.2'."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def numbered(findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
    """Pair each finding with how many before it share its path, rule and excerpt."""
    seen: dict[tuple[str, str, str], int] = {}
    pairs = []
    for finding in findings:
        key = (finding.path, finding.rule, finding.excerpt)
        pairs.append((finding, seen.get(key, 0)))
        seen[key] = seen.get(key, 0) + 1
    return pairs


JsonValue = Any  # what `json.dumps` accepts
