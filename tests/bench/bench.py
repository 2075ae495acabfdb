"""Speed of `scan` beside tree-sitter's own parse of the same files, and what a command costs before it works.

Usage: python tests/bench/bench.py PATH [PATH...]. Two parse times are beside a scan: that of the tree, which parses
every file that scan reads and that has a grammar, each with its own (C++, Python, shell, YAML, TOML, JSON); and
that of the calls, which parses once more exactly what scan gave to tree-sitter: it puts most files aside by a look at
their bytes, and parses shell text that is in others. All these are processor time, so that other work on the
machine does not show; only the gain of a second process is in time that passes. Each is the best of a few runs.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from tree_sitter import Tree

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import SourceFile
from cudamigrate.project import discovery
from cudamigrate.syntax import tree_sitter_nodes

REPEATS = 5
GRAMMARS = {
    "cuda": "cuda", "cxx": "cuda", "python": "python", "shell": "bash", "toml": "toml",
    "yaml": "yaml", "conda": "yaml", "devcontainer": "json",
}  # fmt: skip
"""The grammar of each language; the others are read without one."""
Text = tuple[str, bytes]
"""A grammar, and what it is to parse."""


def best(function: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """The least time of a few runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        started = clock()
        function()
        times.append(clock() - started)
    return min(times)


def of_processes() -> float:
    """Processor time of the processes started from here that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_tree(root: Path, config: Config) -> Iterator[Text]:
    """Every file that scan reads, with its grammar."""
    for entry in discovery.discover(root, config, known_files()).entries:
        source = discovery.read(root, entry)
        if isinstance(source, SourceFile) and source.language in GRAMMARS:
            yield GRAMMARS[source.language], source.data


def of_calls(root: Path, config: Config) -> list[Text]:
    """What scan gives to tree-sitter."""
    texts: list[Text] = []
    parse = tree_sitter_nodes.parse

    def noted(name: str, data: bytes) -> Tree:
        texts.append((name, data))
        return parse(name, data)

    with patch.object(tree_sitter_nodes, "parse", noted):
        pipeline.scan(root, config)
    return texts


def parse_all(texts: list[Text]) -> None:
    """What any tool on tree-sitter pays for these texts."""
    for name, data in texts:
        tree_sitter_nodes.parse(name, data)


def measure(root: Path) -> None:
    """Print the rows for a repository."""
    config = replace(Config(), jobs=1, cache=False)
    report = pipeline.scan(root, config)
    calls, whole = of_calls(root, config), list(of_tree(root, config))
    lines, files = sum(file.lines for file in report.files), len(report.files)
    parsed_tree, parsed_calls = best(lambda: parse_all(whole)), best(lambda: parse_all(calls))
    scanned = best(lambda: pipeline.scan(root, config))
    one = best(lambda: pipeline.scan(root, config), time.perf_counter)
    two = best(lambda: pipeline.scan(root, replace(config, jobs=2)), time.perf_counter)
    print(f"{root.name}: {files} files, {lines} lines, {sum(file.size for file in report.files) / 1e6:.1f} MB")
    for name, parsed, texts in (("tree", parsed_tree, whole), ("calls", parsed_calls, calls)):
        print(f"  parse of the {name:5} {parsed:7.3f} s  {len(texts)} texts; scan takes {scanned / parsed:.2f} of that")
    print(f"  scan -j1           {scanned:7.3f} s  {files / scanned:.0f} files/s, {lines / scanned:.0f} lines/s")
    print(f"  on two processes   {one / two:5.2f} times faster ({one:.3f} and {two:.3f} s that pass)", flush=True)


def start_up() -> None:
    """Print what a command costs before it does anything, and a check of one staged file."""
    fixture = Path(__file__).parents[2] / "fixtures" / "projects" / "reduction" / "before" / "src" / "reduce.cu"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / fixture.name).write_bytes(fixture.read_bytes())
        for git in ("init -q", "add ."):
            subprocess.run(["git", *git.split()], cwd=folder, check=True)
        for words in ("--help", "--version", "check", f"check {fixture.name}", "check --rocm 7.0"):
            command = [sys.executable, "-m", "cudamigrate", *words.split()]
            took = best(lambda c=command: subprocess.run(c, cwd=folder, capture_output=True), of_processes)  # type: ignore[misc]
            print(f"{words:18} {took:.3f} s")


if __name__ == "__main__":
    start_up()
    for given in sys.argv[1:]:
        measure(Path(given))
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
