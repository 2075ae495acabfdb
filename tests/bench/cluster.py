"""What a Dask cluster on this machine makes of a scan: the time that passes with so many workers, beside none.

Processor time is that of this process, and of the workers with the processes of their tasks; it tells what a cluster
costs also where the machine is busy.

Usage: python tests/bench/cluster.py PATH [WORKERS...]. Workers are processes with one thread each, started before the
clock. Reports are compared to the byte.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

import distributed

from cudamigrate import parallel, pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.formats import json


def used() -> float:
    """Processor seconds of this process and of those that it waited for."""
    ours, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ours.ru_utime + ours.ru_stime + others.ru_utime + others.ru_stime


def scanned(root: Path, config: Config) -> tuple[str, float]:
    """The report, and the seconds that passed."""
    started = time.perf_counter()
    report = pipeline.scan(root, config)
    return json.render(replace(report, seconds=0)), time.perf_counter() - started


def main(root: Path, sizes: list[int]) -> None:
    """Print a row for each number of workers."""
    parallel.isolate()
    config = Config(jobs=1, cache=False)
    before = used()
    expected, took = scanned(root, config)
    print(f"{root.name}: this machine, -j 1: {took:.1f} s passed, {used() - before:.1f} s used", flush=True)
    for workers in sizes:
        before = used()
        with distributed.LocalCluster(
            n_workers=workers, processes=True, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster:
            got, passed = scanned(root, replace(config, scheduler=cluster.scheduler_address))
        same = "the same report" if got == expected else "ANOTHER REPORT"
        print(f"  {workers} workers: {passed:.1f} s passed, {used() - before:.1f} s used, {same}", flush=True)
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(word) for word in sys.argv[2:]] or [1, 2, 4])
