"""A scan on a cluster gives the report of a scan on this machine, also where a worker is killed in mid-run."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.errors import InputError
from cudamigrate.pipeline import cluster
from cudamigrate.reporting.formats import json

distributed = pytest.importorskip("distributed", reason="Dask is not installed")
FIXTURES = Path(__file__).parents[3] / "fixtures" / "projects"
HERE = Config(jobs=1, cache=False)


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """A real cluster of two processes, each started again when it dies."""
    with distributed.LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as started:
        yield started


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("reduction", "warp-aggregated-atomics"):
        shutil.copytree(FIXTURES / name / "before", tmp_path / "tree" / name)
    (tmp_path / "tree" / "binary.cu").write_bytes(b"\0")
    (tmp_path / "tree" / "Makefile").write_text("include r.mk\nall:\n\t$(CC) a.cu\n")
    (tmp_path / "tree" / "r.mk").write_text("CC = nvcc -O3\n")
    return tmp_path / "tree"


def scanned(tree: Path, config: Config) -> str:
    return json.render(replace(pipeline.scan(tree, config), seconds=0))


def test_the_report_is_the_same_with_a_worker_killed_in_mid_run(workers: Any, tree: Path) -> None:
    killed: list[int] = []
    real = cluster._results

    def kills(*given: Any) -> Iterator[Any]:
        if not killed:
            killed.append(next(iter(workers.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)
        yield from real(*given)

    expected = scanned(tree, HERE)
    with patch.object(cluster, "FILES", 2), patch.object(cluster, "_results", kills):
        assert scanned(tree, replace(HERE, scheduler=workers.scheduler_address)) == expected
    assert killed


def test_rules_of_the_user_travel(workers: Any, tree: Path, tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text(
        'group = "api"\n[[rule]]\nname = "mine"\nnames = ["reduce_sum", "reduceSum"]\nsupport = "manual"\n'
        'outcome = "compile-error"\neffort = "small"\nmessage = "Ours: not to be called."\n'
    )
    config = replace(HERE, rules=(str(rules),))
    (tree / "own.cu").write_text("__global__ void k();\nvoid f() { reduceSum(); }\n")
    expected = scanned(tree, config)
    assert "Ours: not to be called." in expected
    assert scanned(tree, replace(config, scheduler=workers.scheduler_address)) == expected


def test_another_version_is_refused() -> None:
    parcel = pickle.dumps((b"another", None, [], ((), False, False, {}), {}, []))
    with pytest.raises(InputError, match="another version"):
        list(cluster._results(_Done(cluster.answer(parcel)), parcel, KeyError))


def test_a_task_that_costs_worker_after_worker_is_done_here() -> None:
    parcel = pickle.dumps((b"another", None, [], ((), False, False, {}), {}, []))
    with pytest.raises(InputError, match="another version"):
        list(cluster._results(_Done(KeyError("killed")), parcel, KeyError))


def test_what_a_worker_sends_runs_nothing() -> None:
    with pytest.raises(InputError, match="no result"):
        list(cluster._results(_Done(pickle.dumps(os.getcwd)), b"", KeyError))


def test_no_scheduler_is_one_line(tree: Path) -> None:
    with patch.object(cluster, "_PATIENCE", "1s"), pytest.raises(InputError, match="no Dask scheduler answers"):
        pipeline.scan(tree, replace(HERE, scheduler="tcp://127.0.0.1:9"))


class _Done:
    """A task that is done."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def result(self) -> Any:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given
