"""A rule, its parts, and the target that it is read for."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.vocabulary import ChangeKind, Effort, MatchKind, Outcome, Safety, Support


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
    release that has the equivalent, empty where not known. `arch` are the GPUs that it is for, as the file spells
    them; empty for all. `ignored` are options that clang ignores where it only compiles, with their arguments, and
    `*` for what may follow. `once` says that what it finds in one function is one finding. `origin` names the rule
    file, `listed` the file that holds the names of a family. `silent` marks names that HIP spells alike: they are
    known, and never reported. `hints` say by names, or by what these have behind their last `_`, what `{hint}` of the
    message is; one that ends in `*` is for all that begin so. `null` is the number of the argument that must be a null
    pointer, so that an unsafe change is a safe one.
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
    ignored: tuple[str, ...] = ()
    once: bool = False
    undeclared: tuple[str, ...] = ()
    null: int = 0
    hints: tuple[tuple[str, str], ...] = ()

    def hint(self, name: str) -> str:
        """What is said of a name in particular; empty for one that no hint is for."""
        words = name, name.rpartition("_")[2]
        for known, text in self.hints:
            begin = known.removesuffix("*")
            if known in words or (begin != known and any(word.startswith(begin) for word in words)):
                return text
        return ""

    @property
    def group(self) -> str:
        """The part of the id before the slash."""
        return self.id.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Target:
    """What the migration aims at: the ROCm release and architectures, and the CUDA release the source is for.

    `wave` says what becomes of code for warps of 32 lanes: `logical32` keeps groups of 32, `native` writes the
    full wavefront where that is proved.
    """

    rocm: str = "10.1"
    cuda: str = "13.0"
    arch: tuple[str, ...] = ("gfx90a", "gfx942")
    wave: str = "logical32"
