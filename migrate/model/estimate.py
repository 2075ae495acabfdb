"""Every type of an estimate: what the move costs, what it gives, and what it rests on.

Result: frozen dataclasses that `migrate/estimate/` fills and report formats read. This module imports the standard
library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cudamigrate.lazy_dataclasses import dataclass, replace

Category = Literal[
    "pytorch",
    "pytorch-triton",
    "pytorch-cuda-extension",
    "native-cuda",
    "tensorrt",
    "jax",
    "python-kernels",
    "packages-only",
    "no-gpu",
    "ported",
]
"""What kind of code base a component is; `python-kernels` is CuPy, Numba and PyCUDA."""
Grade = Literal["measured", "vendor", "independent", "derived", "opinion", "assumed", "given"]
"""How good a source is; `given` is what the user said, which nobody has checked."""
Advice = Literal["move", "move-part", "wait", "stay"]
"""The plain recommendation."""


@dataclass(frozen=True, slots=True)
class Days:
    """Engineer-days: one in ten such moves takes at most `p10`, half at most `p50`, nine in ten at most `p90`."""

    p10: float = 0.0
    p50: float = 0.0
    p90: float = 0.0


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number comes from: words that name it, its date (ISO, or as precise as known) and how good it is."""

    text: str
    date: str = ""
    grade: Grade = "assumed"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in the repository that speaks for something; `line` counts from 1, 0 where the file as a whole does."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FileClues:
    """What one file shows of how its repository uses GPUs: words, each with the line and text of its first place.

    `kind` is what the file was read as; `root` tells that its folder is built on its own. `triton` counts the Triton
    kernels, `strings` the CUDA kernels in Python strings.
    """

    kind: str
    root: bool = False
    found: tuple[tuple[str, int, str], ...] = ()
    triton: int = 0
    strings: int = 0


@dataclass(frozen=True, slots=True)
class CostItem:
    """One part of the effort. `kind` groups the parts: findings, review, tests, build, environment, tuning.

    `rule` and `path` are set for work that findings cause; `count` is how many places, kernels or files it covers.
    `component` is the path of the component that it is for, empty for what the repository needs once; `step` is the
    step of the plan that it belongs to. `group` is what it is ranked among, where its kind alone does not say it.
    """

    kind: str
    title: str
    days: Days
    count: int = 0
    rule: str = ""
    path: str = ""
    source: Source | None = None
    component: str = ""
    step: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A way around a blocker, with its own effort; `loses` says what the way gives up."""

    title: str
    days: Days
    loses: str = ""
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Blocker:
    """Something without an equivalent on AMD. Its effort is never part of the total: the way out must be chosen.

    `required` tells that the build, or much of the code, needs it, so that it cannot be left out.
    """

    title: str
    rules: tuple[str, ...]
    places: tuple[Evidence, ...]
    alternatives: tuple[Alternative, ...]
    count: int = 0
    required: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the repository with its own build; `path` is its folder, `.` for what no other component holds.

    `ported` says how far it is ported, 0 to 1, and `hip` the places that show it; `underlying` is the category it has
    apart from that, and `also` what its Python alone would be where that is another. `kind` is the kind of port that it
    is, as the back-test knows them; empty without CUDA code. `programs` counts those of a
    collection of small programs, 0 elsewhere. `strings` counts the CUDA kernels that its Python holds as text.
    """

    path: str
    category: Category
    evidence: tuple[Evidence, ...]
    files: int
    cuda_lines: int
    findings: int
    days: Days
    ported: float = 0.0
    underlying: Category = "no-gpu"
    kind: str = ""
    kernels: int = 0
    also: tuple[Category, ...] = ()
    hip: tuple[Evidence, ...] = ()
    programs: int = 0
    strings: int = 0


@dataclass(frozen=True, slots=True)
class FrameworkUse:
    """A framework that the repository uses, and what ROCm has for it; `status` says how well it works there."""

    name: str
    status: str
    advice: str
    evidence: tuple[Evidence, ...]
    source: Source


UNREAD = ("python/kernel-parts", "python/kernel-source-computed")
"""Rules on kernels in Python of which a text is not read."""
WORKLOADS: Mapping[str, str] = {
    "training": "training",
    "prefill": "prompt processing (prefill)",
    "decode-small": "text generation in small batches",
    "decode-large": "text generation in large batches",
    "image": "image generation",
    "compute": "compute",
}
"""Workloads in the order in which they are shown, and what reports call them."""


@dataclass(frozen=True, slots=True)
class Performance:
    """What to expect of the speed of `peer`, an NVIDIA GPU, in percent.

    `low` and `high` are None where nothing can run there, and where nobody has compared the two, which `no_data` tells.
    `reasons` says what moved the range, each with the percentage points it moved it by.
    """

    workload: str
    gpu: str
    low: float | None
    high: float | None
    reasons: tuple[str, ...]
    sources: tuple[Source, ...]
    peer: str = ""
    no_data: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The recommendation for one workload or for the whole, and why."""

    workload: str
    advice: Advice
    because: str


@dataclass(frozen=True, slots=True)
class Card:
    """A GPU aimed at beside the NVIDIA one that it is compared with; memory is in GB for each card.

    `price` is the newest published pair of prices of the two, None where none is known.
    """

    gpu: str
    arch: str
    memory: int
    peer: str
    peer_memory: int
    source: Source
    price: PricePair | None = None


@dataclass(frozen=True, slots=True)
class PricePair:
    """What two GPUs cost an hour, and what follows at the speeds expected.

    `ratio` is the AMD price as a part of the NVIDIA one: the speed, as a part of the CUDA speed, from which on the work
    costs less there. `against` is what the source itself says against the move.
    """

    price_from: float
    price_to: float
    ratio: float
    verdict: str
    source: Source
    against: str = ""


@dataclass(frozen=True, slots=True)
class CardMoney:
    """What the move to one more card makes of its own prices: the fields are those of the first card's money."""

    gpu: str
    price_from: float
    price_to: float
    savings: tuple[float, float] | None
    months: tuple[float | None, float | None]
    speeds: tuple[float, float] | None = None
    power: tuple[float, float] = (0.0, 0.0)
    pairs: tuple[PricePair, ...] = ()
    contrary: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Business:
    """Money. Rates are in `currency` an hour or a day; `months` is empty where the move never pays for itself.

    Prices, savings and what follows are those of the first of `cards`; `others` has those of each further card whose
    price was given. `cards` are all that are aimed at, those without a price last.

    `gpu_hours` are those of a month on the NVIDIA side. `savings` and `months` are the worse and the better end: the
    first at the lowest speed expected and the dearest move, the second at the highest and the cheapest; `savings` is
    None where no speed is known, as `speeds` is, the lowest and the highest part of the CUDA speed. `power` is what the
    power of a GPU costs an hour now and then, `support` what a month of it costs then. `tokens` are those of a second
    on an NVIDIA GPU, `memory` the GB of a model or working set; 0 where they were not given. `contrary` are
    measurements that speak against the move.
    """

    gpu_hours: float
    price_from: float
    price_to: float
    day_rate: float
    cost: Days
    savings: tuple[float, float] | None
    months: tuple[float | None, float | None]
    currency: str
    sources: tuple[Source, ...]
    cards: tuple[Card, ...] = ()
    speeds: tuple[float, float] | None = None
    power: tuple[float, float] = (0.0, 0.0)
    support: float = 0.0
    tokens: float = 0.0
    memory: float = 0.0
    pairs: tuple[PricePair, ...] = ()
    contrary: tuple[Source, ...] = ()
    others: tuple[CardMoney, ...] = ()


def by_card(business: Business) -> list[Business]:
    """The money of each card that has a price, the first first: each as if it were the only card.

    The tokens are those of the GPU that the first is compared with, and of no other.
    """
    cards = {card.gpu: card for card in business.cards}
    alone = replace(business, cards=business.cards[:1], others=())
    return [alone] + [
        replace(
            alone, price_from=one.price_from, price_to=one.price_to, savings=one.savings, months=one.months,
            speeds=one.speeds, power=one.power, pairs=one.pairs, contrary=one.contrary, cards=(cards[one.gpu],),
            tokens=alone.tokens if cards[one.gpu].peer == business.cards[0].peer else 0.0,
        )
        for one in business.others
        if one.gpu in cards
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Staffing:
    """How long the plan takes from its first day to its last with so many people, in working days."""

    people: int
    days: Days


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the plan. `after` names the steps it waits for; `people` is how many can share it.

    `critical` marks the steps of the longest chain, each shared by as many as it takes.
    """

    name: str
    title: str
    days: Days
    after: tuple[str, ...] = ()
    people: int = 1
    critical: bool = False


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """What a port can do without at first: its name, why it is optional, its days, and how many findings it has.

    Its days are never part of the total.
    """

    name: str
    reason: str
    days: Days
    findings: int = 0


@dataclass(frozen=True, slots=True)
class Replacement:
    """A CUDA library that the repository itself is, and AMD's equivalent, which is used in its place.

    `same` tells that programs find the same names in it, but for prefixes that renaming changes; `limits` is what it
    lacks.
    """

    name: str
    amd: str
    same: bool = False
    evidence: tuple[Evidence, ...] = ()
    source: Source | None = None
    limits: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the move costs and gives.

    `days.p50` is the sum of the items' `p50`. Its `p10` and `p90` are not sums of percentiles: the part of each item's
    spread that all share adds up, the rest adds like independent errors. `published` is the range that others state
    for the category, and `compared` a sentence on why it differs. `resolved` is `days` with the first alternative of
    each blocker, None where nothing blocks. `ported` says how far the CUDA code is ported, 0 to 1.
    `optional` is what a port can do without at first, by what takes longest. `manual` is what it takes without this
    tool, with what renames CUDA's names alone. `kind` is the kind of port that the days are calibrated on, empty where
    no known port stands behind them. `replaced` are the libraries that the repository itself is and AMD has too.
    """

    category: Category
    days: Days
    published: tuple[float, float] | None
    compared: str
    items: tuple[CostItem, ...]
    components: tuple[Component, ...]
    blockers: tuple[Blocker, ...]
    performance: tuple[Performance, ...]
    verdicts: tuple[Verdict, ...]
    plan: tuple[Step, ...]
    frameworks: tuple[FrameworkUse, ...] = ()
    business: Business | None = None
    sources: tuple[Source, ...] = ()
    resolved: Days | None = None
    staffing: tuple[Staffing, ...] = ()
    ported: float = 0.0
    optional: tuple[OptionalPart, ...] = ()
    manual: Days = Days()
    kind: str = ""
    replaced: tuple[Replacement, ...] = ()
