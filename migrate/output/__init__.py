"""Where converted code goes: one module for each place, with the names that `TargetModule` states.

Result: a patch, a folder or a branch, and one line that says where it lies. No target changes the sources it was made
from, and one that fails or is interrupted leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from cudamigrate.model import Commit, Conversion

__all__ = ["TargetModule", "branch", "patch"]


class TargetModule(Protocol):
    """The names of a target module."""

    def write(
        self,
        root: Path,
        conversions: Sequence[Conversion],
        extra: Mapping[str, bytes],
        place: str,
        force: bool,
        commits: Sequence[Commit] = (),
    ) -> str:
        """Write the result and return one line that says where it lies.

        Paths of `conversions` and of the new files in `extra` are relative to `root`. `place` is what the user named:
        a branch, a folder or a file. `force` allows replacing what is there. `commits` is the same result step by step,
        for a place that has steps. Raises TargetError.
        """

    def refuse(self, root: Path, place: str, force: bool) -> None:
        """Raise the TargetError that `write` would raise for what is in the place: known before the work."""
