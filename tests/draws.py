"""How many examples a test draws.

`make test` draws the same examples in every run, so that one tree gives one result: many of them add little. `make
draws` draws others each time, and as many as the test asks for.
"""

from __future__ import annotations

import os

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "same")
_SHARE, _FEWEST = 3, 8


def examples(count: int) -> int:
    """The number of examples for `max_examples`: all `count` of fresh draws, a third of those that are the same."""
    return count if PROFILE == "fresh" else min(count, max(count // _SHARE, _FEWEST))
