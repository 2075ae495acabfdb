"""The types of proof by running: what was run, what was said of it, and the faults that were seen.

Paths are relative to the root of the tree in POSIX form; lines count from 1, and 0 is an unknown one.
"""

from __future__ import annotations

from typing import Literal

from cudamigrate.lazy_dataclasses import dataclass

RunWord = Literal["same", "differs", "not-run"]
"""The verdict on a program or a kernel: it computes what the original does, it does not, or nothing was compared."""
RUN_WORDS: tuple[RunWord, ...] = ("same", "differs", "not-run")


@dataclass(frozen=True, slots=True)
class Fault:
    """What a run shows and a GPU hides. `where` is the thread; `origin` the place in the original, empty if unknown."""

    kind: str
    detail: str
    path: str = ""
    line: int = 0
    kernel: str = ""
    where: str = ""
    origin: str = ""
    original_too: bool = False


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """What running one program, or one kernel, showed. `reason` is the first difference, or why nothing was run.

    `waves` are the widths that the converted code was run with; `compared` counts the numbers that were compared.
    """

    name: str
    word: RunWord
    reason: str = ""
    waves: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    compared: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Execution:
    """All verdicts of a run, sorted by name. `absent` says why nothing was run, and is empty otherwise.

    `reference` says what the converted code was compared with, `sandbox` what the programs could not do, and `what`
    whether they were programs or kernels by themselves.
    """

    verdicts: tuple[RunVerdict, ...] = ()
    compiler: str = ""
    reference: str = ""
    sandbox: str = ""
    absent: str = ""
    seconds: float = 0.0
    what: Literal["program", "kernel"] = "program"

    @property
    def differs(self) -> bool:
        """Whether a program computes something else than the original."""
        return any(verdict.word == "differs" for verdict in self.verdicts)
