"""Kinds of ports by size and build: no line makes a jump, and names alone are plain where PyTorch renames them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from cudamigrate.estimate import calibration, loads
from cudamigrate.estimate.demand import Demand, price
from cudamigrate.estimate.effort import Load
from cudamigrate.estimate.tables import table
from cudamigrate.model import Finding, Position, Span

BOOK = table("effort")
STEPS = [round(200 * 1.02**step) for step in range(320)]
"""Lines of CUDA code, two in a hundred apart, beyond the largest application among the ports."""


@dataclass
class Tree:
    """What `_kind` asks of a component."""

    underlying: str = "native-cuda"
    cuda: tuple[str, ...] = ("a.cu",) * 40
    programs: int = 0


def days(tree: Tree, lines: int) -> float:
    kind, grade = loads.kind_of(tree, (), lines, BOOK)  # type: ignore[arg-type]
    load = Load(".", (), kind, lines, review={"a.cu": 9}, builds=["cmake"], grade=grade)
    return price(Demand({".": load}), {}, BOOK).days.p50


def test_two_lines_in_a_hundred_never_make_a_jump() -> None:
    found = [days(Tree(), lines) for lines in STEPS]
    assert all(one <= other < 1.12 * one for one, other in pairwise(found))
    assert found[-1] > 5 * found[0]


@pytest.mark.parametrize(
    ("tree", "lines", "kind"),
    [
        (Tree("pytorch-cuda-extension"), 13_000, "plain"),
        (Tree(), 13_000, "gaps"),
        (Tree(), 900, "plain"),
        (Tree(programs=12), 13_000, "plain"),
        (Tree(), 31_000, "gaps"),
        (Tree(), 60_000, "application"),
        (Tree(cuda=("a.cu",) * 29), 60_000, "gaps"),
        (Tree("pytorch-cuda-extension"), 60_000, "plain"),
        (Tree(cuda=()), 0, ""),
    ],
)
def test_kind_by_build_and_size(tree: Tree, lines: int, kind: str) -> None:
    assert loads.kind_of(tree, (), lines, BOOK)[0] == kind  # type: ignore[arg-type]


AT = Position(1, 1)
HARD = Finding(
    "texture/fetch", "a.cu", Span(0, 1), AT, AT, "", "", "manual", "compile-error", "certain", "medium"
)  # fmt: skip


@pytest.mark.parametrize(
    ("underlying", "lines", "kind"),
    [("native-cuda", 972, "plain"), ("native-cuda", 2_000, "gaps"), ("pytorch-cuda-extension", 2_000, "gaps")],
)
def test_one_gap_makes_no_large_port_of_a_small_program(underlying: str, lines: int, kind: str) -> None:
    assert loads.kind_of(Tree(underlying), (HARD,), lines, BOOK)[0] == kind  # type: ignore[arg-type]


def test_a_full_grade_is_the_kind_itself() -> None:
    load = Load(".", (), "application", 70_000)
    least = replace(load, grade=0.0)
    assert calibration.share([load], "application", BOOK) == 1.0
    typical = {kind: BOOK.number("calibration", kind) for kind in ("gaps", "application")}
    assert calibration.share([least], "application", BOOK) == pytest.approx(typical["gaps"] / typical["application"])
