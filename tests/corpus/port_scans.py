"""Scan a tree as it was before its port, and keep what the estimate asks of it: `python -m tests.corpus.port_scans`.

    git -C CLONE archive COMMIT | tar -x -C TREE        # the commit is in ports.tsv
    python -m tests.corpus.port_scans PORT TREE         # writes tests/corpus/port-scans.json

Only counts are kept: files are numbers, rules and words are ours. `read` gives the same `Demand` that the scan made.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cudamigrate import estimate
from cudamigrate.config import Config
from cudamigrate.estimate.blockers import Blocked
from cudamigrate.estimate.demand import Demand
from cudamigrate.estimate.effort import Load, Open
from cudamigrate.estimate.survey import join
from cudamigrate.pipeline import run

DATA = Path(__file__).with_name("port-scans.json")


class _Numbers:
    """Numbers for files, in the order in which they are first seen."""

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}

    def of(self, path: str) -> int:
        return self.seen.setdefault(path, len(self.seen))

    def counts(self, by_path: Mapping[str, int]) -> list[list[int]]:
        return [[self.of(path), count] for path, count in sorted(by_path.items())]


def kept(demand: Demand) -> dict[str, object]:
    """A demand as JSON, without names of files."""
    files = _Numbers()
    return {
        "native": demand.native,
        "loads": [_load(demand.loads[path], files) for path in sorted(demand.loads)],
        "blocked": {name: files.counts(demand.blocked[name].files) for name in sorted(demand.blocked)},
    }


def _load(load: Load, files: _Numbers) -> dict[str, object]:
    return {
        "categories": load.categories,
        "kind": load.kind,
        "lines": load.lines,
        "left": load.left,
        "grade": load.grade,
        "programs": load.programs,
        "builds": list(load.builds),
        "open": _places(load.open, files),
        "converted": _places(load.converted, files),
        "review": files.counts(load.review),
        "kernels": files.counts(load.kernels),
        "triton": files.counts(load.triton),
        "native": [number for path, number in files.seen.items() if path in load.native],
    }


def _places(places: Sequence[Open], files: _Numbers) -> list[list[object]]:
    return [[one.rule, files.of(one.path), one.effort, one.count, one.written, one.left] for one in places]


def read(row: Mapping[str, Any]) -> Demand:
    """The demand that was kept."""
    loads = {}
    for at, one in enumerate(row["loads"]):
        loads[str(at)] = Load(
            str(at), tuple(one["categories"]), one["kind"], one["lines"], one["left"], _opened(one["open"]),
            _by_path(one["review"]), _by_path(one["kernels"]), _by_path(one["triton"]), one["builds"],
            one["programs"], _opened(one["converted"]), _native(one), one.get("grade", 1.0),
        )  # fmt: skip
    blocked = {name: Blocked(files=_by_path(files)) for name, files in row["blocked"].items()}
    return Demand(loads, blocked, row["native"])


def _native(one: Mapping[str, Any]) -> frozenset[str]:
    """The native files; all files where a scan before they were kept does not tell."""
    every = [place[1] for place in one["open"]] + [file for file, _ in one["review"]]
    return frozenset(f"{file:05}" for file in one.get("native", every))


def _opened(places: Sequence[Sequence[Any]]) -> list[Open]:
    return [
        Open(rule, f"{file:05}", word, count, written, "", left) for rule, file, word, count, written, left in places
    ]


def _by_path(counts: Sequence[Sequence[int]]) -> dict[str, int]:
    return {f"{file:05}": count for file, count in counts}


@cache
def scans() -> dict[str, Any]:
    """Every port that was scanned, by its name."""
    return dict(json.loads(DATA.read_text(encoding="utf-8"))["ports"])


def demanded(tree: Path) -> Demand:
    """What a scan of a tree asks for."""
    report, results = run.read(tree, Config(jobs=1))
    return estimate.demand_of(report, join(results))


def main(port: str, tree: str) -> None:
    """Scan a tree and put its counts into the data."""
    known = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {"ports": {}}
    known["ports"][port] = {"tool": run.tool_version(), **kept(demanded(Path(tree)))}
    rows = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(known["ports"].items())]
    DATA.write_text('{"ports": {\n' + ",\n".join(rows) + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
