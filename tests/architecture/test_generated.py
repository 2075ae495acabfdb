"""What is made from the code is up to date, and is made of what it should be."""

from __future__ import annotations

import re

import pytest

from tests.architecture import picture
from tests.architecture.generated import PARTS, file_table, hook_pattern
from tests.architecture.picture import ROOT


@pytest.mark.parametrize("name", PARTS)
def test_what_is_made_from_the_code_is_up_to_date(name: str, request: pytest.FixtureRequest) -> None:
    path = ROOT / name
    there = path.read_text(encoding="utf-8")
    made = PARTS[name](there)
    if request.config.getoption("--update-golden"):
        path.write_text(made, encoding="utf-8")
        return
    assert there == made, f"{name} is older than the code: run `python -m tests.architecture.generated`"


def test_every_room_has_a_layer_and_no_arrow_runs_up() -> None:
    rows = picture.layers()
    level = {room: at for at, row in enumerate(rows) for room in row}
    imports = picture.room_imports()
    assert set(imports) - {"__main__"} <= set(level)
    shown = picture.arrows(imports)
    assert [(room, other) for room, other in shown if room in level and level[room] >= level[other]] == []


def test_arrows_that_others_imply_are_left_out() -> None:
    assert picture.arrows({"a": {"b", "c"}, "b": {"c"}}) == [("a", "b"), ("b", "c")]
    assert picture.arrows({"a": {"b", "c"}, "b": set()}) == [("a", "b"), ("a", "c")]


def test_a_new_room_and_its_import_change_the_picture() -> None:
    drawn = picture.svg([["cli"], ["model"]], {"cli": {"model"}})
    assert drawn.count('marker-end="url(#tip)"') == 1
    assert "marker-end" not in picture.svg([["cli"], ["model"]], {})


def test_the_pattern_takes_the_files_and_no_others() -> None:
    pattern = re.compile(hook_pattern([".ninja", "*require*.txt", "conf/*.in", "BUILD"]))
    taken = ["a.ninja", "x/a.NINJA", "b/requirements-dev.txt", "x/conf/a/b.in", "BUILD", "x/BUILD"]
    left = ["ninja", "a.ninja.bak", "a.txt", "my_conf/a.in", "REBUILD", "a.in"]
    assert [path for path in (*taken, *left) if pattern.search(path)] == taken


def test_the_list_of_files_names_what_front_ends_read() -> None:
    assert file_table({"b": ["BUILD", ".bzl"], "a": ["*.x"]}).splitlines()[2:] == [
        "| a | `*.x` |",
        "| b | `*.bzl`, `BUILD` |",
    ]
