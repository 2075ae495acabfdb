"""How the cost of the analysis of warps grows: processor time from 1,000 lines of real kernels up to all there are.

Usage: python tests/bench/warp_growth.py PATH [PATH...]. Files with kernels are taken in a fixed order that mixes the
projects, so that each size has the same kind of code; the exponent is the slope of a straight line through the
logarithms, 1 for linear growth.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp import graph
from cudamigrate.warp.cross_file_facts import summary
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import Evaluator

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)


def main(folders: list[str]) -> None:
    """Print a row for each size that the folders have lines for."""
    found = (path for folder in folders for path in Path(folder).rglob("*.cu*") if path.is_file())
    files = sorted(found, key=lambda path: sha256(path.name.encode() + path.read_bytes()).digest())
    kernels = [data for path in files if b"__global__" in (data := path.read_bytes())]
    rows: list[tuple[int, float, float]] = []
    for size in SIZES:
        taken, lines = [], 0
        for data in kernels:
            if lines >= size:
                break
            taken.append(data)
            lines += data.count(b"\n")
        if lines < size:
            break
        parsed = [cuda.parse(SourceFile(f"{at}.cu", data, "cuda"), frozenset()) for at, data in enumerate(taken)]
        seconds = _timed(_graph, parsed), _timed(_units, parsed)
        rows.append((lines, *seconds))
        print(
            f"{lines:8,} lines  graph and facts {seconds[0]:7.2f} s  units and widths {seconds[1]:7.2f} s", flush=True
        )
    for name, column in (("graph and facts", 1), ("units and widths", 2)):
        print(f"{name}: grows with the power {_slope([(row[0], row[column]) for row in rows]):.2f}")


def _graph(parsed: list[ParsedFile]) -> None:
    list(failures(Evaluator([graph.of(one) for one in parsed])))


def _units(parsed: list[ParsedFile]) -> None:
    for one in parsed:
        summary(one)


def _timed(work: Callable[[list[ParsedFile]], None], parsed: list[ParsedFile]) -> float:
    started = time.process_time()
    work(parsed)
    return time.process_time() - started


def _slope(points: list[tuple[int, float]]) -> float:
    logs = [(math.log(lines), math.log(max(seconds, 1e-6))) for lines, seconds in points]
    middle = sum(x for x, _ in logs) / len(logs), sum(y for _, y in logs) / len(logs)
    spread = sum((x - middle[0]) ** 2 for x, _ in logs)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in logs) / spread


if __name__ == "__main__":
    main(sys.argv[1:])
