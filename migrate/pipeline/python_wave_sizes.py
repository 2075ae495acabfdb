"""Warp sizes that Python asks a GPU for: they stay unreported where no code of the repository counts 32 lanes.

Kernels of the repository do where they have warp-level code that the conversion keeps to groups of 32 lanes. Code that
is written for the wave of AMD's GPUs has no such finding, and is launched with the size that the GPU has.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult

_RULE = "python/queried-warp-size"
_OF_LANES = ("warp/", "cooperative-groups/", "library/cub-warp", "python/numba-warp")
"""What the rules on warp-level code and groups of threads begin with."""
_OF_HOST = frozenset(("warp/queried-size", "warp/pytorch-size"))
"""Those on what the host asks for."""


def without_idle_wave_sizes(results: Sequence[FileResult]) -> list[FileResult]:
    """The results, without these findings where nothing counts 32 lanes."""
    if not any(one.rule == _RULE for result in results for one in result.findings):
        return list(results)
    counted = any(_counts(one.rule) for result in results for one in result.findings)
    return list(results) if counted else [_without(one) for one in results]


def _counts(rule: str) -> bool:
    return rule.startswith(_OF_LANES) and rule not in _OF_HOST


def _without(result: FileResult) -> FileResult:
    kept = tuple(one for one in result.findings if one.rule != _RULE)
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)
