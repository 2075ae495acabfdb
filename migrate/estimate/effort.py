"""What a component asks for -> the parts of its effort, each three points in engineer-days.

The laws are in `rules/effort.toml`: n places of one rule in one file cost n^repeats of one; of the files of one rule,
the j-th costliest costs j^-files of its hours. Both grow with every place, so that more findings never cost less.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, lru_cache, partial

from cudamigrate.estimate.tables import Cost, Table
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import Effort, Finding
from cudamigrate.model.estimate import Category, CostItem, Days

_ONCE = ("build", "integration", "validation")
BELOW: Mapping[str, str] = {"gaps": "plain", "application": "gaps"}
"""The next kind that costs less."""
PLACES = 4
"""Decimals that items are rounded to; sums are sums of what is shown."""


@dataclass(frozen=True, slots=True)
class Open:
    """Places of one rule in one file that are left after `apply`; `written` counts those with an unsafe fix.

    `left` is the part of the work that nobody has done yet, 0 to 1.
    """

    rule: str
    path: str
    effort: Effort
    count: int
    written: int = 0
    title: str = ""
    left: float = 1.0


@dataclass(slots=True)
class Load:
    """What one component asks for.

    `categories` are what its code is, and what its Python alone would be. `review`, `kernels` and `triton` count fixes
    and kernels by file. `kind` is plain, gaps or application, empty without CUDA code. `lines` are those of its CUDA
    files, `native` the paths of all C++ and CUDA files. `left` is the part that is not ported yet, 0 to 1. `programs`
    are those of a collection. `converted` is what the tool converts beyond renames: no work with it. `grade`, 0 to 1,
    is how far it is of its kind and no longer of the kind below, so that a line more never makes a jump.
    """

    component: str
    categories: tuple[Category, ...]
    kind: str = ""
    lines: int = 0
    left: float = 1.0
    open: Sequence[Open] = ()
    review: Mapping[str, int] = field(default_factory=dict)
    kernels: Mapping[str, int] = field(default_factory=dict)
    triton: Mapping[str, int] = field(default_factory=dict)
    builds: Sequence[str] = ()
    programs: int = 1
    converted: Sequence[Open] = ()
    native: Container[str] = ()
    grade: float = 1.0


_WRITTEN: Effort = "trivial"


def graded(load: Load, of: Callable[[str], float]) -> float:
    """A positive number of the load's kind; on the way to it, a geometric mean with that of the kind below."""
    if load.grade >= 1.0 or load.kind not in BELOW:
        return of(load.kind)
    return float(of(BELOW[load.kind]) ** (1 - load.grade) * of(load.kind) ** load.grade)


def converted(findings: Iterable[Finding], table: Table) -> list[Open]:
    """What the tool converts beyond renames, by group and file, as the work that it is without the tool."""
    words: Mapping[str, Effort] = table.at("converted", "words")
    counts = Counter((f"converted/{one.group}", one.path) for one in findings if one.automatic and one.group in words)
    return [Open(rule, path, words[rule.partition("/")[2]], counts[rule, path]) for rule, path in sorted(counts)]


def opened(
    findings: Iterable[Finding],
    titles: Mapping[str, str],
    guarded: Container[str] = (),
    left: float = 1.0,
    again: Container[int] = (),
) -> list[Open]:
    """The findings that are left after `apply`, counted by rule, file and word; none where no manual work is left.

    In files that are `guarded` for HIP someone has been before, and the part `left` of the work is left. Of findings
    whose ids are in `again` the work is priced elsewhere, and what is left is to write it down.
    """
    counts: Counter[tuple[str, str, Effort]] = Counter()
    written: Counter[tuple[str, str, Effort]] = Counter()
    for finding in findings:
        if not finding.automatic and finding.effort != "none":
            key = (finding.rule, finding.path, _WRITTEN if id(finding) in again else finding.effort)
            counts[key] += 1
            written[key] += finding.fix is not None and finding.fix.safety == "unsafe"
    return [
        Open(*key, counts[key], written[key], titles.get(key[0], key[0]), left if key[1] in guarded else 1.0)
        for key in sorted(counts)
    ]


def repeated(findings: Iterable[Finding]) -> set[int]:
    """The ids of findings on packages that files before have named: what takes their place is worked out once."""
    found, known = set[int](), set[str]()
    for one in findings:
        if one.group == "packages" and one.effort not in ("none", _WRITTEN):
            if one.rule in known:
                found.add(id(one))
            known.add(one.rule)
    return found


def reviews(findings: Iterable[Finding]) -> dict[str, int]:
    """Safe fixes by file."""
    return dict(sorted(Counter(finding.path for finding in findings if finding.automatic).items()))


def items(load: Load, table: Table) -> list[CostItem]:
    """Everything that one component costs, its blockers apart."""
    law = Law.of(table)
    found = _findings(load, law, table)
    found += _by_file(
        load, law, "review", "Read what was changed automatically", load.review, table.cost("review"), "mechanical"
    )
    found += _by_file(load, law, "tests", "Test kernels", load.kernels, table.cost("tests"), "numeric")
    found += _by_file(load, law, "tuning", "Measure and tune kernels", load.kernels, table.cost("tuning"), "tuning")
    found += _by_file(load, law, "tests", "Test Triton kernels", load.triton, table.cost("triton-tests"), "numeric")
    found += _by_file(
        load, law, "tuning", "Tune Triton kernels for AMD", load.triton, table.cost("triton-tuning"), "tuning"
    )
    for build in sorted(load.builds):
        cost = table.cost("build", build if build in table.at("build") else "other")
        found.append(_once(load, "build", f"Build files ({build})", cost, "build", load.left))
    if load.kind:
        size = min(1.0, math.sqrt(load.lines / load.programs / table.number("size", "full-lines")))
        exponent = table.number("law", "components")
        size *= math.fsum(number**-exponent for number in range(1, load.programs + 1))
        cost = table.cost("integration", load.kind)
        size *= graded(load, lambda kind: table.cost("integration", kind).likely) / cost.likely
        item = _once(load, "integration", "Make it work as a whole", cost, "repair", size * load.left)
        found.append(replace(item, group=load.kind))
    known = table.at("validation")
    runs = [table.cost("validation", category) for category in load.categories if category in known]
    if runs:
        cost = max(runs, key=lambda cost: cost.likely)
        found.append(_once(load, "validation", "Run it, compare numbers, measure", cost, "numeric", 1.0))
    return [item for item in found if item.days.p90 > 0]


def over_components(found: Sequence[Sequence[CostItem]], table: Table) -> list[CostItem]:
    """The items of all components. What each needs once is learned from the first: the j-th dearest costs less.

    Costs that are ranked have one shape in the tables, so that all three points have the same order.
    """
    exponent = table.number("law", "components")
    ranks: dict[str, dict[tuple[str, str], float]] = {}
    for item in (item for items_ in found for item in items_ if item.kind in _ONCE):
        ranks.setdefault(_shape(item), {})[item.component, item.title] = item.days.p50
    factors = {
        (shape, key): (at + 1) ** -exponent
        for shape, days in ranks.items()
        for at, key in enumerate(sorted(days, key=lambda key: (-days[key], key)))
    }
    return [
        _times(item, factors.get((_shape(item), (item.component, item.title)), 1.0))
        for items_ in found
        for item in items_
    ]


def _times(item: CostItem, factor: float) -> CostItem:
    """An item times a factor; the same one where that changes nothing, as for most of them."""
    days = scaled(item.days, factor)
    return item if days == item.days else replace(item, days=days)


def _shape(item: CostItem) -> str:
    """What an item is ranked among: its kind, and of integration the kind of port, whose points have another shape."""
    return f"{item.kind} {item.group}"


def scaled(days: Days, factor: float) -> Days:
    """Days times a factor, as they are shown."""
    return rounded(Days(days.p10 * factor, days.p50 * factor, days.p90 * factor))


@dataclass(frozen=True, slots=True)
class Law:
    """How work grows with places and files; `day` is the hours of one."""

    repeats: float
    files: float
    written: float
    day: float

    @classmethod
    def of(cls, table: Table) -> Law:
        """The law as the tables write it."""
        repeats, files, written = (table.number("law", name) for name in ("repeats", "files", "written"))
        return cls(repeats, files, written, table.number("hours-per-day"))

    def over_files(self, weights: Mapping[str, float]) -> dict[str, float]:
        """The weights of files after the law: the j-th greatest counts j^-files of itself."""
        order = sorted(weights, key=lambda path: (-weights[path], path))
        return {path: weights[path] * (at + 1) ** -self.files for at, path in enumerate(order)}


def hours(table: Table, rule: str, effort: Effort) -> Cost:
    """The hours of one place: those of its rule where it has its own, else those of its word."""
    for entry in table.all("override"):
        if any(fnmatchcase(rule, pattern) for pattern in entry["rules"]):
            return table.points(entry, "hours")
    return table.cost("words", effort)


@lru_cache(maxsize=4096)
def rounded(days: Days) -> Days:
    """Days as they are shown and summed; what costs the same is held once."""
    return Days(round(days.p10, PLACES), round(days.p50, PLACES), round(days.p90, PLACES))


def _findings(load: Load, law: Law, table: Table) -> list[CostItem]:
    """The places that are left: those of one rule and word together, or of one family where rules are one work."""
    groups: dict[tuple[str, Effort], list[Open]] = {}
    work = cache(partial(_work, table))
    for place in load.open:
        groups.setdefault(work(place.rule, place.effort), []).append(place)
    price, found = cache(partial(hours, table)), []
    for (_, effort), places in sorted(groups.items()):
        shares = _alike(places) if _is_one_setting(table, places[0].rule) else _shares(places, law)
        step = "redesign" if effort in ("large", "redesign") else "repair"
        for place in sorted(places, key=lambda place: (place.rule, place.path)):
            cost = price(place.rule, place.effort)
            days = rounded(cost.times(shares[place.rule, place.path, place.effort] * load.left / law.day))
            title = place.title or place.rule
            found.append(
                CostItem(
                    "findings", title, days, place.count, place.rule, place.path, cost.source, load.component, step
                )
            )
    return found


def _work(table: Table, rule: str, effort: Effort) -> tuple[str, Effort]:
    """What a place repeats: its rule and word, or the family of rules that name one work, such as calls of cuDNN."""
    for entry in table.all("override"):
        if "family" in entry and any(fnmatchcase(rule, pattern) for pattern in entry["rules"]):
            return str(entry["family"]), "medium"
    return rule, effort


def _is_one_setting(table: Table, rule: str) -> bool:
    """Whether one setting for the whole program is the work of all places of a rule."""
    return any(entry.get("setting", False) and rule in entry["rules"] for entry in table.all("override"))


def _alike(places: Sequence[Open]) -> dict[tuple[str, str, Effort], float]:
    """What each place weighs where all are one work: by how many each has, together as much as one."""
    counted, left = math.fsum(place.count for place in places), max(place.left for place in places)
    return {(place.rule, place.path, place.effort): left * place.count / counted for place in places}


def _shares(places: Sequence[Open], law: Law) -> dict[tuple[str, str, Effort], float]:
    """What each place weighs: those of a file together by the law for repeats, split by how many each has."""
    weights = {id(place): (place.count - place.written + law.written * place.written, place) for place in places}
    files: dict[str, float] = {}
    left: dict[str, float] = {}
    for count, place in weights.values():
        files[place.path] = files.get(place.path, 0.0) + count
        left[place.path] = max(place.left, left.get(place.path, 0.0))
    ranked = law.over_files({path: count**law.repeats * left[path] for path, count in files.items()})
    return {
        (place.rule, place.path, place.effort): ranked[place.path] * count / files[place.path] if count else 0.0
        for count, place in weights.values()
    }


def _by_file(
    load: Load, law: Law, kind: str, title: str, counts: Mapping[str, int], cost: Cost, step: str
) -> list[CostItem]:
    """Work that each file brings: n fixes or kernels weigh n^repeats, files follow the law for files."""
    weights = law.over_files({path: count**law.repeats for path, count in counts.items() if count})
    return [
        CostItem(
            kind, title, rounded(cost.times(weights[path] * load.left / law.day)), counts[path], "", path, cost.source,
            load.component, step,
        )
        for path in sorted(weights)
    ]  # fmt: skip


def _once(load: Load, kind: str, title: str, cost: Cost, step: str, factor: float) -> CostItem:
    days = rounded(cost.times(factor))
    return CostItem(kind, title, days, 1, "", "", cost.source, load.component, step)
