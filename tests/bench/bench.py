"""Speed of `scan` beside the bare tree-sitter parse of the same files, in one run.

Usage: python tests/bench/bench.py PATH [PATH...]. Each figure is the best of three, processes started afresh where
the user would wait for them to start.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from migrate import discover, pipeline, trees
from migrate.config import Config
from migrate.frontends import cuda
from migrate.model import SourceFile

REPEATS = 3


def best(function: Callable[[], object]) -> float:
    """Shortest of a few runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return min(times)


def parse_all(root: Path, config: Config) -> None:
    """What any tool on tree-sitter pays: read and parse every file that scan reads."""
    for entry in discover.discover(root, config, cuda.FILES).entries:
        source = discover.read(root, entry)
        if isinstance(source, SourceFile):
            trees.parse("cuda", source.data)


def measure(root: Path) -> None:
    """Print one row for a repository."""
    config = Config()
    pipeline.rules(pipeline.target(config))
    report = pipeline.scan(root, config)
    lines = sum(file.lines for file in report.files)
    megabytes = sum(file.size for file in report.files) / 1e6
    bare = best(lambda: parse_all(root, replace(config, jobs=1)))
    one = best(lambda: pipeline.scan(root, replace(config, jobs=1)))
    two = best(lambda: pipeline.scan(root, replace(config, jobs=2)))
    print(
        f"{root.name:28} {len(report.files):5} files {lines:8} lines {megabytes:6.1f} MB  parse {bare:6.3f} s  "
        f"scan -j1 {one:6.3f} s ({one / bare:4.2f})  -j2 {two:6.3f} s ({two / bare:4.2f}, {one / two:4.2f}x)  "
        f"{len(report.files) / two:6.0f} files/s {lines / two:8.0f} lines/s"
    )


def start_up() -> None:
    """Print what a command costs before it does anything, and a check of one file."""
    fixture = Path(__file__).parents[2] / "fixtures" / "projects" / "reduction" / "before" / "src" / "reduce.cu"
    for name, words in (("--help", ["--help"]), ("--version", ["--version"]), ("check", ["check", str(fixture)])):
        command = [sys.executable, "-m", "migrate", *words]
        print(f"{name:12} {best(lambda c=command: subprocess.run(c, capture_output=True)):.3f} s")  # type: ignore[misc]


if __name__ == "__main__":
    start_up()
    for given in sys.argv[1:]:
        measure(Path(given))
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
