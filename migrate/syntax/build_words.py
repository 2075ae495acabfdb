"""The strings that a build file's expressions give, and whether it gives them in any case."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass

UNKNOWN = "\0"
"""What is in a string for a part that only a build knows."""


@dataclass(frozen=True, slots=True)
class Word:
    """A string; `sure` is false where a condition gives it or another one."""

    text: str
    sure: bool = True
