"""Parts -> a total, and the spread of a total.

The total's P50 is the sum of the items'. Its P90 lies above by `common` of the sum of their upward spreads, for what
all items share (a tree that is worse than it looks, people new to the platform), and by the rest of the root of the sum
of squares, for what is each item's own. P10 likewise. Another item, or a dearer one, lowers none of the three.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from cudamigrate.estimate.effort import PLACES
from cudamigrate.model.estimate import Days


def total(parts: Iterable[Days], common: float) -> Days:
    """The sum of parts whose risks are correlated by `common`, 0 to 1."""
    found = list(parts)
    middle = round(math.fsum(part.p50 for part in found), PLACES)
    up = _spread([part.p90 - part.p50 for part in found], common)
    down = _spread([part.p50 - part.p10 for part in found], common)
    return Days(round(max(0.0, middle - down), PLACES), middle, round(middle + up, PLACES))


def _spread(parts: list[float], common: float) -> float:
    shared = math.fsum(parts)
    own = math.sqrt(math.fsum(part * part for part in parts))
    return common * shared + (1 - common) * own


def plus(first: Days, second: Days) -> Days:
    """Two totals whose risks go together in full."""
    return Days(
        round(first.p10 + second.p10, PLACES),
        round(first.p50 + second.p50, PLACES),
        round(first.p90 + second.p90, PLACES),
    )
