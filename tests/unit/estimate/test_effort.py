"""The laws of effort: repeats cost less, files cost less, words and overrides decide the hours."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from cudamigrate.estimate.effort import Law, Load, Open, hours, items, over_components
from cudamigrate.estimate.tables import table
from cudamigrate.estimate.totals import plus, total
from cudamigrate.model.estimate import Days, Estimate
from tests.unit.estimate.trees import CUTLASS, EXTENSION, KERNEL, SPIN, components, estimate

BOOK = table("effort")


def days(*places: Open, left: float = 1.0) -> float:
    return sum(item.days.p50 for item in items(Load(".", (), left=left, open=places), BOOK) if item.kind == "findings")


def test_repeats_in_a_file_cost_less_by_the_law() -> None:
    one = days(Open("x/y", "a.cu", "medium", 1))
    assert one == pytest.approx(BOOK.cost("words", "medium").likely / BOOK.number("hours-per-day"), abs=1e-4)
    four = days(Open("x/y", "a.cu", "medium", 4))
    assert four == pytest.approx(one * 4 ** BOOK.number("law", "repeats"), abs=1e-3)


def test_same_rule_in_another_file_costs_less_and_never_nothing() -> None:
    one = days(Open("x/y", "a.cu", "medium", 1))
    two = days(Open("x/y", "a.cu", "medium", 1), Open("x/y", "b.cu", "medium", 1))
    assert one < two < 2 * one


def test_another_rule_costs_in_full() -> None:
    one = days(Open("x/y", "a.cu", "medium", 1))
    assert days(Open("x/y", "a.cu", "medium", 1), Open("x/z", "a.cu", "medium", 1)) == pytest.approx(2 * one)


def test_fix_that_wants_a_reader_leaves_a_part_of_the_work() -> None:
    bare = days(Open("x/y", "a.cu", "medium", 1))
    written = days(Open("x/y", "a.cu", "medium", 1, written=1))
    assert 0 < written < bare


def test_rule_of_its_own_hours_goes_before_its_word() -> None:
    assert hours(BOOK, "library/unknown-name", "small").likely < hours(BOOK, "x/y", "small").likely
    assert hours(BOOK, "api/cudnnConvolutionForward", "trivial").likely > BOOK.cost("words", "trivial").likely


def test_what_one_setting_is_for_costs_as_much_as_one_place() -> None:
    rule = "memory/managed-memory"
    one = days(Open(rule, "a.cu", "medium", 1))
    assert days(Open(rule, "a.cu", "medium", 3), Open(rule, "b.cu", "medium", 40)) == pytest.approx(one, abs=1e-3)
    assert days(Open("x/y", "a.cu", "medium", 3), Open("x/y", "b.cu", "medium", 40)) > 2 * one


def test_a_package_that_several_files_name_is_worked_out_once(tmp_path: Path) -> None:
    def cost(name: str, files: dict[str, str]) -> dict[str, float]:
        found = estimate(tmp_path / name, {"k.cu": KERNEL, **files})
        return {item.path: item.days.p50 for item in found.items if item.rule == "packages/numba-cuda"}

    one = cost("one", {"requirements.txt": "numba-cuda\n"})
    more = cost("more", {f"{name}/requirements.txt": "numba-cuda\n" for name in "abc"})
    assert len(more) == 3
    assert max(more.values()) == pytest.approx(one["requirements.txt"], abs=1e-2)
    assert sum(more.values()) < 1.1 * one["requirements.txt"]


def test_what_is_ported_costs_less() -> None:
    assert days(Open("x/y", "a.cu", "medium", 1), left=0.25) == pytest.approx(
        days(Open("x/y", "a.cu", "medium", 1)) / 4, abs=1e-3
    )


def test_law_gives_the_dearest_file_its_full_weight() -> None:
    law = Law.of(BOOK)
    assert law.over_files({"b": 1.0, "a": 4.0, "c": 1.0}) == {
        "a": 4.0,
        "b": pytest.approx(2**-law.files),
        "c": pytest.approx(3**-law.files),
    }


def test_each_component_more_costs_less_build_work() -> None:
    loads = [Load(name, (), builds=["cmake"]) for name in "ab"]
    both = over_components([items(load, BOOK) for load in loads], BOOK)
    alone = items(loads[0], BOOK)[0].days.p50
    assert [item.days.p50 for item in both] == [
        alone,
        pytest.approx(alone * 2 ** -BOOK.number("law", "components"), abs=1e-4),
    ]


def test_automatic_changes_are_priced_as_reading(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL})
    kinds = {item.kind for item in found.items}
    assert "review" in kinds and "findings" not in kinds
    (review,) = (item for item in found.items if item.kind == "review")
    assert (review.path, review.count, review.step) == ("a.cu", 2, "mechanical")


def test_hand_work_names_rule_and_file(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL, "b.cu": SPIN})
    (item,) = (item for item in found.items if item.kind == "findings")
    assert (item.rule, item.path, item.count, item.component) == ("warp/lane-spin", "b.cu", 1, ".")
    assert item.source is not None and item.source.date and item.source.grade


def test_kernels_bring_tests(tmp_path: Path) -> None:
    one = estimate(tmp_path / "a", {"a.cu": KERNEL})
    two = estimate(tmp_path / "b", {"a.cu": KERNEL + KERNEL.replace("scale", "other").partition("\n")[2]})

    def tests(found: Estimate) -> float:
        return sum(item.days.p50 for item in found.items if item.kind == "tests")

    assert components(two)["."].kernels == 2
    assert 0 < tests(one) < tests(two) < 2 * tests(one)


def test_blocker_is_never_days_and_has_ways_out(tmp_path: Path) -> None:
    plain = estimate(tmp_path / "a", {"setup.py": EXTENSION, "a.cu": KERNEL})
    found = estimate(tmp_path / "b", {"setup.py": EXTENSION, "a.cu": KERNEL, "gemm.cu": CUTLASS})
    assert not [item for item in found.items if item.rule == "library/cutlass"]
    (blocker,) = found.blockers
    assert blocker.rules == ("library/cutlass",)
    assert blocker.places[0].path == "gemm.cu" and blocker.places[0].line == 1
    assert len(blocker.alternatives) == 3
    assert all(way.days.p50 > 0 and way.loses and way.source for way in blocker.alternatives)
    assert plain.resolved is None
    assert found.resolved is not None
    assert found.resolved.p50 == pytest.approx(found.days.p50 + blocker.alternatives[0].days.p50)
    assert found.plan[0].name == "decide"


def test_more_places_make_the_ways_around_a_blocker_dearer(tmp_path: Path) -> None:
    one = estimate(tmp_path / "a", {"gemm.cu": CUTLASS}).blockers[0]
    two = estimate(tmp_path / "b", {"gemm.cu": CUTLASS, "conv.cu": CUTLASS}).blockers[0]
    assert two.alternatives[0].days.p50 > one.alternatives[0].days.p50


def test_total_adds_common_risk_in_full_and_own_risk_as_squares() -> None:
    parts = [Days(1, 2, 5), Days(1, 2, 5)]
    assert total(parts, 1.0) == Days(2, 4, 10)
    assert total(parts, 0.0) == Days(round(4 - math.sqrt(2), 4), 4, round(4 + math.sqrt(18), 4))
    assert total([], 0.5) == Days()
    assert plus(Days(1, 2, 3), Days(1, 1, 1)) == Days(2, 3, 4)


def test_sentence_says_why_others_state_another_range(tmp_path: Path) -> None:
    below = estimate(tmp_path / "a", {"setup.py": EXTENSION, "a.cu": KERNEL})
    assert below.published == (10, 30)
    assert "are below the 10 to 30 days" in below.compared and "priced as reading it" in below.compared
    within = estimate(tmp_path / "b", {"train.py": "import torch\n"})
    assert "within the 1 to 3 days" in within.compared
    assert estimate(tmp_path / "c", {"a.cu": KERNEL}).published is None


def test_project_without_gpu_code_costs_nothing(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.py": "import os\n", "b.cpp": "int main() {}\n"})
    assert (found.category, found.days, found.items, found.plan) == ("no-gpu", Days(), (), ())
    assert [(verdict.workload, verdict.advice) for verdict in found.verdicts] == [("all", "stay")]


def test_python_with_branches_for_hip_leaves_little(tmp_path: Path) -> None:
    code = "import torch\nmajor = torch.cuda.get_device_capability()[0] >= 9\n"
    bare = estimate(tmp_path / "a", {"a.py": code})
    guarded = estimate(tmp_path / "b", {"a.py": code + "if torch.version.hip:\n    major = False\n"})

    def work(found: Estimate) -> float:
        return sum(item.days.p50 for item in found.items if item.kind == "findings")

    assert 0 < work(guarded) < work(bare) / 2


TORCH = "project(export)\nfind_package(Torch REQUIRED)\nadd_executable(export export.cpp)\n"


def test_a_build_without_cuda_code_is_not_priced(tmp_path: Path) -> None:
    tree = {"a.cu": KERNEL, "Makefile": "a: a.cu\n\tnvcc a.cu\n", "tools/m.py": "import torch\n"}
    tools = {"tools/CMakeLists.txt": TORCH, "tools/export.cpp": "#include <torch/script.h>\nint main() {}\n"}

    def builds(found: Estimate) -> set[str]:
        return {item.component for item in found.items if item.kind == "build"}

    assert builds(estimate(tmp_path / "a", tree | tools)) == {"."}
    assert builds(estimate(tmp_path / "b", tree | tools | {"tools/b.cu": KERNEL})) == {".", "tools"}


def test_python_beside_a_whole_port_costs_nothing_where_nothing_of_it_changes(tmp_path: Path) -> None:
    ported = {
        "a.cu": "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"
        + KERNEL.partition("\n")[2],
        "CMakeLists.txt": "project(a LANGUAGES CXX HIP)\nfind_package(hip REQUIRED)\nadd_library(a a.cu)\n",
    }
    setup = "from setuptools import setup\nsetup(name='a')\n"
    python = {"app/setup.py": setup, "app/a.py": "import torch\nx = torch.zeros(4)\n"}
    found = estimate(tmp_path / "a", ported | python)
    assert set(components(found)) == {".", "app"} and found.days.p50 == 0
    assert estimate(tmp_path / "b", python).days.p50 > 0
