"""A whole `scan` beside a whole process that only parses the same files with tree-sitter: start-up and JSON included.

Usage: python tests/bench/whole_process.py NAME=PATH[:LINES]... where PATH is a folder; with `:LINES` its CUDA sources
alone are copied until there are so many lines. Both are processes of their own with `-j 1`, run in turn; each figure is
the least processor time of a few, children's included. The ratio is scan over parse. Two further rows are the time that
passes with two processes, and the start-up: `--help`, and a scan of an empty folder.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEATS = 3
PARSE = """
import sys
from pathlib import Path
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import SourceFile
from cudamigrate.project import discovery
from cudamigrate.syntax import tree_sitter_nodes
from tests.bench.bench import GRAMMARS
root = Path(sys.argv[1])
for entry in discovery.discover(root, Config(), known_files()).entries:
    source = discovery.read(root, entry)
    if isinstance(source, SourceFile) and source.language in GRAMMARS:
        tree_sitter_nodes.parse(GRAMMARS[source.language], source.data)
"""


def cost(command: list[str]) -> tuple[float, float]:
    """The processor time and the time that passes of a process and its children."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - started


def scan(folder: Path, jobs: int) -> list[str]:
    """The command that scans a folder and writes JSON."""
    words = ["scan", "--no-cache", "-j", str(jobs), "-f", "json", "-o", os.devnull, str(folder)]
    return [sys.executable, "-m", "cudamigrate", *words]


def kernels(source: Path, target: Path, lines: int) -> None:
    """Copy CUDA sources with kernels until there are so many lines."""
    for number, path in enumerate(sorted(source.rglob("*.cu*"))):
        if lines > 0 and path.is_file() and b"__global__" in (data := path.read_bytes()):
            (target / f"{number}_{path.name}").write_bytes(data)
            lines -= data.count(b"\n")


def measure(name: str, folder: Path) -> None:
    """Print the rows of one tree."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    scanned, parsed = [], []
    for _ in range(REPEATS):
        parsed.append(cost([sys.executable, "-c", PARSE, str(folder)]))
        scanned.append(cost(scan(folder, 1)))
    least, other = min(one for one, _ in scanned), min(one for one, _ in parsed)
    print(f"{name}: {len(files)} files; scan {least:.2f} s, parse {other:.2f} s, ratio {least / other:.2f}", flush=True)
    two = min(cost(scan(folder, 2))[1] for _ in range(REPEATS))
    one = min(passed for _, passed in scanned)
    print(f"    time that passes: -j 1 {one:.2f} s, -j 2 {two:.2f} s, {one / two:.2f} times faster", flush=True)


def start_up() -> None:
    """Print what a command costs before it works."""
    with tempfile.TemporaryDirectory() as folder:
        for name, words in {"--help": ["--help"], "empty folder": ["scan", folder]}.items():
            took = min(cost([sys.executable, "-m", "cudamigrate", *words])[0] for _ in range(2 * REPEATS))
            print(f"{name}: {took:.3f} s", flush=True)


def main(given: list[str]) -> None:
    """Measure each tree that was named."""
    start_up()
    for word in given:
        name, _, place = word.partition("=")
        path, _, lines = place.partition(":")
        if not lines:
            measure(name, Path(path))
            continue
        with tempfile.TemporaryDirectory() as folder:
            kernels(Path(path), Path(folder), int(lines))
            measure(name, Path(folder))
            shutil.rmtree(folder, ignore_errors=True)
            Path(folder).mkdir()


if __name__ == "__main__":
    main(sys.argv[1:])
