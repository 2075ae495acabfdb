"""A finding, its fix, and the edits of the fix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model.source import Position, Span, Use
from cudamigrate.model.vocabulary import Certainty, Effort, Outcome, Resolution, Safety, Support

SUPPRESSES = "cudamigrate:"
"""What every comment holds that suppresses findings."""


class Step(NamedTuple):
    """One step of a chain of facts: what was seen in a line of a file."""

    path: str
    line: int
    text: str


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
class Hit:
    """What a detector returns: the id of its rule, the use it found, words for the message, and its chain of facts.

    `facts` are what passes over all findings need to know of it, by name.
    """

    rule: str
    use: Use
    words: Mapping[str, str] = field(default_factory=dict)
    trace: tuple[Step, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about one place. Plain data: safe to send between processes and to write as JSON.

    `before` holds the source lines of the place, and `after` what its fix alone makes of them: nothing where there is
    no fix, and where the fix takes the line out or is elsewhere. `above` and `below` are the lines around them.
    `switches` are the macros without which the place is not compiled; `unconditional` tells that HIP compiles it
    wherever it compiles the file: other macros do not decide on it, and it is in no macro's body. `trace` is the chain
    of facts that it follows from, where there is more than the place itself. `facts` are what later passes need to know
    of it, by name: they are in no report.
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
    trace: tuple[Step, ...] = ()
    above: str = ""
    below: str = ""
    switches: tuple[str, ...] = ()
    unconditional: bool = True
    facts: tuple[tuple[str, str], ...] = ()

    def fact(self, name: str) -> str | None:
        """One of its facts; None where it has none of the name."""
        return next((value for known, value in self.facts if known == name), None)

    @property
    def group(self) -> str:
        """The part of the rule id before the slash."""
        return self.rule.partition("/")[0]

    @property
    def automatic(self) -> bool:
        """True when `apply` fixes the finding by default and leaves no manual work."""
        return self.fix is not None and self.fix.safety == "safe"

    @property
    def resolution(self) -> Resolution:
        """How the finding is fixed; each is in exactly one of these ways.

        `fine` is what works as it is and costs nothing: it is counted and not listed.
        """
        if self.fix is not None and self.fix.safety != "suggestion":
            return "automatic" if self.fix.safety == "safe" else "review"
        return "fine" if self.outcome == "fine" and self.effort == "none" else "manual"

    def without_fix(self, effort: Effort = "trivial") -> Finding:
        """The finding as manual work, where its fix is not made; what works as it is needs none of it all the same."""
        least: Effort = self.effort if self.outcome == "fine" else effort
        return replace(self, fix=None, after="", support="manual", effort=least)

    @property
    def is_work(self) -> bool:
        """Whether it asks for manual work that counts in the estimate."""
        return self.resolution == "manual" and self.effort != "none"

    @property
    def is_remark(self) -> bool:
        """Whether it says only that code is slower, and changes nothing: what is not compiled costs nothing."""
        return self.outcome == "slower" and self.effort == "none" and self.fix is None

    def without_work(self, why: str) -> Finding:
        """The finding as no work, with a sentence that says why: no build here has what it is about."""
        return replace(self, effort="none", certainty="token", message=f"{self.message} {why}")

    @property
    def relies(self) -> tuple[str, ...]:
        """What its fix takes for granted of other files, as in `Fix`."""
        return () if self.fix is None else self.fix.relies

    @property
    def adds_include(self) -> bool:
        """Whether its fix writes a directive that includes a header."""
        return self.fix is not None and any(b"#include" in edit.replacement for edit in self.fix.edits)

    @property
    def whole(self) -> Finding:
        """The finding with all that it holds: itself, or what an object that stands for it reads from disk."""
        return self

    @property
    def fingerprint(self) -> str:
        """Stable across edits elsewhere in the file: hashes path, rule, excerpt and ordinal, not line numbers.

        A comment on the line that suppresses the finding is no part of it: the finding is the same with and without.
        """
        import hashlib  # most findings are not asked

        code, said, _ = self.excerpt.partition(SUPPRESSES)
        line = code.rstrip().removesuffix("//").removesuffix("/*").removesuffix("#").rstrip() if said else code
        key = "\0".join((self.path, self.rule, line, str(self.ordinal)))
        return hashlib.sha256(key.encode(errors="backslashreplace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment that suppresses findings: its line and column, the lines it holds for, the rules it names, the reason.

    `lines` is empty for a comment that holds for the whole file. `wrong` says what is wrong with its form, and such a
    comment suppresses nothing.
    """

    line: int
    column: int
    lines: tuple[int, ...]
    selectors: tuple[str, ...]
    reason: str
    wrong: str = ""


def numbered(findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
    """Pair each finding with how many before it share its path, rule and excerpt."""
    seen: dict[tuple[str, str, str], int] = {}
    pairs = []
    for finding in findings:
        key = (finding.path, finding.rule, finding.excerpt)
        pairs.append((finding, seen.get(key, 0)))
        seen[key] = seen.get(key, 0) + 1
    return pairs
