"""What the core of each component asks for: its load, the kind of port that it is, and what blocks in all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from cudamigrate.estimate import blockers, demand, effort, optional, replacements
from cudamigrate.estimate.category import NATIVE, Part, gaps
from cudamigrate.estimate.survey import Survey, is_aside
from cudamigrate.estimate.tables import Table
from cudamigrate.model import Finding, Report
from cudamigrate.model.estimate import UNREAD


def of(
    found: Sequence[Part], cores: Mapping[str, optional.Split], report: Report, seen: Survey, book: Table
) -> demand.Demand:
    """What the core of each component asks for, and what blocks in all of them."""
    loads: dict[str, effort.Load] = {}
    findings = [finding for core in cores.values() for finding in core.findings]
    named = replacements.others(findings, replacements.libraries(report.files, seen))
    open_, blocked = blockers.split(named, seen, book, done(found), optional.rules_of(cores.values()))
    gone, again = _gone(findings, open_), effort.repeated(open_)
    del findings, named, open_  # each has all of a large tree's
    titles = {rule.id: rule.title for rule in report.rules.values()}
    ported = _is_ported(found)
    for part in found:
        core, untouched = cores[part.path], ported and not part.cuda and not part.findings
        mine = [finding for finding in core.findings if id(finding) not in gone]
        if part.respected or untouched or _is_apart(core):
            loads[part.path] = _gap(core, mine, titles)
            continue
        apart = {path for piece in core.pieces for path in piece.files}
        texts = {path: count for path, count in seen.strings.items() if seen.home(path) == part.path}
        lines = core.lines + sum(file.lines for file in part.files if file.path in texts)
        kind, grade = ("gaps", 1.0) if _unread(part, mine, texts) else kind_of(part, mine, lines, book)
        loads[part.path] = effort.Load(
            part.path,
            (part.underlying, part.python),
            kind or ("plain" if texts else ""),
            lines,
            1.0 - book.number("law", "ported") * part.ported,
            effort.opened(mine, titles, seen.guarded, 1.0 - book.number("law", "ported"), again),
            effort.reviews(core.findings),
            {file.path: file.kernels for file in core.files if file.kernels} | texts,
            {p: count for p, count in seen.triton.items() if seen.home(p) == part.path and p not in apart},
            _builds(part, mine, seen, bool(texts)),
            programs=max(1, part.programs),
            converted=effort.converted(core.findings, book),
            native=frozenset(file.path for file in part.files if file.language in NATIVE),
            grade=grade,
        )
    return demand.Demand(loads, blocked, all(part.python == "no-gpu" for part in found))


def _unread(part: Part, mine: Sequence[Finding], texts: Mapping[str, int]) -> bool:
    """Whether a text with kernels in Python was not read: what it needs, nobody knows."""
    read = {file.path for file in part.files if file.cuda}
    return any(path not in read for path in texts) or any(one.rule in UNREAD and one.path in texts for one in mine)


def _is_ported(found: Sequence[Part]) -> bool:
    """Whether all CUDA code is a port's: Python beside it needs nothing either, where nothing of it is to change."""
    native = [part for part in found if part.cuda]
    return bool(native) and all(part.respected for part in native)


def _builds(part: Part, mine: Sequence[Finding], seen: Survey, texts: bool) -> list[str]:
    """The kinds of build that have CUDA code to compile, as files or as `texts`, or something to change themselves."""
    found = sorted(seen.builds.get(part.path, {}))
    if part.cuda:
        return found or ["other"]
    return found if texts or any(finding.rule.startswith("build/") for finding in mine) else []


def _is_apart(core: optional.Split) -> bool:
    """Whether a component is tests or examples with a build of their own, which are priced apart."""
    return is_aside(f"{core.component}/") and not core.files and not core.findings


def _gone(every: Iterable[Finding], left: Iterable[Finding]) -> set[int]:
    """The ids of those that are not left, which are few; both are in one order."""
    kept, gone = iter(left), set[int]()
    following = next(kept, None)
    for one in every:
        if one is following:
            following = next(kept, None)
        else:
            gone.add(id(one))
    return gone


def done(found: Sequence[Part]) -> frozenset[str]:
    """The components that are ported: what would block there, the port has gone around."""
    return frozenset(part.path for part in found if part.category == "ported")


def _gap(core: optional.Split, mine: Sequence[Finding], titles: Mapping[str, str]) -> effort.Load:
    """What the gaps of a port ask for: their places, and tests of the kernels that they are in."""
    return effort.Load(
        core.component,
        (),
        open=effort.opened(mine, titles),
        review=effort.reviews(mine),
        kernels={file.path: file.lacking for file in core.files if file.lacking},
    )


def kind_of(part: Part, work: Sequence[Finding], lines: int, book: Table) -> tuple[str, float]:
    """The kind of port that a component is, by the work and the CUDA lines of its core, and how far it is one, 0 to 1.

    Names alone are plain where PyTorch's build renames them, and in small programs: a build of one's own is work too.
    """
    if not part.cuda or part.programs:
        return "plain" if part.cuda else "", 1.0
    native = part.underlying == "native-cuda"
    many = len(part.cuda) >= book.number("size", "application-files")
    if native and many and lines > book.number("size", "application-from"):
        return "application", _way(lines, "application-from", "application-lines", book)
    if lines > book.number("size", "full-lines") and (native or gaps(work)):
        return "gaps", _way(lines, "full-lines", "gaps-lines", book)
    return "plain", 1.0


def _way(lines: int, start: str, end: str, book: Table) -> float:
    """How far a number of lines is from one size of the table to another, 0 to 1, as logarithms."""
    first, last = (book.number("size", name) for name in (start, end))
    return min(1.0, math.log(lines / first) / math.log(last / first))
