"""Functions with warp-level code of their own are not looked for among all others, one by one."""

from __future__ import annotations

from work import STEPS, calls

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp import called_lanes, graph
from cudamigrate.warp.divided_warps import DividedWarps
from cudamigrate.warp.function_pointers import FunctionPointers
from cudamigrate.warp.transfer import Evaluator


class _Unit:
    """A function that is known by its place, which is read by a call, so that it is counted."""

    def __init__(self, start: int, end: int) -> None:
        self._start, self.end = start, end

    @property
    def start(self) -> int:
        return self._start


def test_the_unit_that_a_function_is_is_found_by_its_place() -> None:
    work = []
    for count in (30, 120):
        text = "".join(f"__device__ float f{number}(float v) {{ return v; }}\n" for number in range(count)).encode()
        evaluator = Evaluator([graph.of(cuda.parse(SourceFile("a.cu", text, "cuda"), frozenset()))])
        tops = [place.routine for place in evaluator.places]
        known = {"a.cu": [_Unit(one.start, one.end) for one in tops]}

        def search(evaluator: Evaluator = evaluator, known: dict[str, list[_Unit]] = known) -> None:
            assert not list(called_lanes.units(evaluator, known, frozenset))  # type: ignore[arg-type]

        work.append(calls(search))
        assert len(tops) == count
    assert work[1] < STEPS * work[0]


def test_a_lambda_knows_the_function_around_it_through_others() -> None:
    inner = b"__global__ void k() { auto a = [&] { auto b = [&] { f(); }; b(); }; a(); }\n"
    text = inner + b"__device__ void g() { auto c = [] {}; }"
    places = Evaluator([graph.of(cuda.parse(SourceFile("a.cu", text, "cuda"), frozenset()))]).places
    for place in places:
        top = place
        while top.around is not None:
            top = top.around
        assert place.outermost is top
    assert {one.outermost.routine.name for one in places} == {"k", "g"} and len(places) == 5


def test_conditions_in_whose_branches_lanes_meet_are_found_by_place() -> None:
    work = []
    for count in (20, 80):
        loops = "  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);\n  if (v > 1) v = 2;\n"
        text = "__global__ void k(float *x) { float v = x[0];\n" + loops * count + "}\n"
        evaluator = Evaluator([graph.of(cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset()))])
        divided = DividedWarps(evaluator, FunctionPointers(evaluator))
        for place in evaluator.places:
            divided.meetings.sites(place)  # what is known of the file is found out
        found: list[object] = []

        def conditions(divided: DividedWarps = divided, found: list[object] = found) -> None:
            found += divided.conditions

        work.append(calls(conditions))
        assert len(found) == count  # the loops, and none of the branches without a shuffle
    assert work[1] < STEPS * work[0]
