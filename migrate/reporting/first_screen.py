"""Report -> what a reader sees first: the decision in one sentence, components with a score, actions, and their basis.

Every format prints these, so that all say the same. Days are the estimate's; nothing is estimated here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from cudamigrate.model import Finding, Report
from cudamigrate.model.estimate import Blocker, CostItem, Days, Estimate, Source
from cudamigrate.reporting.summary import Tally, balance, between, days, overall, tally

FITTED = (900, 152_000)
"""Lines of CUDA code of the smallest and the largest port that the model is fitted on (docs/effort.md)."""
COLLECTION = 10
"""Components with CUDA code from which on a repository is a collection of programs."""
OLD = ("warp/legacy-", "texture/reference", "texture/surface-reference")
"""Rules about what newer CUDA has removed: shuffles and votes without a mask, texture references."""
AGED = 10
"""Places of such rules from which on a tree is older than the ports behind the model, which have nine at most."""
ACTIONS = 5
"""Actions on the first screen; the others are one line."""
AREAS: Mapping[str, str] = {
    "api": "API calls",
    "lanes": "Warp-level code",
    "ptx": "PTX and tensor cores",
    "libraries": "Libraries",
    "build": "Build",
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
    "build": "Change the build manually where `apply` cannot",
    "python": "Change Python code that expects NVIDIA",
    "environment": "Change packages, images and scripts",
}
_KINDS: Mapping[str, tuple[str, str]] = {
    "review": ("Apply the automatic changes and read them", "fix"),
    "integration": ("Get the whole program running on AMD", ""),
    "validation": ("Run it on AMD and compare the numbers", ""),
    "tests": ("Test the kernels on AMD", "kernel"),
    "tuning": ("Measure and tune the kernels", "kernel"),
    "build": ("Make it build with the HIP compiler", ""),
    "environment": ("Set up AMD machines, drivers and images", ""),
    "ci": ("Build and test on AMD with every change", ""),
    "benchmark": ("Benchmark before traffic is switched", ""),
}
"""What is done for each kind of work, and what its items count."""


@dataclass(frozen=True, slots=True)
class Area:
    """One component: its findings by how they are fixed, its days, and how many blockers it holds.

    `score` is how many findings in a hundred need no manual work, rounded down; 100 only where none does. `gaps` tells
    that the findings are what a port that is there lacks.
    """

    key: str
    title: str
    tally: Tally
    days: float
    blockers: int

    gaps: bool = False

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


def sentence(report: Report) -> str:
    """The decision, its exceptions and its size: the first line of every report."""
    estimate = report.estimate
    if estimate is None:
        counted = tally(report.findings)
        return f"{balance(counted)}." if counted.findings else "Nothing was found that needs to change."
    if report.port is not None and report.port.whole:
        return "Already ported: no gap was found."
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
    return f"{size}."


def optional_lines(estimate: Estimate) -> list[str]:
    """What a port can do without at first, each with its days and why it is optional."""
    return [
        f"Optional, not in the total: {part.name}, {between(part.days)}; {part.reason}." for part in estimate.optional
    ]


def without_tool(estimate: Estimate) -> list[str]:
    """What the tool itself saves, where that shows in the days."""
    without, within = days(estimate.manual.p50), days(estimate.days.p50)
    if without == within or estimate.manual.p50 < estimate.days.p50:
        return []
    why = "The ports behind the model changed warp-level code and PTX manually."
    return [f"Without this tool {without} days, with it {within}. {why}"]


def extrapolated(report: Report) -> list[str]:
    """Why the model may not fit: a tree's kind, size or age, or that it is a collection of programs."""
    estimate = report.estimate
    if estimate is None or report.port is not None or not estimate.items:
        return []
    if not any(part.kind for part in estimate.components):
        return ["Kind: no port of code without CUDA sources is behind the model. The days are the sum of their parts."]
    lines = sum(part.cuda_lines for part in estimate.components)
    found = []
    if not FITTED[0] <= lines <= FITTED[1]:
        most = f"{FITTED[0]:,} to {FITTED[1]:,}"
        found.append(
            f"Size: {lines:,} lines of CUDA; the ports behind the model had {most}. The days are extrapolated."
        )
    old = sum(finding.rule.startswith(OLD) for finding in report.findings)
    if old >= AGED:
        found.append(
            f"Age: {old:,} places are of CUDA 8 or older; the ports behind the model have nine at most. Expect more."
        )
    many = sum(part.programs or bool(part.kind) for part in estimate.components)
    if many >= COLLECTION:
        found.append(f"Collection: {many:,} programs or parts with builds of their own. The days are for all of them.")
    return found


def _decision(report: Report, estimate: Estimate) -> str:
    port = report.port
    if port is not None:
        part = f" ({port.ported:,} of {port.kernels:,} kernels)" if port.ported < port.kernels else ""
        gaps = f"{port.gaps:,} gap{' is' if port.gaps == 1 else 's are'} left"
        return f"Already ported{part}: {gaps}."
    verdict = overall(estimate)
    if verdict is not None and verdict.advice == "stay":
        return "Nothing to port: no GPU code was found." if not estimate.items else "Do not port it yet."
    if verdict is not None and verdict.advice == "wait":
        return "Wait for a newer ROCm."
    if estimate.category == "ported":
        return "Mostly ported already: finish it."
    if estimate.blockers:
        return f"Port it, except {exceptions(estimate.blockers)}."
    return "Port it." if verdict is None or verdict.advice == "move" else "Port a part of it."


def exceptions(blockers: Sequence[Blocker]) -> str:
    """What blocks, in a few words: two by name, the others counted."""
    named = [_inner(blocker.title) for blocker in blockers[:2]]
    rest = len(blockers) - len(named)
    if rest:
        return f"{', '.join(named)} and {rest} more"
    return " and ".join(named)


def _inner(title: str) -> str:
    """A title in the middle of a sentence: without its prefix, its first letter small unless it is a name."""
    title = title.removeprefix("No equivalent: ").split(" without ")[0]
    first = title.split(" ", 1)[0]
    return title if first[1:] != first[1:].lower() or "'" in first else title[:1].lower() + title[1:]


def _spread(spread: Days) -> str:
    unit = "engineer-day" if days(spread.p50) == "1" else "engineer-days"
    return f"{days(spread.p50)} {unit}, {days(spread.p10)} to {days(spread.p90)}"


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
    if library == "CUDA warp matrix functions":
        return "ptx"
    if group in _GROUPS:
        return _GROUPS[group]
    core = not library or library.startswith("CUDA") or library in ("Python", "PyTorch")
    return "api" if core else "libraries"


def areas(report: Report) -> list[Area]:
    """The components that have findings, in their order."""
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(area_of(finding, report), []).append(finding)
    spent: dict[str, float] = {}
    for item in report.estimate.items if report.estimate is not None else ():
        if item.rule:
            key = _item_area(item, report)
            spent[key] = spent.get(key, 0.0) + float(item.days.p50)
    return [
        Area(key, title, tally(found[key]), spent.get(key, 0.0), _blocking(key, report), report.port is not None)
        for key, title in AREAS.items()
        if key in found
    ]


def _item_area(item: CostItem, report: Report) -> str:
    rule = report.rules.get(item.rule)
    return area(item.rule, rule.library if rule is not None else "")


def _blocking(key: str, report: Report) -> int:
    """How many blockers have a rule of the component."""
    if report.estimate is None:
        return 0
    rules = {name: rule.library for name, rule in report.rules.items()}
    return sum(any(area(rule, rules.get(rule, "")) == key for rule in stop.rules) for stop in report.estimate.blockers)


def actions(report: Report) -> list[Action]:
    """Everything there is to do: ways around blockers first, then what takes longest."""
    estimate = report.estimate
    if estimate is None:
        return []
    ways = [_way(blocker) for blocker in estimate.blockers if blocker.alternatives]
    works = [*_repairs(estimate, report), *_rest(estimate)]
    return [*_longest(ways), *_longest(works)]


def chosen(report: Report) -> tuple[list[Action], list[Action]]:
    """The actions of the first screen and the others: no more than two blockers, and what takes longest."""
    every = actions(report)
    ways = [one for one in every if one.blocker][:2]
    works = [one for one in every if not one.blocker]
    shown = [*ways, *works[: ACTIONS - len(ways)]]
    return shown, [one for one in every if one not in shown]


def _longest(found: Iterable[Action]) -> list[Action]:
    return sorted(found, key=lambda action: (-action.days.p50, action.title))


def _way(blocker: Blocker) -> Action:
    first = blocker.alternatives[0]
    places = f"{blocker.count:,} place{'' if blocker.count == 1 else 's'}"
    title = f"Replace {_inner(blocker.title)}: {_inner(first.title)}"
    rule = blocker.rules[0] if blocker.rules else ""
    return Action(
        title,
        first.days,
        places if blocker.count else "",
        f"q={quote(rule)}" if rule else "",
        True,
        _is_assumed(first.source),
    )


def _repairs(estimate: Estimate, report: Report) -> list[Action]:
    found: dict[str, list[CostItem]] = {}
    for item in estimate.items:
        if item.kind == "findings":
            found.setdefault(_item_area(item, report), []).append(item)
    made = []
    for key, items in found.items():
        places = sum(item.count for item in items)
        files = len({item.path for item in items})
        detail = f"{places:,} place{'' if places == 1 else 's'} in {files:,} file{'' if files == 1 else 's'}"
        made.append(Action(_WORK[key], _sum(items), detail, f"area={key}&settled=left", assumed=_mostly(items)))
    return made


def _rest(estimate: Estimate) -> list[Action]:
    found: dict[str, list[CostItem]] = {}
    for item in estimate.items:
        if item.kind != "findings":
            found.setdefault(item.kind, []).append(item)
    made = []
    for kind, items in found.items():
        title, counted = _KINDS.get(kind, (items[0].title, ""))
        many = sum(item.count for item in items)
        detail = f"{many:,} {counted}{('es' if counted == 'fix' else 's') if many != 1 else ''}" if counted else ""
        made.append(
            Action(title, _sum(items), detail, "settled=automatic" if kind == "review" else "", assumed=_mostly(items))
        )
    return made


def _sum(items: Sequence[CostItem]) -> Days:
    return Days(*(float(sum(getattr(item.days, name) for item in items)) for name in ("p10", "p50", "p90")))


def assumed(items: Sequence[CostItem]) -> float:
    """The part of the days, 0 to 1, whose figures are assumed rather than measured."""
    every = sum(item.days.p50 for item in items)
    weak = sum(item.days.p50 for item in items if _is_assumed(item.source))
    return weak / every if every else 0.0


def _is_assumed(source: Source | None) -> bool:
    return source is not None and source.grade == "assumed"


def _mostly(items: Sequence[CostItem]) -> bool:
    return assumed(items) > 0.5


def basis(report: Report) -> list[str]:
    """What the decision rests on: what was read, what the days rest on, what was shown, and what is known of speed."""
    read = sum(file.cuda for file in report.files)
    lines = sum(file.lines for file in report.files if file.cuda)
    many = f"{len(report.files):,} file{'' if len(report.files) == 1 else 's'}"
    found = [report.trend] if report.trend else []
    found += [f"{many} read; {read:,} with CUDA, {lines:,} lines."]
    estimate = report.estimate
    if estimate is not None and estimate.items:
        share = round(100 * assumed(estimate.items))
        fitted = "; the total is calibrated on 20 known ports" if estimate.kind else ""
        found.append(f"Days are a model, not a quote: {share} % of them rest on assumed hours{fitted}.")
        texts = sum(part.strings for part in estimate.components)
        if texts:
            many = f"{texts:,} CUDA kernel{'s are' if texts > 1 else ' is'} in Python strings"
            found.append(f"{many}. Nothing in them is converted.")
        found += [*without_tool(estimate), *extrapolated(report), *optional_lines(estimate)]
    if report.findings:
        found.append(_shown(report))
    if estimate is not None:
        found += _speeds(estimate)
    return found


def _shown(report: Report) -> str:
    proof = report.proof
    if proof is None or not proof.types:
        return "Nothing was compiled or run: `apply` type-checks what it writes, `apply --run` compares results."
    good = proof.types.get("checked", 0) + proof.types.get("declarations", 0)
    ran = [verdict.word for verdict in proof.runs.verdicts] if proof.runs is not None else []
    run = f" {ran.count('same'):,} of {len(ran):,} programs computed the same on an emulated GPU." if ran else ""
    return f"{good:,} of {sum(proof.types.values()):,} converted files type-check for AMD.{run}"


def _speeds(estimate: Estimate) -> list[str]:
    known = [speed for speed in estimate.performance if speed.low is not None and speed.high is not None]
    said = [
        f"{speed.workload} {round(speed.low or 0)} to {round(speed.high or 0)} % of "
        f"{speed.peer.upper() or 'the CUDA speed'} on {speed.gpu.upper()}"
        for speed in known[:3]
    ]
    if said:
        return [f"Speed: {'; '.join(said)}."]
    pairs = dict.fromkeys(f"{one.gpu.upper()} with {one.peer.upper()}" for one in estimate.performance if one.no_data)
    return [f"Speed: no published comparison of {', '.join(pairs)} for such code. Measure first."] if pairs else []
