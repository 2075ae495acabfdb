"""A compiler's complaint about a converted file -> the place in the original, and the finding that foresaw it.

Result: the same verdicts with the origin and the finding of each complaint. A complaint that no finding foresaw becomes
a finding of its own: see `unforeseen.py`.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from cudamigrate import edits
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Finding, SourceFile, Span, SpanIndex
from cudamigrate.model.verification import PASSED_OVER, UNFORESEEN, Diagnostic, Place, Verdict
from cudamigrate.verification import (
    closed_tests,
    conditional_lines,
    dependent_bases,
    hints,
    mask_truncation,
    passed_over,
    scoped_names,
)

_QUOTED = re.compile(r"'([A-Za-z_][\w:]*)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NAMES = re.compile(r"\w+")
_UNDECLARED = ("use of undeclared identifier", "no template named", "no matching function for call to")
_OF_NAMES = (
    *_UNDECLARED[:2],
    "unknown type name",
    "no type named",
    "no member named",
    "reference to",
    "redefinition of",
)
"""How complaints begin that are about one name and its declarations."""
_PREFIXES = ("build/token-pasting", "build/pasted-name")
"""The rules of names of CUDA's that a macro makes: a complaint about one is at the macro's text, by its notes."""
_PIECE = re.compile(r"(\w+)\s*##")
_PASTED = ("warp/pasted-call", "warp/pasted-name")
"""Findings on macros that make the names of warp functions: what HIP says of such a function is theirs."""
_LOST = "build/torch-include"
"""The finding on an include that PyTorch's build does not follow."""
_OF_MASKS = "The mask must be a 64-bit integer"
"""What HIP's functions ending in `_sync` say of a mask of 32 lanes."""
_OF_MASKS_CUT = ("warp/active-mask", "warp/lane-match", "warp/legacy-vote", "warp/sync-vote")
"""Findings on functions that return a mask of 64 bits, which say so."""
_LAST = 1 << 31
"""A line behind all of a file."""
_NEAR = 2
"""Lines between a finding and a complaint that it may still explain: calls run over several lines."""


def broken(findings: Iterable[Finding], verdicts: Iterable[Verdict]) -> dict[str, frozenset[str]]:
    """By file, the groups of fixes in whose text a compiler found an error; one beside it on the line is not theirs.

    Nor is one that the original has at that place.
    """
    failed: dict[str, list[Place]] = {}
    for verdict in verdicts:
        for entry in verdict.diagnostics:
            if verdict.word == "failed" and entry.origin is not None and not entry.before:
                failed.setdefault(entry.origin.path, []).append(entry.origin)
    places = {path: sorted((place.line, place.column) for place in found) for path, found in failed.items()}
    groups: dict[str, set[str]] = {}
    for finding in findings:
        if finding.fix is None or not finding.fix.group:
            continue
        if _holds(finding, places.get(finding.path, [])):
            groups.setdefault(finding.path, set()).add(finding.fix.group)
    return {path: frozenset(found) for path, found in groups.items()}


def _holds(finding: Finding, places: list[tuple[int, int]]) -> bool:
    """Whether one of some lines and columns, which are sorted, lies in a finding."""
    start, end = finding.position, finding.end
    first = bisect_left(places, (start.line, start.column))
    return first < len(places) and places[first] < (end.line, end.column)


class _Converted:
    """A converted file, whose places are asked for."""

    def __init__(self, conversion: Conversion) -> None:
        self.starts = SourceFile("", conversion.after, "").line_starts()
        self.before = SourceFile("", conversion.before, "").line_starts()
        self.offsets = edits.Offsets(conversion.fixes)
        self.edits = edits.ordered(conversion.fixes)
        self.edited = [edit.span.start for edit in self.edits]
        self.lines = conversion.after.splitlines()


@dataclass(slots=True)
class DiagnosticTracer:
    """Findings by file and by name, and the conversions that moved them; `text` gives the bytes of a file as it was.

    `own` are the files that were looked at: no other people's code.
    """

    findings: Sequence[Finding]
    conversions: Mapping[str, Conversion]
    text: Callable[[str], bytes] = lambda path: b""
    own: Collection[str] = ()
    _by_path: dict[str, SpanIndex[Finding]] = field(default_factory=dict)
    _converted: dict[str, _Converted] = field(default_factory=dict)
    _known: dict[Diagnostic, Diagnostic] = field(default_factory=dict)
    _names: dict[str, Finding] = field(default_factory=dict)
    _passed_over: dict[str, Finding] = field(default_factory=dict)
    _through: dict[str, Finding] | None = None
    _bases: dependent_bases.Bases = field(init=False)
    _tests: closed_tests.ClosedTests = field(init=False)

    def __post_init__(self) -> None:
        self._bases = dependent_bases.Bases(self.text, self.own)
        self._tests = closed_tests.ClosedTests(self.findings, self.conversions, self.text)
        lines: dict[str, list[tuple[Span, Finding]]] = {}
        for finding in self.findings:
            lines.setdefault(finding.path, []).append((Span(finding.position.line, finding.end.line + 1), finding))
            if finding.rule == PASSED_OVER:
                self._passed_over[finding.name] = finding
            elif not finding.automatic and finding.name:
                self._names.setdefault(finding.name.rpartition("::")[2], finding)
        self._by_path = {path: SpanIndex(found) for path, found in lines.items()}

    def verdict(self, verdict: Verdict) -> Verdict:
        """The verdict with each complaint traced back.

        What was not judged for want of a header fails all the same where a finding said so of the very place; nothing
        else is known of it but the headers that it lacks. A finding on a library says nothing of its names where it is
        the library's header that is not there.
        """
        entries = tuple(map(self._traced_once, verdict.diagnostics))
        absent = {entry.rule for entry in entries if entry.kind == "missing-header" and entry.rule}
        said = (entry for entry in entries if entry.rule not in absent and self._is_certain(entry))
        certain = tuple(said) if verdict.word == "unresolved" else ()
        if certain:
            lacking = tuple(entry.header for entry in entries if entry.kind == "missing-header" and entry.header)
            left = tuple(header for header in verdict.headers if header.startswith(lacking)) if lacking else ()
            return replace(verdict, diagnostics=certain, word="failed", headers=left)
        return replace(verdict, diagnostics=entries)

    def _is_certain(self, entry: Diagnostic) -> bool:
        """Whether an error is what a finding there said would not compile, whatever headers there are.

        What a library of AMD's has in part may come with the header that is missing. What an error quotes, the finding
        names too: a class that lacks its base is no error of a call that the finding is on.
        """
        if entry.kind != "error" or not entry.foreseen or entry.origin is None:
            return False
        here = (found for found in self._at(entry.origin, near=0) if found.rule == entry.rule and not found.automatic)
        quoted = {part for name in _QUOTED.findall(entry.message) for part in _NAMES.findall(name)}
        return any(
            found.outcome == "compile-error"
            and found.support != "partial"
            and (not quoted or not quoted.isdisjoint(_NAMES.findall(f"{found.name} {found.message}")))
            for found in here
        )

    def _traced_once(self, entry: Diagnostic) -> Diagnostic:
        """A complaint traced back; one about a header comes once from each file that includes it."""
        known = self._known.get(entry)
        if known is None:
            known = self._known[entry] = self._traced(entry)
        return known

    def _traced(self, entry: Diagnostic) -> Diagnostic:
        places = [self.original(place) for place in (entry.place, *entry.notes) if not place.path.startswith("/")]
        near = ((place, found) for place in places for found in self._at(place) if not found.automatic)
        told = (found for place, found in near if _foresees(found, place, entry.message, self._former(place)))
        cause = next(told, None)
        stricter = hints.is_stricter(entry.message)  # which no conversion of what was passed over changes
        cause = (
            cause
            or (None if stricter else self._included(places))
            or self._tests.left_out(entry.message)
            or self._named(entry.message)
        )
        cause = (
            cause
            or self._tests.cause(entry.message, places)
            or self._spoken_of(places, entry.message)
            or self._not_included(places, entry.message)
        )
        if cause is None:
            here = (found for place in places for found in self._at(place, near=0))
            cause = next((found for found in here if found.automatic), None)
        origin = places[0] if places else None
        if cause is not None and not cause.automatic:
            return replace(entry, origin=origin, rule=cause.rule, foreseen=True, advice=cause.message)
        advice = entry.advice or hints.advice(entry, self._line(entry.place) or self.kept(entry) or "")
        if not advice and origin is not None:
            advice = self._bases.advice(entry.message, origin.path, origin.line)
            advice = advice or scoped_names.advice(entry.message, origin, self._before)
        if cause is not None and (advice or _names_others(entry.message, cause)):
            cause = None
        rule = cause.rule if cause is not None else UNFORESEEN if origin is not None else ""
        return replace(entry, origin=origin, rule=rule, advice=advice)

    def _line(self, place: Place) -> str:
        """The line of converted code at a place, empty where the file was not converted."""
        read = self._read(place.path)
        lines = read.lines if read is not None else []
        return lines[place.line - 1].decode("utf-8", "replace") if 0 < place.line <= len(lines) else ""

    def kept(self, entry: Diagnostic) -> str | None:
        """The line of a complaint where the conversion left it as it was; None where it is changed or not there."""
        place = entry.origin or entry.place
        conversion = self.conversions.get(place.path)
        data = self.text(place.path) if conversion is None else conversion.before
        line = next(iter(conditional_lines.split(data)[place.line - 1 : place.line]), None)
        now = self._line(entry.place) if conversion is not None else line
        text = None if line is None else line.decode("utf-8", "replace")
        return text if conversion is None or now == text else None

    def is_local(self, entry: Diagnostic) -> bool:
        """Whether a complaint is about a name that only functions of the original declare, each for itself."""
        return scoped_names.is_local(entry.message, entry.origin or entry.place, self._before)

    def _before(self, path: str) -> bytes:
        """The bytes of a file as it was."""
        conversion = self.conversions.get(path)
        return self.text(path) if conversion is None else conversion.before

    def _read(self, path: str) -> _Converted | None:
        """What places of a converted file are found by; None where the file was not converted."""
        conversion = self.conversions.get(path)
        if conversion is not None and path not in self._converted:
            self._converted[path] = _Converted(conversion)
        return self._converted.get(path)

    def original(self, place: Place) -> Place:
        """The place in the file as it was."""
        read = self._read(place.path)
        if read is None or not 0 < place.line <= len(read.starts):
            return place
        offset = read.offsets.origin(read.starts[place.line - 1] + place.column - 1)
        line = bisect_right(read.before, min(offset, len(self.conversions[place.path].before)))
        return Place(place.path, line, max(1, offset - read.before[line - 1] + 1))

    def _former(self, place: Place) -> list[tuple[frozenset[bytes], frozenset[bytes]]]:
        """The names that each edit on a line of the original wrote, with those that it replaced."""
        read = self._read(place.path)
        if read is None or not 0 < place.line <= len(read.before):
            return []
        data = self.conversions[place.path].before
        end = read.before[place.line] if place.line < len(read.before) else len(data) + 1
        made = read.edits[bisect_left(read.edited, read.before[place.line - 1]) : bisect_left(read.edited, end)]
        return [(_words(edit.replacement), _words(data[edit.span.start : edit.span.end])) for edit in made]

    def _at(self, place: Place, near: int = _NEAR) -> Iterable[Finding]:
        """Findings around a place of the original, the nearest first."""

        here = self._by_path.get(place.path)
        around = here.touching(place.line - near, place.line + near + 1) if here is not None else ()
        return sorted((found for found in around if _away(found, place) <= near), key=partial(_away, place=place))

    def _included(self, places: Sequence[Place]) -> Finding | None:
        """The finding on a file of other people's code that a complaint is in, or that includes the file it is in."""
        found = next((self._passed_over[place.path] for place in places if place.path in self._passed_over), None)
        if found is not None or not self._passed_over or all(place.path in self.own for place in places):
            return found
        if self._through is None:
            reached = (
                (path, one) for name, one in self._passed_over.items() for path in passed_over.reached(name, self.text)
            )
            self._through = {path: one for path, one in reached if path not in self.own}
        return next((self._through[place.path] for place in places if place.path in self._through), None)

    def _named(self, message: str) -> Finding | None:
        """The finding on a name that the complaint quotes."""
        for name in _QUOTED.findall(message):
            found = self._names.get(name.rpartition("::")[2])
            if found is not None:
                return found
        return self._passed_over_name(message)

    def _spoken_of(self, places: Sequence[Place], message: str) -> Finding | None:
        """The finding of the same file on what declared a name, as a macro does that its text is in."""
        quoted = _QUOTED.findall(message) if message.startswith(_UNDECLARED[0]) else []
        for place in places if quoted else ():
            here = self._by_path.get(place.path)
            for found in here.touching(0, _LAST) if here is not None else ():
                is_open = found.outcome == "compile-error" and not found.automatic
                if is_open and ("undeclared", quoted[0]) in found.facts:
                    return found
        return None

    def _not_included(self, places: Sequence[Place], message: str) -> Finding | None:
        """The finding on an include that a build loses, where the header has the name that is not declared."""
        name = next(iter(_QUOTED.findall(message)), "") if message.startswith(_OF_NAMES) else ""
        for place in places if name else ():
            here = self._by_path.get(place.path)
            for found in here.touching(0, _LAST) if here is not None else ():
                if found.rule == _LOST and not found.automatic:
                    header = posixpath.normpath(posixpath.join(posixpath.dirname(found.path), found.name))
                    if name.encode() in _WORD.findall(self.text(header)):
                        return found
        return None

    def _passed_over_name(self, message: str) -> Finding | None:
        """The finding on a file of other people's code that defines the name which is not declared."""
        name = next(iter(_QUOTED.findall(message)), "") if message.startswith(_UNDECLARED) else ""
        defined = re.compile(rb"(?:#\s*define\s+|\w[\s*&]+)" + re.escape(name.encode()) + rb"\s*\(")
        return next((one for path, one in self._passed_over.items() if name and defined.search(self.text(path))), None)


def _away(finding: Finding, place: Place) -> int:
    """How many lines are between a finding and a place."""
    return max(finding.position.line - place.line, place.line - finding.end.line, 0)


def _foresees(
    finding: Finding, place: Place, message: str, former: Iterable[tuple[frozenset[bytes], frozenset[bytes]]]
) -> bool:
    """Whether a finding near a complaint is about it: it speaks of what that names, or of what the name was before.

    One that says of the very place that it will not compile is about a complaint of no name too, and about one of types
    that do not fit; a name that is not declared, or declared twice, it must speak of. `former` are the names that edits
    on the line wrote, with those that they replaced.
    """
    quoted = frozenset(part.encode() for name in _QUOTED.findall(message) for part in name.split("::"))
    meant = quoted.union(*(old for new, old in former if not quoted.isdisjoint(new)))
    if _is_scope(meant, finding, message):
        return False
    if not meant.isdisjoint(finding.name.encode().split(b"::")):
        return True
    if finding.rule in _PREFIXES and _away(finding, place) == 0:
        pieces = tuple(piece.encode() for piece in _PIECE.findall(finding.excerpt))
        return any(name.startswith(pieces) for name in quoted)
    if finding.rule in _PASTED and _away(finding, place) == 0:
        return _OF_MASKS in message or any(name.startswith(b"__") and name.endswith(b"_sync") for name in quoted)
    if finding.outcome != "compile-error":
        return message == mask_truncation.CUT and finding.rule in _OF_MASKS_CUT and _is_at(finding, place)
    spoken = f"{finding.name} {finding.message}" if finding.name else f"{finding.excerpt} {finding.message}"
    if not meant.isdisjoint(_words(spoken.encode())):
        return True
    return _is_at(finding, place) and not message.startswith(_OF_NAMES) if quoted else _away(finding, place) == 0


def _is_scope(meant: Collection[bytes], finding: Finding, message: str) -> bool:
    """Whether what is not declared is a namespace or class that a finding's name is in: all of it lacks its header."""
    *scopes, last = finding.name.encode().split(b"::")
    return message.startswith(_UNDECLARED[0]) and last not in meant and not set(scopes).isdisjoint(meant)


def _is_at(finding: Finding, place: Place) -> bool:
    """Whether a place is in the code of a finding."""
    start, end = finding.position, finding.end
    return (start.line, start.column) <= (place.line, place.column) < (end.line, end.column)


def _words(text: bytes) -> frozenset[bytes]:
    return frozenset(_WORD.findall(text))


def _names_others(message: str, finding: Finding) -> bool:
    """Whether a complaint quotes names, none of which a fix on its line read or wrote: it is not that fix's doing."""
    quoted = {part.encode() for name in _QUOTED.findall(message) for part in name.split("::")}
    if not quoted or finding.fix is None:
        return False
    texts = [finding.name.encode(), *(edit.replacement for edit in finding.fix.edits)]
    return quoted.isdisjoint(word for text in texts for word in _WORD.findall(text))
