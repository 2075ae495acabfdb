"""No program that attacks the repair of warp-level code comes out wrong on 64 lanes without a word.

`fixtures/lanes/manifest.json` says to which class of failure each program belongs, `fixtures/lanes/table.tsv` what
became of it: `right` on both waves, or `reported`. A program whose conversion and reports are those of the table was
seen to come out so; one with others runs again. `--update-golden` writes the table; without the table all run, as they
have to after a change of the emulation.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.unit.runtime.lane_programs import PROGRAMS, convert, outcome

TABLE = PROGRAMS.parent / "table.tsv"
MANIFEST = json.loads((PROGRAMS.parent / "manifest.json").read_text())
SAMPLE = (
    "1-small-block-wrapper",
    "2-block-of-prop",
    "3-default-reduce",
    "5-operation-table",
    "7-spmv-row",
    "any-chunks",
)
"""Run in any case, one of each kind: a table proves nothing where the emulation no longer works."""


@cache
def table() -> dict[str, tuple[str, str]]:
    """What became of each program when it last ran, and the digest of its conversion."""
    rows = (line.split("\t") for line in TABLE.read_text().splitlines()[1:]) if TABLE.exists() else ()
    return {row[0]: (row[2], row[3]) for row in rows}


@pytest.mark.exhaustive
def test_no_program_comes_out_wrong_without_a_word(
    compiler: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rows, states = list[str](), dict[str, str]()
    programs = shutil.copytree(PROGRAMS, tmp_path / "programs")
    for entry in MANIFEST:
        name = entry["name"]
        made = convert(name, programs)
        state, digest = table().get(name, ("", ""))
        if digest != made.digest or name in SAMPLE:
            state = outcome(name, made, tmp_path / name)
        states[name] = state
        rows.append("\t".join((name, str(entry["class"]), state, made.digest, " ".join(made.reported))))
    if request.config.getoption("--update-golden"):
        TABLE.write_text("\n".join(["name\tclass\tstate\tdigest\treported", *rows]) + "\n")
    print(shown(states))
    assert {name: state for name, state in states.items() if state == "silent"} == {}
    right = sum(state == "right" for state in states.values())
    assert right >= 140, "repairs are lost where reports take their place"
    assert [name for name, state in states.items() if state == "not run"] == ["7-ptx-lane"]
    kept = [
        entry["name"] for entry in MANIFEST if entry["any_wave"] and states[entry["name"]] in ("silent", "reported")
    ]
    assert kept == [], "code that was right on any wave"


def shown(states: dict[str, str]) -> str:
    """The table: programs by class and by what became of them."""
    classes = {entry["name"]: str(entry["class"]) for entry in MANIFEST}
    counted = Counter((classes[name], state) for name, state in states.items())
    lines = ["class   right  reported  silent  not run"]
    for kind in [*sorted(set(classes.values())), ""]:
        numbers = [sum(n for (of, state), n in counted.items() if kind in ("", of) and state == word) for word in WORDS]
        lines.append(f"{kind or 'all':5}" + "".join(f"{n:8}" for n in numbers))
    return "\n".join(lines)


WORDS = ("right", "reported", "silent", "not run")
