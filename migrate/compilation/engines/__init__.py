"""Engines that judge converted code: one module for each, with the names that `Engine` states.

Each engine compiles units of work and returns the compiler's diagnostics unchanged; `verification` says what they mean
for a file.
"""

from __future__ import annotations

from typing import Protocol

from cudamigrate.model import Target
from cudamigrate.model.verification import Checked, Toolchain, Unit

__all__ = ["Engine", "clang", "hipcc"]


class Engine(Protocol):
    """The names of an engine's module."""

    def find(self, target: Target) -> Toolchain | str:
        """What the engine would judge with, or one line that says what to install."""
        ...

    def check(self, unit: Unit, toolchain: Toolchain) -> Checked:
        """Type-check one file, device and host pass."""
        ...
