"""Verdicts -> what stops the files, each cause once: distinct complaints, and headers that are missing.

A cause is a message: one name that HIP lacks stops many files in many places, and is one thing to fix. A header that is
not there ends a compilation: what is said behind it follows from it. It is no cause itself: what it holds is not known,
so that it fails no file, and is named where it keeps one from being judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from cudamigrate.model.verification import (
    BROKEN,
    PASSED_OVER,
    Cause,
    Diagnostic,
    Missing,
    Verdict,
    Verification,
)
from cudamigrate.verification.gated_includes import FAILS
from cudamigrate.verification.libraries import FOR_CPP, foreign

_LONE_HEADER = "a header that no judged file includes"
_LEFT_OUT = " was left out of the conversion"
"""Why nothing is said of a unit that includes a file which the run was not to convert."""
_NO_HEADER = (BROKEN, _LEFT_OUT, FAILS)
"""How reasons end that are no names of headers."""


def of(judged: Verification) -> tuple[Cause, ...]:
    """The causes for which files fail: first those that most files stop at, as what comes later may follow from it.

    Those that as many files stop at are in order of the files that they are in, and of their places in a unit.
    """
    groups: dict[tuple[str, str, str], list[tuple[str, Diagnostic]]] = {}
    stops: Counter[tuple[str, str, str]] = Counter()
    last = ""
    for path, entry in _failing(judged):
        said = entry.message
        if entry.foreseen:  # what one rule says of headers, and of statements behind a colon, is one cause
            said = "" if entry.header else said.partition(": ")[0]
        key: tuple[str, str, str] = (entry.kind, said, entry.rule)
        if entry.rule == PASSED_OVER:  # all that stops files in one that was not converted goes with it
            key = ("", entry.advice, entry.rule)
        groups.setdefault(key, []).append((path, entry))
        stops[key] += path != last  # the first of its file
        last = path
    causes = {key: _cause(entries) for key, entries in groups.items()}
    return tuple(causes[key] for key in sorted(causes, key=lambda key: (-stops[key], -len(causes[key].files))))


def missing(judged: Verification) -> tuple[Missing, ...]:
    """What keeps files from being judged, what most files need first."""
    needed: dict[tuple[str, bool], list[str]] = {}
    for verdict in judged.verdicts:
        if verdict.word == "unresolved":
            lacks = any(entry.kind in ("missing-header", "stand-in") for entry in verdict.diagnostics)
            for header in verdict.headers:
                lacking = lacks and header not in (FOR_CPP, _LONE_HEADER) and not header.endswith(_NO_HEADER)
                needed.setdefault((header, lacking), []).append(verdict.path)
    return _most_needed(needed)


def lacking(judged: Verification) -> tuple[Missing, ...]:
    """The headers that files which do not compile lack as well: behind them there may be more that stops these."""
    needed: dict[tuple[str, bool], list[str]] = {}
    for verdict in judged.verdicts:
        for header in verdict.headers if verdict.word == "failed" else ():
            needed.setdefault((header, True), []).append(verdict.path)
    return _most_needed(needed)


def _most_needed(needed: Mapping[tuple[str, bool], Sequence[str]]) -> tuple[Missing, ...]:
    """What is lacking, by what it is and whether it is a header, with the files that need it; most files first."""
    found = [Missing(what, tuple(files), header) for (what, header), files in needed.items()]
    return tuple(sorted(found, key=lambda one: (-len(one.files), one.what)))


def lone(verdict: Verdict, gate: str = "") -> Verdict:
    """A header that fails on its own may need what comes before it where it is included: nothing is proved.

    `gate` says behind which test it is included, where that is why no judged file reads it.
    """
    if verdict.word != "failed" and not any(header.endswith(BROKEN) for header in verdict.headers):
        return verdict
    return replace(verdict, word="unresolved", headers=(gate or _LONE_HEADER,))


def without_others(verdicts: Sequence[Verdict], selected: Iterable[str]) -> list[Verdict]:
    """The verdicts of a run on `selected` files: what a unit includes of others was not converted.

    An error in one of those says nothing of the unit. What a finding said of the unit's own files stays.
    """
    known = frozenset(selected)
    return [_without_others(one, known) for one in verdicts]


def _without_others(verdict: Verdict, known: Set[str]) -> Verdict:
    others = {one.place.path for one in verdict.diagnostics if one.kind == "error"} - known
    if verdict.word != "failed" or not others:
        return verdict
    told = tuple(one for one in verdict.diagnostics if one.place.path in known and one.foreseen and _stands(one))
    if told:
        return replace(verdict, diagnostics=told)
    return replace(verdict, word="unresolved", headers=left_out(others))


def left_out(paths: Iterable[str]) -> tuple[str, ...]:
    """Why a unit is not judged that includes files which the run was not to convert."""
    return tuple(f"{path}{_LEFT_OUT}" for path in sorted(paths))


def without_consequences(verdict: Verdict) -> Verdict:
    """The verdict without what may only follow from a header that is not there, where one failed for it.

    A compiler ends at such an include. What a finding foresaw is wrong whether the header is there or not, as is what
    is certain of itself.
    """
    if verdict.word != "failed" or not any(entry.header for entry in verdict.diagnostics):
        return verdict
    return replace(verdict, diagnostics=tuple(filter(_stands, verdict.diagnostics)))


def _stands(entry: Diagnostic) -> bool:
    """Whether an error is one, whatever follows from a missing header."""
    certain = entry.certain or (entry.header and entry.kind == "error")
    return bool(entry.foreseen or entry.kind == "mask" or certain)


def _failing(judged: Verification) -> Iterator[tuple[str, Diagnostic]]:
    for verdict in judged.verdicts:
        if verdict.word == "failed":
            yield from ((verdict.path, entry) for entry in verdict.diagnostics if is_of_code(entry))


def is_of_code(entry: Diagnostic) -> bool:
    """Whether a complaint is about the code: what only an incomplete stand-in lacks, says nothing of it."""
    return entry.kind != "missing-header" and (entry.kind != "stand-in" or entry.foreseen)


def _cause(entries: list[tuple[str, Diagnostic]]) -> Cause:
    first = entries[0][1]
    headers = list(dict.fromkeys(entry.header for _, entry in entries if entry.header and entry.foreseen))
    places = dict.fromkeys(entry.origin or entry.place for _, entry in entries)
    return Cause(
        kind=first.kind,
        message=_message(entries, headers),
        place=next(iter(places)),
        places=len(places),
        files=tuple(dict.fromkeys(path for path, _ in entries)),
        rule=first.rule,
        foreseen=first.foreseen,
        advice=next((entry.advice for _, entry in entries if entry.advice), ""),
        side=f"{first.side}, {first.arch}" if first.arch else first.side,
        before=all(entry.before for _, entry in entries),
    )


def _message(entries: Sequence[tuple[str, Diagnostic]], headers: Sequence[str]) -> str:
    """The complaint, or of several that go together what they are about."""
    first = entries[0][1]
    others = len({entry.message for _, entry in entries}) - 1
    if first.rule == PASSED_OVER and others:
        return f"{first.message}, and {others} more error{'s' if others > 1 else ''} by the same file"
    return foreign(headers) if len(headers) > 1 else first.message
