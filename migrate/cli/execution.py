"""Programs run on an emulated GPU, for the commands that can: options in, verdicts out, and what is said meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.cli.console import fail, note, progress
from cudamigrate.emulation import run as emulation
from cudamigrate.emulation import text
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Flags
from cudamigrate.pipeline import prove

if TYPE_CHECKING:
    from cudamigrate.cli.options import Running
    from cudamigrate.config import Config
    from cudamigrate.model.execution import Execution
    from cudamigrate.pipeline import Applied

_SAID = "Running code of the repository on an emulated GPU, as --run asks."


def execute(path: Path, original: Path | None, running: Running, config: Config) -> Execution:
    """Run the programs or kernels of a converted tree; ends the process where nothing can be run."""
    note(_SAID)
    options = _options(config, running.waves, running.schedule, running.execution.time_limit)
    options = replace(options, kernels=tuple(running.kernels or ()))
    with progress("Running") as step:
        ran = prove.execute(path, original, options, step)
    if ran.absent:
        fail(ran.absent)
    return ran


def run_applied(applied: Applied, config: Config, seconds: int) -> Execution:
    """Run what `apply` made beside the original, and tell."""
    note(_SAID)
    with progress("Running") as step:
        ran = prove.execute_applied(applied, _options(config, "32,64", "lockstep", seconds), step)
    note(text.render_text(ran).rstrip())
    return ran


def _options(config: Config, waves: str, schedule: str, seconds: int) -> emulation.Options:
    """How programs are run, from words of the command line; ends the process where they are wrong."""
    try:
        lanes = emulation.waves_of(waves.split(","))
    except ValueError:
        fail(f"--wave takes 32, 64 or 32,64, not {waves!r}")
    order, _, seed = schedule.replace(" ", ":").partition(":")
    if order not in emulation.SCHEDULES or (seed and not seed.isdigit()):
        fail(f"--schedule takes lockstep, free or random:SEED, not {schedule!r}")
    limits = replace(emulation.Options().limits, seconds=seconds)
    flags = Flags(config.standard, config.defines, config.include_dirs)
    return emulation.Options(lanes, order, int(seed or 1), limits, flags, config.jobs)
