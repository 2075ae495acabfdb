"""Categories, findings and GPUs -> what speed to expect of the CUDA baseline, as ranges with reasons.

Result: a `Performance` for each workload and GPU. Every number is one of `rules/performance.toml`, and each shift says
where it comes from. A pair of GPUs that nobody has compared in a workload has no range, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from cudamigrate.errors import ConfigError
from cudamigrate.estimate.category import NATIVE, Part
from cudamigrate.estimate.survey import Survey
from cudamigrate.estimate.tables import Entry, Table
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import Finding
from cudamigrate.model.estimate import WORKLOADS, Performance, Source
from cudamigrate.rulebase.architectures import architecture
from cudamigrate.wording import count_of

_SHOWN_BY = {
    "training": ("training",),
    "generation": ("decode-small",),
    "serving": ("prefill", "decode-small", "decode-large"),
    "image": ("image",),
}
_CODE = frozenset((*NATIVE, "python", "notebook"))
"""Languages whose findings are in code that runs."""
_NOTHING = "nothing runs as it is: TensorRT has no equivalent; see the ranges of what would take its place"


@dataclass(frozen=True, slots=True)
class _Found:
    """One thing in the code that moves the range, and how much of the CUDA code has it."""

    entry: Entry
    share: float
    count: int

    @property
    def down(self) -> float:
        """Points that the low end takes; none where there is no data."""
        return float(self.entry.get("points", (0, 0))[0])

    @property
    def up(self) -> float:
        """Points that the high end takes."""
        return float(self.entry.get("points", (0, 0))[1]) * self.share


def gpus(given: Sequence[str], arch: Sequence[str], source: str, table: Table) -> list[Entry]:
    """The GPUs asked for, else the first of each architecture aimed at, each with the NVIDIA GPU it is compared with.

    That is `source`, or what the table says where it is empty. Raises ConfigError for a name that is not known.
    """
    wanted = [name.strip() for names in given for name in names.split(",") if name.strip()]
    known = {name: entry for entry in table.all("gpu") for name in (str(entry["name"]), *entry.get("aliases", ()))}
    peers = {str(entry["name"]): entry for entry in table.all("nvidia")}
    if source and plain(source) not in peers:
        raise ConfigError(f"--from: no NVIDIA GPU is called {source!r}; known are {', '.join(sorted(peers))}.")
    for name in wanted:
        if plain(name) not in known:
            raise ConfigError(f"--to: no GPU is called {name!r}; known are {', '.join(sorted(known))}.")
    chosen = {str(known[plain(name)]["name"]): known[plain(name)] for name in wanted}
    if not wanted:
        first: dict[str, Entry] = {}
        for entry in known.values():
            if entry["arch"] in arch:
                first.setdefault(str(entry["arch"]), entry)
        chosen = {str(entry["name"]): entry for entry in first.values()} or {"mi300x": known["mi300x"]}
    return [_with_peer(entry, peers[plain(source) if source else str(entry["peer"])]) for entry in chosen.values()]


def _with_peer(card: Entry, peer: Entry) -> Entry:
    """A card with the NVIDIA GPU that it is compared with."""
    joined = {**card, "peer": peer["name"], "peer-memory": peer["memory"], "peer-power": peer.get("power")}
    return {**joined, "peer-price": peer["price"]} if "price" in peer else joined


def plain(name: str) -> str:
    """A GPU's name without case, spaces and makers."""
    word = name.lower().replace(" ", "").replace("-", "").replace("_", "")
    for maker in ("amd", "nvidia", "geforce", "tesla", "instinct", "radeon", "rx", "aipro", "pro"):
        word = word.removeprefix(maker)
    return word


def expected(parts: Sequence[Part], seen: Survey, cards: Sequence[Entry], table: Table) -> list[Performance]:
    """A range for each workload and GPU. Findings in parts with the workload move it; the gaps of a port do not."""
    ranges = {str(entry["name"]): entry for entry in table.all("category")}
    found = []
    for workload in _workloads(parts, seen, ranges):
        every = [(part, entry) for part in parts for entry in _entries(part, ranges)]
        able = [(part, entry) for part, entry in every if workload in entry["workloads"]] or every
        having = list({part.path: part for part, _ in able}.values())
        start = min((entry for _, entry in able), key=_runs)
        moved = _moved([part for part in having if part.category != "ported"], table)  # speeds are of ports
        found += [_range(workload, start, moved, card, table) for card in cards]
    return found


def _entries(part: Part, ranges: Mapping[str, Entry]) -> list[Entry]:
    """The ranges of what a part is, and of what its Python alone would be."""
    return [ranges[category] for category in (part.underlying, part.python) if category in ranges]


def _runs(entry: Entry) -> bool:
    """False where nothing of a category runs on AMD."""
    return bool(entry.get("runs", True))


def _workloads(parts: Sequence[Part], seen: Survey, ranges: Mapping[str, Entry]) -> list[str]:
    """The workloads that the parts' categories have and the code shows; `compute` where it shows none."""
    able = {workload for part in parts for entry in _entries(part, ranges) for workload in entry["workloads"]}
    shown = {w for word, names in _SHOWN_BY.items() if _shows(seen, word) for w in names}
    wanted = (able & shown) | (able & {"compute"}) or ({"compute"} if able else set())
    return [workload for workload in WORKLOADS if workload in wanted]


def _shows(seen: Survey, word: str) -> bool:
    """Whether code shows a clue that is neither a test nor an example: those run what others wrote.

    Where a component trains, a call that generates text is a look at what was learned; a server shows more.
    """
    mine = [clues for clues in seen.clues.values() if word in clues and clues[word].files]
    return any(word != "generation" or "training" not in clues or not clues["training"].files for clues in mine)


def _moved(parts: Sequence[Part], table: Table) -> list[_Found]:
    """What was found in the code of the parts; package lists, images and build files say nothing of speed."""
    code = {file.path for part in parts for file in part.files if file.language in _CODE}
    alike: dict[tuple[str, str, str], list[Finding]] = {}
    for one in (finding for part in parts for finding in part.findings if finding.path in code):
        alike.setdefault((one.rule, one.name, one.outcome), []).append(one)
    cuda = max(1, sum(file.language in NATIVE for part in parts for file in part.cuda))
    used, moved = {rule for rule, *_ in alike}, []
    for entry in table.all("found"):
        rules = {rule for rule in used if any(fnmatchcase(rule, pattern) for pattern in entry.get("rules", ()))}
        words, outcomes = frozenset(entry.get("words", ())), frozenset(entry.get("outcomes", ()))
        every = ((found, *key) for key, found in alike.items())
        hits = [found for found, rule, name, how in every if rule in rules or name in words or how in outcomes]
        if hits:
            share = min(1.0, len({one.path for found in hits for one in found}) / cuda)
            moved.append(_Found(entry, share, sum(map(len, hits))))
    return moved


def _range(workload: str, start: Entry, moved: Sequence[_Found], card: Entry, table: Table) -> Performance:
    gpu, peer = str(card["name"]), str(card["peer"])
    if not _runs(start):
        return Performance(workload, gpu, None, None, (_NOTHING,), (table.source(start),), peer)
    mine = [found for found in moved if _applies(found.entry, workload, card)]
    pair = _pair(workload, gpu, peer, table)
    if pair is None:
        said = f"no comparison of {gpu.upper()} with {peer.upper()} in {WORKLOADS[workload]} is published"
        named = _once(table.source(found.entry) for found in mine)
        return Performance(
            workload,
            gpu,
            None,
            None,
            (said, *(f"slower on AMD: {_cause(found)}" for found in mine)),
            named,
            peer,
            no_data=True,
        )
    low, high = pair["percent"]
    reasons = [
        f"{low:g} to {high:g} % is what {gpu.upper()} has of {peer.upper()} in {WORKLOADS[workload]}: {pair['why']}"
    ]
    sources = [table.source(pair), *(table.named(key) for key in pair.get("also", ()))]
    low -= math.hypot(*(found.down for found in mine))
    high += sum(found.up for found in mine)
    reasons += [_reason(found) for found in mine]
    sources += [table.source(found.entry) for found in mine]
    if len(mine) > 1:
        reasons.append("the low ends of what was found are taken as independent: together the root of their squares")
    return _bounded(Performance(workload, gpu, low, high, tuple(reasons), _once(sources), peer), table)


def _reason(found: _Found) -> str:
    """What was found, and what it does to the range."""
    if "points" not in found.entry:
        return f"no data: {_cause(found)}"
    low, high = f"{abs(found.down):.0f}", f"{abs(round(found.up, 1)):g}"
    return f"{low} points off the low end, {high} off the high end: {_cause(found)}"


def _cause(found: _Found) -> str:
    """What was found that moves the speed; without a range there is nothing that it moves."""
    places = f", {count_of(found.count, 'place')}"
    return f"{found.entry['name']}{places}; {found.entry['why']}"


def _pair(workload: str, gpu: str, peer: str, table: Table) -> Entry | None:
    """The figures for a workload on a GPU beside another; None where nobody has any."""
    pair = (workload, gpu, peer)
    return next((e for e in table.all("pair") if (e["workload"], e["gpu"], e["from"]) == pair), None)


def _applies(entry: Entry, workload: str, card: Entry) -> bool:
    wave = architecture(str(card["arch"])).wave
    return (
        workload in entry.get("workloads", (workload,))
        and wave in entry.get("waves", (wave,))
        and card["name"] in entry.get("gpus", (card["name"],))
    )


def _bounded(found: Performance, table: Table) -> Performance:
    """No range below the floor, and none narrower than the numbers are good for: that is widened to both sides."""
    assert found.low is not None and found.high is not None
    floor, spread = float(table.entries["floor"]), float(table.entries["least-spread"])
    wider = max(0.0, spread - (found.high - found.low)) / 2
    low = max(floor, float(round(found.low - wider)))
    return replace(found, low=low, high=max(low + spread, float(round(found.high + wider))))


def _once(sources: Iterable[Source]) -> tuple[Source, ...]:
    return tuple(dict.fromkeys(sources))
