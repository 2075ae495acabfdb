"""Report -> the decision in one sentence, which every format says first."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import LOOKED_AT, Report
from cudamigrate.model.estimate import Blocker, Days, Estimate
from cudamigrate.model.port_facts import PortSummary
from cudamigrate.reporting import port_words
from cudamigrate.reporting.basis import PORTABLE, languages, proved
from cudamigrate.reporting.summary import balance, days, overall, tally
from cudamigrate.wording import count_of, series

_SUBMODULES = 2
"""How many submodules the sentence names."""


def sentence(report: Report) -> str:
    """The decision, its exceptions and its size: the first line of every report."""
    estimate = report.estimate
    if estimate is None:
        counted = tally(report.findings)
        if not counted.findings:
            return "Nothing was found that needs to change."
        if report.proof is not None and report.proof.types:  # the three numbers are below
            left = count_of(counted.left, "finding")
            return f"{proved(report)} {left} {'is' if counted.left == 1 else 'are'} left for review or manual work."
        return f"{balance(counted)}."
    if report.port is not None and report.port.whole:
        return f"{whole_port(report, report.port)}."
    if estimate.replaced:
        theirs, ours = series(one.name for one in estimate.replaced), series(one.amd for one in estimate.replaced)
        size = f" A port of its own: {_spread(estimate.days)}." if estimate.items else ""
        return f"Do not port it, use {ours}: this is {theirs}, and AMD has an equivalent.{size}"
    decided = _decision(report, estimate)
    if not estimate.items:
        return decided
    size = f"{decided} {_spread(estimate.days)}"
    if estimate.blockers:
        more = days(sum(one.alternatives[0].days.p50 for one in estimate.blockers if one.alternatives))
        many = len(estimate.blockers)
        size += f"; {more} more for the {'blocker' if many == 1 else f'{many} blockers'}"
    large = [part for part in estimate.optional if part.days.p50 >= max(1.0, estimate.days.p50 / 4)]
    if large:
        size += f"; {', '.join(f'{days(part.days.p50)} more for optional {part.name}' for part in large[:2])}"
    if unread := _uncounted(report):  # the days are of a part of the code
        size += f". Not counted, because not read: {unread}"
    return f"{size}."


def _uncounted(report: Report) -> str:
    """What the days are not of: languages that more code is in, submodules and fetched projects that it includes.

    Of languages that are looked at for uses of CUDA, those of which no file has any are not named.
    """
    read = sum(file.cuda for file in report.files)
    using = {file.language for file in report.files if file.findings}
    more = {name: many for name, many in languages(report).items() if name != PORTABLE and many > read}
    most = {name: many for name, many in more.items() if name not in LOOKED_AT or LOOKED_AT[name] in using}
    names = [count_of(count, f"{name} file") for name, count in most.items()]
    names += [f"the submodule {path}" for path in list(report.needed_submodules)[:_SUBMODULES]]
    names += [f"the fetched project {name}" for name in list(report.needed_dependencies)[:_SUBMODULES]]
    return series(names)


def whole_port(report: Report, port: PortSummary, names: bool = False) -> str:
    """What is said of a port without gaps: how far it goes, what shows that, and how many places nothing was shown of.

    `names` adds the files of programs that no build for HIP has.
    """
    more = port_words.unjudged(port)
    more += " and no days are counted for them" if more and port_words.unseen(report) else ""
    how = " by reading, and nothing was compiled" if report.proof is None or not report.proof.types else ""
    files = port_words.named(report) if names else ""
    return f"{_ported(report, port)}{files}: no gap was found{how}{more}"


def _ported(report: Report, port: PortSummary) -> str:
    """How far a port goes: kernels may have a gap, be left to CUDA by choice, which is none, or be in unknown files."""
    unseen = port_words.unseen(report)
    open_ = port.kernels - port.ported - unseen
    whole = 2 * port.ported >= port.kernels
    part = f" ({port.ported:,} of {port.kernels:,} kernels without a gap{port_words.aside(unseen)})"
    if port.gaps:
        return f"{'Already ported' if whole else 'Ported in part'}{part if open_ or unseen else ''}"
    left = port_words.but_for(report)
    word = "Ported" if port_words.is_of_some_programs(port) else "Already ported"
    return f"{word if whole or not unseen else 'Ported in part'}{part if unseen else ''}{left}"


def _decision(report: Report, estimate: Estimate) -> str:
    port = report.port
    if port is not None:
        gaps = f"{port.gaps:,} gap{' is' if port.gaps == 1 else 's are'} left{port_words.unjudged(port)}"
        return f"{_ported(report, port)}: {gaps}."
    verdict = overall(estimate)
    if verdict is not None and verdict.advice == "stay":
        if estimate.items:
            return "Do not port it yet."
        return _nothing(report)
    if verdict is not None and verdict.advice == "wait":
        return "Wait for a newer ROCm."
    if estimate.category == "ported":
        return "Mostly ported already: finish it."
    if glanced := report.glanced:
        names, many = series(f"{name} code" for name in glanced), sum(glanced.values())
        total = count_of(many + sum(file.cuda for file in report.files), "file")
        return f"Look at the {names} first: {many:,} of {total} that use CUDA are of it and were not read."
    if estimate.blockers:
        return _around(estimate.blockers)
    if not report.unread and all(one.resolution == "fine" for one in report.findings):
        return "Nothing has to change: run it on AMD and compare."
    if verdict is None or verdict.advice == "move":
        return "Replace NVML: no other GPU code was found." if estimate.category == "no-gpu" else "Port it."
    apart = any(one.advice == "stay" for one in estimate.verdicts) or any(
        part.underlying == "tensorrt" for part in estimate.components
    )
    return "Port a part of it." if apart else "Port it, and measure it before all machines move."


def _nothing(report: Report) -> str:
    """What is said where no GPU code was found: whether there is none depends on what was not read."""
    if report.unread:
        return f"No GPU code was found, but {count_of(report.unread, 'file')} {_were(report.unread)} not read."
    if names := series(f"{name} files" for name in report.unread_languages):
        return f"No GPU code was found, but {names} name CUDA and were not read."
    if many := len(report.submodules):
        return f"No GPU code was found, but {count_of(many, 'submodule')} {_were(many)} not read."
    return "Nothing to port: no GPU code was found."


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _around(blockers: Sequence[Blocker]) -> str:
    """What of a repository can be ported as it is, and what comes first because nothing is built without it."""
    needed = [one for one in blockers if one.required]
    rest = [one for one in blockers if not one.required]
    but = f", except {exceptions(rest)}" if rest else ""
    if not needed:
        return f"Port it{but}."
    return f"First replace {exceptions(needed)}, which cannot be left out, then port the rest{but}."


def exceptions(blockers: Sequence[Blocker]) -> str:
    """What blocks, in a few words: two by name, the others counted."""
    named = [inner(blocker.title) for blocker in blockers[:2]]
    rest = len(blockers) - len(named)
    if rest:
        return f"{', '.join(named)} and {rest} more"
    return " and ".join(named)


def inner(title: str) -> str:
    """A title in the middle of a sentence: its first letter small unless it is a name."""
    title = title.split(" without ")[0]
    first, _, rest = title.partition(" ")
    name = first[1:] != first[1:].lower() or "'" in first or rest[:1].isupper()
    return title if name else title[:1].lower() + title[1:]


def _spread(spread: Days) -> str:
    unit = "engineer-day" if days(spread.p50) == "1" else "engineer-days"
    return f"{days(spread.p50)} {unit}, {days(spread.p10)} to {days(spread.p90)}"
