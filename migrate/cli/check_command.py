"""The command `check`: CUDA-only code in single files or in what is staged, one line for each place.

Comes in: files, none for what is staged in git, and what was said of releases and GPUs. Goes out: lines, through
`console.py`, and the exit code. It imports no option parser: `__main__.py` runs it without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from migrate import config, pipeline
from migrate.cli.console import DONE, FOUND, PARTIAL, fail, note, say


def run(
    files: Sequence[Path], rocm: str | None = None, cuda: str | None = None, arch: Sequence[str] | None = None
) -> int:
    """Print what matters in the files; the exit code."""
    for path in files:
        if not path.is_file():
            fail(f"{path} is not a file; name files, or none to check what is staged")
    loaded = config.load(files[0].parent if files else Path("."))
    settings = config.with_options(loaded, rocm=rocm, cuda=cuda, arch=tuple(arch) if arch else None)
    findings, skipped = pipeline.check(pipeline.check_sources(Path("."), files, settings), settings)
    for finding in findings:
        place = f"{finding.path}:{finding.position.line}:{finding.position.column}"
        say(f"{place}: {finding.rule} {finding.message}")
    for skip in skipped:
        note(f"{skip.path}: skipped ({skip.kind}): {skip.reason}")
    return FOUND if findings else PARTIAL if skipped else DONE
