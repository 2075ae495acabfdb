"""Categories, findings and GPUs -> what speed to expect of the CUDA baseline, as ranges with reasons.

Result: a `Performance` for each workload and GPU. Every number is one of `rules/performance.toml`, and each shift says
where it comes from.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from cudamigrate.errors import ConfigError
from cudamigrate.estimate.category import NATIVE, Part
from cudamigrate.estimate.survey import Survey
from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.estimate import Category, FrameworkUse, Performance, Source
from cudamigrate.rulebase.architectures import architecture

WORKLOADS = ("training", "prefill", "decode-small", "decode-large", "image", "compute")
"""All workloads, in the order in which they are shown."""
_SHOWN_BY = {"training": ("training",), "generation": ("prefill", "decode-small", "decode-large"), "image": ("image",)}
_NOTHING = "nothing runs as it is: TensorRT has no equivalent; see the ranges of what would take its place"


@dataclass(frozen=True, slots=True)
class _Found:
    """One thing in the code that moves the range, and how much of the CUDA code has it."""

    entry: Entry
    share: float
    count: int

    @property
    def down(self) -> float:
        """Points that the low end takes."""
        return float(self.entry["points"][0])

    @property
    def up(self) -> float:
        """Points that the high end takes."""
        return float(self.entry["points"][1]) * self.share


def gpus(asked: Sequence[str], arch: Sequence[str], table: Table) -> list[Entry]:
    """The GPUs asked for, else the first of each architecture aimed at. Raises ConfigError."""
    known = {str(entry["name"]): entry for entry in table.all("gpu")}
    for name in asked:
        if plain(name) not in known:
            raise ConfigError(f"--gpu: no GPU is called {name!r}; known are {', '.join(sorted(known))}.")
    if asked:
        return [known[name] for name in dict.fromkeys(plain(name) for name in asked)]
    first: dict[str, Entry] = {}
    for entry in known.values():
        if entry["arch"] in arch:
            first.setdefault(str(entry["arch"]), entry)
    return list(first.values()) or [known["mi300x"]]


def plain(name: str) -> str:
    """A GPU's name without case, spaces and makers."""
    word = name.lower().replace(" ", "").replace("-", "").replace("_", "")
    for maker in ("amd", "instinct", "radeon", "rx", "pro"):
        word = word.removeprefix(maker)
    return word


def expected(
    parts: Sequence[Part], seen: Survey, uses: Sequence[FrameworkUse], cards: Sequence[Entry], table: Table
) -> list[Performance]:
    """A range for each workload and GPU; of the parts that have the workload, the worst category counts."""
    ranges = {str(entry["category"]): entry for entry in table.all("range")}
    found = []
    for workload in _workloads(parts, seen, ranges):
        able = [(part, entry) for part in parts for entry in _entries(part, ranges) if workload in entry["workloads"]]
        having = list({part.path: part for part, _ in able}.values())
        start = min((entry for _, entry in able), key=_low)
        moved = _moved(
            [file for part in having for file in part.cuda], [f for p in having for f in p.findings], uses, table
        )
        found += [_range(workload, start, moved, card, table) for card in cards]
    return found


def _entries(part: Part, ranges: Mapping[str, Entry]) -> list[Entry]:
    """The ranges of what a part is, and of what its Python alone would be."""
    return [ranges[category] for category in (part.underlying, part.python) if category in ranges]


def _low(entry: Entry) -> float:
    """The low end of a range; where nothing runs, below all."""
    percent = entry.get("percent")
    return float(percent[0]) if percent else -1.0


def _workloads(parts: Sequence[Part], seen: Survey, ranges: Mapping[str, Entry]) -> list[str]:
    """The workloads that the parts' categories have and the code shows; all of them where it shows none."""
    able = {workload for part in parts for entry in _entries(part, ranges) for workload in entry["workloads"]}
    shown = {w for word, names in _SHOWN_BY.items() if any(c.get(word) for c in seen.clues.values()) for w in names}
    wanted = (able & shown) | (able & {"compute"}) if able & shown else able
    return [workload for workload in WORKLOADS if workload in wanted]


def _moved(
    files: Sequence[FileResult], findings: Iterable[Finding], uses: Sequence[FrameworkUse], table: Table
) -> list[_Found]:
    every = list(findings)
    cuda = max(1, sum(file.language in NATIVE for file in files))
    names = {use.name: use for use in uses}
    moved = []
    for entry in table.all("found"):
        hits = [finding for finding in every if _matches(finding, entry)]
        frameworks = [name for name in entry.get("frameworks", ()) if name in names]
        if hits or frameworks:
            share = 1.0 if frameworks else min(1.0, len({finding.path for finding in hits}) / cuda)
            moved.append(_Found(entry, share, len(hits)))
    return moved


def _matches(finding: Finding, entry: Entry) -> bool:
    if any(fnmatchcase(finding.rule, pattern) for pattern in entry.get("rules", ())):
        return True
    if finding.name and finding.name in entry.get("words", ()):
        return True
    return finding.outcome in entry.get("outcomes", ())


def _range(workload: str, start: Entry, moved: Sequence[_Found], card: Entry, table: Table) -> Performance:
    gpu = str(card["name"])
    first = table.source(start)
    if "percent" not in start:
        return Performance(workload, gpu, None, None, (_NOTHING,), (first,))
    low, high = (float(point) for point in start["percent"])
    category: Category = start["category"]
    reasons = [f"{low:g} to {high:g} % is the range that others state for {category} code"]
    sources = [first]
    general = _shift(workload, gpu, table)
    if general is not None:
        low, high = low + general["points"][0], high + general["points"][1]
        points = f"{general['points'][0]:+g} and {general['points'][1]:+g} points"
        reasons.append(f"{points}: {workload} on {gpu} against {card['peer'].upper()}; {general['why']}")
        sources += [table.source(general), *(table.named(key) for key in general.get("also", ()))]
    mine = [found for found in moved if _applies(found.entry, workload, card)]
    low -= math.hypot(*(found.down for found in mine))
    high += sum(found.up for found in mine)
    for found in mine:
        places = f", {found.count} places in {found.share:.0%} of the CUDA files" if found.count else ""
        points = f"{found.down:+.0f} and {found.up:+.1f} points"
        reasons.append(f"{points}: {found.entry['name']}{places}; {found.entry['why']}")
        sources.append(table.source(found.entry))
    if len(mine) > 1:
        reasons.append("the low ends of what was found are taken as independent: together the root of their squares")
    return _bounded(Performance(workload, gpu, low, high, tuple(reasons), _once(sources)), table)


def _shift(workload: str, gpu: str, table: Table) -> Any:
    """The shift for a workload: that which names the GPU, else the general one."""
    mine = [entry for entry in table.all("shift") if entry["workload"] == workload]
    named = [entry for entry in mine if gpu in entry.get("gpus", ())]
    return next(iter(named or [entry for entry in mine if "gpus" not in entry]), None)


def _applies(entry: Entry, workload: str, card: Entry) -> bool:
    wave = architecture(str(card["arch"])).wave
    return (
        workload in entry.get("workloads", (workload,))
        and wave in entry.get("waves", (wave,))
        and card["name"] in entry.get("gpus", (card["name"],))
    )


def _bounded(found: Performance, table: Table) -> Performance:
    """No range below the floor, and none narrower than the numbers are good for."""
    assert found.low is not None and found.high is not None
    floor, spread = float(table.entries["floor"]), float(table.entries["least-spread"])
    low = max(floor, round(found.low))
    high = max(low + spread, round(found.high))
    return Performance(found.workload, found.gpu, low, high, found.reasons, found.sources)


def _once(sources: Iterable[Source]) -> tuple[Source, ...]:
    return tuple(dict.fromkeys(sources))
