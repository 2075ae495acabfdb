"""ReadOnce: what analyses of one file come to, each worked out once for all who ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from cudamigrate.lazy_dataclasses import dataclass, field

Self = TypeVar("Self", bound="ReadOnce")
Result = TypeVar("Result")


@dataclass(slots=True, kw_only=True)
class ReadOnce:
    """A file that keeps the results of analyses. A result lives as long as the file does."""

    _results: dict[Callable[[Any], Any], Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self: Self, analyse: Callable[[Self], Result]) -> Result:
        """The result of `analyse` for this file, which is called the first time only."""
        if analyse not in self._results:
            self._results[analyse] = analyse(self)
        return cast("Result", self._results[analyse])

    def forget(self) -> None:
        """Let go of all results: most refer to the file, so that only the collector of garbage would find them."""
        self._results.clear()

    def has(self: Self, analyse: Callable[[Self], Any]) -> bool:
        """Whether somebody asked for an analysis."""
        return analyse in self._results
