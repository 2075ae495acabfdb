"""What `check` does: CUDA-only code in single files or in what is staged, one line for each place.

It runs before every commit, so it imports no option parser: `__main__.py` runs it without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from migrate import config, pipeline
from migrate.cli.console import DONE, FOUND, PARTIAL, fail, note, say

if TYPE_CHECKING:
    from migrate.config import Config


def run(files: Sequence[Path], settings: Config | None = None) -> int:
    """Print what matters in the files; the exit code. Without settings, those of the project around the files hold."""
    for path in files:
        if not path.is_file():
            fail(f"{path} is not a file; name files, or none to check what is staged")
    held = config.load(project_of(files)) if settings is None else settings
    findings, skipped = pipeline.check(pipeline.check_sources(Path("."), files, held), held)
    for finding in findings:
        place = f"{finding.path}:{finding.position.line}:{finding.position.column}"
        say(f"{place}: {finding.rule} {finding.message}")
    for skip in skipped:
        note(f"{skip.path}: skipped ({skip.kind}): {skip.reason}")
    return FOUND if findings else PARTIAL if skipped else DONE


def project_of(files: Sequence[Path]) -> Path:
    """The folder whose configuration holds for the files."""
    return files[0].parent if files else Path(".")
