"""What others state for such code, and in a sentence why the estimate differs from that; the sources of all."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.estimate.category import Part
from cudamigrate.estimate.tables import Table
from cudamigrate.model.estimate import Blocker, Category, CostItem, Days, Source


def published(
    found: Sequence[Part], category: Category, book: Table
) -> tuple[tuple[float, float] | None, tuple[Source, ...]]:
    """What others state for the category, or for what a ported one is apart from that."""
    words = [category, *(part.underlying for part in found if part.category == category)]
    for word in words:
        entry = book.at("published").get(word)
        if entry is not None:
            low, high = (float(point) for point in entry["days"])
            return (low, high), (book.source(entry),)
    return None, ()


def compared(
    category: Category,
    days: Days,
    published: tuple[float, float] | None,
    items: Sequence[CostItem],
    stops: Sequence[Blocker],
    done: float,
) -> str:
    """A sentence on why the estimate and the published range differ."""
    if category == "tensorrt":
        return (
            "Others call a move of TensorRT code not feasible today: the days here are for all around it, and each way "
            "to another stack has its own."
        )
    if published is None:
        return "No range of days for this kind of code is published to compare these with."
    sums: dict[str, float] = {}
    for item in items:
        sums[item.kind] = sums.get(item.kind, 0.0) + item.days.p50
    order = sorted(sums, key=lambda kind: (-sums[kind], kind))
    most = " and ".join(f"{kind} ({_said(sums[kind])} days)" for kind in order[:2])
    range_ = f"{published[0]:g} to {published[1]:g} days that others state for its category"
    if days.p50 < published[0]:
        why = [f"{100 * done:.0f} % of it is ported already"] if done >= 0.3 else []
        why += ["what the tool changes by itself is priced as reading it"] if sums.get("review") else []
        why += ["what has no equivalent is listed as blockers and not counted in"] if stops else []
        why = why or ["there is little of it here"]
        return f"The {_said(days.p50)} days are below the {range_}: {'; '.join(why)}. Most goes into {most}."
    if days.p50 > published[1]:
        return (
            f"The {_said(days.p50)} days are above the {range_}: the code is larger or has more gaps, above all {most}."
        )
    return f"The {_said(days.p50)} days lie within the {range_}; most goes into {most}."


def _said(days: float) -> str:
    """Days as reports print them."""
    return f"{days:.1f}".removesuffix(".0") if days < 10 else f"{days:.0f}"


def sources(items: Sequence[CostItem], more: Sequence[Source]) -> tuple[Source, ...]:
    """Every source of the effort, once."""
    named = [item.source for item in items if item.source is not None]
    return tuple(sorted(dict.fromkeys((*named, *more)), key=lambda source: (source.grade, source.text)))
