"""Report -> what a reader sees first: the decision in one sentence, components with a score, and actions.

Every format prints these, so that all say the same. Days are the estimate's; nothing is estimated here.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from urllib.parse import quote

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import Finding, Report
from cudamigrate.model.estimate import Blocker, CostItem, Days, Estimate
from cudamigrate.reporting.addends import remaining
from cudamigrate.reporting.basis import assumed, is_assumed, of_step
from cudamigrate.reporting.headline import inner
from cudamigrate.reporting.summary import Tally, days, tally
from cudamigrate.wording import count_of

ACTIONS = 5
"""Actions on the first screen; the others are one line."""
AREAS: Mapping[str, str] = {
    "api": "API calls",
    "lanes": "Warp-level code",
    "ptx": "PTX and tensor cores",
    "libraries": "Libraries",
    "build": "Build and preprocessor",
    "python": "Python",
    "environment": "Packages and environment",
}
"""The components that have a score, in the order in which they are shown."""
_GROUPS: Mapping[str, str] = {
    "warp": "lanes",
    "cooperative-groups": "lanes",
    "ptx": "ptx",
    "library": "libraries",
    "build": "build",
    "python": "python",
    "triton": "python",
    "packages": "environment",
    "environment": "environment",
}
_WORK: Mapping[str, str] = {
    "api": "Change API calls without a direct HIP equivalent",
    "lanes": "Fix code that assumes 32 lanes",
    "ptx": "Rewrite inline PTX",
    "libraries": "Replace library calls without a HIP equivalent",
    "build": "Change build files and conditions on CUDA manually",
    "python": "Change Python code that expects NVIDIA",
    "environment": "Change packages, images and scripts",
}
_CAUSES: Mapping[str, str] = {
    "texture": "Replace textures and surfaces",
    "memory": "Fix memory, limits and device properties",
    "launch": "Fix launches and barriers",
    "math": "Fix arithmetic that differs",
    "library": "Tune matrix fragments with rocWMMA",
}
"""Groups of rules that are work of their own among API calls, the last among tensor cores, and what is done."""
_WAITS, _WAITING = ("memory/block-spin", "memory/plain-poll"), "Fix loops that may wait for ever on AMD"
"""Rules of memory for waits that hang, and what is done where there is nothing else of memory to do."""
_KINDS: Mapping[str, tuple[str, str]] = {
    "review": ("Apply the automatic changes and read them", "fix"),
    "gaps": ("Convert the files that the port lacks and read them", "place"),
    "integration": ("Get the whole program running on AMD", ""),
    "validation": ("Run it on AMD and compare the numbers", ""),
    "tests": ("Test the kernels on AMD", "kernel"),
    "tuning": ("Measure and tune the kernels", "kernel"),
    "build": ("Make it build with the HIP compiler", ""),
    "environment": ("Set up AMD machines, drivers and images", ""),
    "ci": ("Build and test on AMD with every change", ""),
    "benchmark": ("Benchmark it on AMD", ""),
}
"""What is done for each kind of work, and what its items count."""


@dataclass(frozen=True, slots=True)
class Area:
    """One component: its findings by how they are fixed, its days, and how many blockers it holds.

    `score` is how many findings in a hundred need no manual work, rounded down; 100 only where none does. `gaps` tells
    that the findings are what a port that is there lacks, `optional` that most of its manual work is not in the total.
    """

    key: str
    title: str
    tally: Tally
    days: float
    blockers: int

    gaps: bool = False
    optional: bool = False

    @property
    def score(self) -> int | None:
        """Findings in a hundred that need no manual work; None for the gaps of a port, which are all that was found."""
        if self.gaps:
            return None
        return 100 - -(-100 * self.tally.manual // self.tally.findings) if self.tally.findings else 100


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. `query` selects its findings in the HTML page; a blocker's days are not in the total.

    `assumed` tells that most of its days are assumed, not measured.
    """

    title: str
    days: Days
    detail: str = ""
    query: str = ""
    blocker: bool = False
    assumed: bool = False


def scored(area: Area) -> str:
    """The score of a component in words."""
    return "gaps only" if area.score is None else f"{area.score} %"


def area_of(finding: Finding, report: Report) -> str:
    """The component that a finding belongs to."""
    rule = report.rules.get(finding.rule)
    return area(finding.rule, rule.library if rule is not None else "")


def area(rule: str, library: str) -> str:
    """The component of a rule: by its group, and by its library where that is another than CUDA itself."""
    group = rule.partition("/")[0]
    if library == "CUDA warp matrix functions" or rule == "library/matrix-fragments":
        return "ptx"
    if group in _GROUPS:
        return _GROUPS[group]
    core = not library or library.startswith("CUDA") or library in ("Python", "PyTorch")
    return "api" if core else "libraries"


def areas(report: Report) -> list[Area]:
    """The components in which something is to be done, in their order."""
    of_rules: dict[str, list[Finding]] = {}
    for finding in report.findings:
        of_rules.setdefault(finding.rule, []).append(finding)
    found: dict[str, list[Finding]] = {}
    for mine in of_rules.values():  # a report has many findings, and few rules
        found.setdefault(area_of(mine[0], report), []).extend(mine)
    counts_of_rules = {rule: len(mine) for rule, mine in of_rules.items()}
    spent: dict[str, float] = {}
    counted: dict[str, int] = {}
    for item in report.estimate.items if report.estimate is not None else ():
        if item.rule:
            key = _item_area(item, report)
            spent[key] = spent.get(key, 0.0) + float(item.days.p50)
            counted[key] = counted.get(key, 0) + item.count
    made = []
    for key, title in AREAS.items():
        if key in found and (counts := tally(found[key])).work:
            stops = _blocking(key, report, counts_of_rules)
            apart = _is_optional(counts.left, counted.get(key, 0), report) and not stops
            made.append(Area(key, title, counts, spent.get(key, 0.0), stops, report.port is not None, apart))
    return made


def _is_optional(left: int, counted: int, report: Report) -> bool:
    """Whether more of the findings that are left are in optional parts than in the total."""
    return report.estimate is not None and bool(report.estimate.optional) and left - counted > counted


def area_days(area: Area) -> str:
    """The days of a component in words, and what it holds that is not among them."""
    blockers = f" + {count_of(area.blockers, 'blocker')}" if area.blockers else ""
    return days(area.days) + (blockers or (" + optional" if area.optional else ""))


def _item_area(item: CostItem, report: Report) -> str:
    rule = report.rules.get(item.rule)
    return area(item.rule, rule.library if rule is not None else "")


def _blocking(key: str, report: Report, counts: Mapping[str, int]) -> int:
    """How many blockers are of the component; one with rules of several is of that with most of its findings.

    `counts` has the findings of each rule.
    """
    if report.estimate is None:
        return 0
    rules = {name: rule.library for name, rule in report.rules.items()}
    found = 0
    for stop in report.estimate.blockers:
        sums: dict[str, int] = {}
        for rule in stop.rules:
            of = area(rule, rules.get(rule, ""))
            sums[of] = sums.get(of, 0) + counts.get(rule, 0)
        found += max(sums, key=lambda of: sums[of], default="") == key
    return found


def actions(report: Report) -> list[Action]:
    """Everything there is to do: ways around blockers first, then what takes longest."""
    estimate = report.estimate
    if estimate is None:
        return []
    ways = [_way(blocker) for blocker in estimate.blockers if blocker.alternatives]
    works = [*_repairs(estimate, report), *_rest(estimate, report)]
    return [*_longest(ways), *_longest(works)]


def chosen(report: Report) -> tuple[list[Action], list[Action]]:
    """The actions of the first screen and the others: no more than two blockers, and what takes longest."""
    every = actions(report)
    ways = [one for one in every if one.blocker][:2]
    works = [one for one in every if not one.blocker]
    shown = [*ways, *works[: ACTIONS - len(ways)]]
    return shown, [one for one in every if one not in shown]


def smaller(report: Report) -> list[tuple[str, str]]:
    """What the first screen leaves out, as words and days: work of the total, then blockers, which are not in it."""
    shown, rest = chosen(report)
    total = report.estimate.days.p50 if report.estimate is not None else 0.0
    works, stops = ([one.days.p50 for one in rest if one.blocker is stop] for stop in (False, True))
    made = []
    if works:
        mine = [one.days.p50 for one in shown if not one.blocker]
        many = count_of(len(works), "smaller one")
        made.append((many, _in_days(remaining(mine, sum(works), total))))
    if stops:
        many = f"{count_of(len(stops), 'more blocker')}, not in the total"
        made.append((many, _in_days(days(sum(stops)))))
    return made


def _in_days(count: str) -> str:
    return "under 0.1 days" if count == "0" else f"{count} day{'' if count == '1' else 's'}"


def _longest(found: Iterable[Action]) -> list[Action]:
    return sorted(found, key=lambda action: (-action.days.p50, action.title))


def _way(blocker: Blocker) -> Action:
    first = blocker.alternatives[0]
    places = count_of(blocker.count, "place")
    title = f"Replace {inner(blocker.title)}: {inner(first.title)}"
    rule = blocker.rules[0] if blocker.rules else ""
    return Action(
        title,
        first.days,
        places if blocker.count else "",
        f"q={quote(rule)}" if rule else "",
        blocker=True,
        assumed=is_assumed(first.source),
    )


def _repairs(estimate: Estimate, report: Report) -> list[Action]:
    """Places that are left, one action for each cause: a group of rules, or a library of CUDA's by its name."""
    found: dict[tuple[str, str], list[CostItem]] = {}
    lacking = {finding.rule for finding in report.findings if finding.support == "none"}
    for item in estimate.items:
        if item.kind == "findings":
            key = _item_area(item, report)
            found.setdefault((key, _cause(item, key, report)), []).append(item)
    made = []
    for (key, cause), items in found.items():
        places = sum(item.count for item in items)
        files = len({item.path for item in items})
        detail = f"{count_of(places, 'place')} in {count_of(files, 'file')}"
        title = _CAUSES.get(cause) or (f"Replace {cause} calls" if cause else _work(key, items, lacking))
        if cause == "memory" and all(one.rule in _WAITS for one in items):
            title = _WAITING
        chosen = f"group={cause}" if cause in _CAUSES else f"area={key}" + (f"&q={quote(cause)}" if cause else "")
        made.append(Action(title, _sum(items), detail, f"{chosen}&settled=left", assumed=_mostly(items)))
    return made


def _work(key: str, items: Sequence[CostItem], lacking: Container[str]) -> str:
    """What is done in a component; `lacking` are the rules for what has no HIP equivalent."""
    if key == "libraries" and not all(item.rule in lacking for item in items):
        return "Change uses of libraries manually"
    return _WORK[key]


def _cause(item: CostItem, key: str, report: Report) -> str:
    """What the places of an item have in common inside their component; empty where nothing tells them apart."""
    if key == "libraries":
        rule = report.rules.get(item.rule)
        return rule.library if rule is not None and not rule.library.startswith("CUDA") else ""
    group = item.rule.partition("/")[0]
    return group if key in ("api", "ptx") and group in _CAUSES else ""


def _rest(estimate: Estimate, report: Report) -> list[Action]:
    """What is not repair, by kind; fixes of files that count as one gap of a port are no automatic findings."""
    found: dict[str, list[CostItem]] = {}
    fixed = {finding.path for finding in report.findings if finding.automatic}
    for item in estimate.items:
        if item.kind != "findings":
            lacking = item.kind == "review" and item.path != "" and item.path not in fixed
            found.setdefault("gaps" if lacking else item.kind, []).append(item)
    made = []
    for kind, items in found.items():
        title, counted = _KINDS.get(kind, (items[0].title, ""))
        many = sum(item.count for item in items)
        every = sum(one.automatic for one in report.findings) if kind == "review" else many
        part = f" of {every:,}" if many < every else ""  # those of optional parts are in the days of these
        plural = ("es" if counted == "fix" else "s") if every != 1 else ""
        detail = f"{many:,}{part} {counted}{plural}" if counted else ""
        made.append(
            Action(
                title,
                of_step(items, estimate) or _sum(items),
                detail,
                "settled=automatic" if kind == "review" else "",
                assumed=_mostly(items),
            )
        )
    return made


def _sum(items: Sequence[CostItem]) -> Days:
    return Days(*(float(sum(getattr(item.days, name) for item in items)) for name in ("p10", "p50", "p90")))


def _mostly(items: Sequence[CostItem]) -> bool:
    return assumed(items) > 0.5
