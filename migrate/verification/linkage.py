"""Errors of headers that are read inside of `extern "C" {`: the fault is where they are included, not the engine's.

Whatever compiler reads them refuses templates with C linkage, so that a unit with such an error does not compile. What
else goes wrong in these headers follows from it, and is no sign of an engine or of headers that lack something.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model.verification import BROKEN, Diagnostic

_LINKAGE = "templates must have C++ linkage"
"""What clang says of a template in `extern "C" {`; its note is at the block."""


def judged(entries: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The complaints of a unit, without what follows from headers read with C linkage, where some are."""
    wrong = any(one.kind == "error" and one.message.startswith(_LINKAGE) for one in entries)
    return [one for one in entries if not (wrong and _follows(one))]


def _follows(entry: Diagnostic) -> bool:
    return entry.kind == "stand-in" or (entry.kind == "missing-header" and entry.header.endswith(BROKEN))
