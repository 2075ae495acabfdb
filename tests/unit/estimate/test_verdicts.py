"""The four verdicts: move now, move a part, wait, stay; each with its one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.estimate import business
from cudamigrate.estimate.category import Part
from cudamigrate.model import FileResult
from cudamigrate.model.estimate import Blocker, Estimate, Performance, Verdict
from cudamigrate.reporting.first_screen import areas
from cudamigrate.reporting.headline import sentence
from cudamigrate.shipped_data import rules_folder
from tests.unit.estimate.trees import CUTLASS, KERNEL, estimate, write

ONE = Config(jobs=1, gpu=("mi300x",))
RULES = rules_folder()
CODE = Part(".", [FileResult("a.cu", "cuda", 10, 100, True)], "native-cuda", "native-cuda")
SPEED = Performance("compute", "mi300x", 80.0, 95.0, (), (), "h100")


def whole(found: Estimate) -> Verdict:
    return found.verdicts[-1]


def test_code_whose_findings_all_have_an_answer_moves_now(tmp_path: Path) -> None:
    said = whole(estimate(tmp_path, {"a.cu": KERNEL}, ONE))
    assert (said.advice, said.workload) == ("move", "all") and said.because


def test_what_blocks_is_named_as_the_part_to_leave(tmp_path: Path) -> None:
    said = whole(estimate(tmp_path, {"a.cu": KERNEL, "gemm.cu": CUTLASS}, ONE))
    assert said.advice == "move-part" and "CUTLASS" in said.because


def test_the_folders_of_what_blocks_are_named(tmp_path: Path) -> None:
    files = {"src/a.cu": KERNEL, "src/gemm/x/a.cu": CUTLASS, "src/gemm/y/b.cu": CUTLASS}
    said = whole(estimate(tmp_path / "a", files, ONE))
    assert "CUTLASS, in src/gemm. Choose" in said.because
    said = whole(estimate(tmp_path / "b", {"a.cu": KERNEL, "gemm.cu": CUTLASS}, ONE))
    assert "CUTLASS. Choose" in said.because
    said = whole(estimate(tmp_path / "c", {"a.cu": KERNEL, "x/b.cu": CUTLASS, "y/c.cu": CUTLASS}, ONE))
    assert "CUTLASS, in x and y. Choose" in said.because


def test_a_component_on_tensorrt_is_named_as_the_part_to_leave(tmp_path: Path) -> None:
    setup = "from setuptools import setup\n"
    files = {
        "serve/setup.py": setup, "serve/a.py": "import tensorrt\n",
        "train/setup.py": setup, "train/b.py": "import torch\nloss.backward()\n",
    }  # fmt: skip
    said = whole(estimate(tmp_path, files, ONE))
    assert said.advice == "move-part" and "Leave serve" in said.because


def test_a_tree_without_gpu_code_stays(tmp_path: Path) -> None:
    assert whole(estimate(tmp_path, {"a.cpp": "int main() {}\n"}, ONE)).advice == "stay"


def test_a_tree_whose_gpu_code_is_in_files_that_were_not_read_does_not_stay(tmp_path: Path) -> None:
    bound = "subroutine s()\n interface\n  integer function create(h) bind(C, name='cublasCreate_v2')\n"
    bound += "   use iso_c_binding\n   type(c_ptr) :: h\n  end function\n end interface\nend subroutine\n"
    (tmp_path / "main.cpp").write_text("int main() { return 0; }\n")
    (tmp_path / "solve.f90").write_text(bound)
    report = pipeline.scan(tmp_path, Config(cache=False))
    assert report.glanced == {"Fortran": 1}
    assert sentence(report).startswith("Look at the Fortran code first")
    (tmp_path / "solve.f90").write_text(bound.replace("cublasCreate_v2", "solver_create"))
    assert "no GPU code" in sentence(pipeline.scan(tmp_path, Config(cache=False)))


def test_a_tree_on_tensorrt_alone_stays(tmp_path: Path) -> None:
    files = {"setup.py": "from setuptools import setup\n", "a.py": "import tensorrt\n"}
    said = whole(estimate(tmp_path, files, ONE))
    assert said.advice == "stay" and "TensorRT" in said.because


def test_a_move_that_no_price_pays_stays(tmp_path: Path) -> None:
    files = {"a.py": "import torch\nloss.backward()\n"}
    dear = replace(ONE, gpu_hours=1000.0, price_from=(("", 2.0),), price_to=(("", 9.0),))
    assert whole(estimate(tmp_path, files, dear)).advice == "stay"


def test_what_is_to_be_measured_before_prices_decide_is_named_with_the_reason() -> None:
    every = [("training", "move-part"), ("prefill", "wait"), ("compute", "wait"), ("image", "move")]
    said = business._unsure([Verdict(name, advice, "") for name, advice in every])  # type: ignore[arg-type]
    assert said == (
        "Move one machine and measure. At the lower speeds expected training does not pay. "
        "Nobody has published the speed of prompt processing (prefill) and compute on these cards."
    )
    assert business._unsure([Verdict("image", "move", "")]) == ""


@pytest.mark.parametrize(("later", "advice"), [(("7.14", 0.51), "wait"), (("7.14", 0.5), "move"), (("", 0.0), "move")])
def test_wait_names_the_release_that_brings_most_of_the_work(later: tuple[str, float], advice: str) -> None:
    said = business.verdicts([CODE], [], [SPEED], None, later)[-1]
    assert said.advice == advice
    if advice == "wait":
        assert "ROCm 7.14" in said.because and "51 %" in said.because


def test_waiting_comes_before_what_blocks() -> None:
    stop = Blocker("CUTLASS", ("library/cutlass",), (), ())
    assert business.verdicts([CODE], [stop], [SPEED], None, ("7.14", 0.9))[-1].advice == "wait"
    assert business.verdicts([CODE], [stop], [SPEED], None)[-1].advice == "move-part"


def test_wait_follows_from_rules_of_a_newer_release(tmp_path: Path) -> None:
    text = "".join((RULES / "api" / name).read_text(encoding="utf-8") for name in ("runtime.toml", "driver.toml"))
    names = [line.split(" = ", 1)[0] for line in text.splitlines() if 'since = "7.14" }' in line]
    calls = "".join(f"  {name}(a, b);\n" for name in names)
    code = {"a.cu": f"#include <cuda.h>\n__global__ void k() {{}}\nvoid f() {{\n{calls}}}\n"}
    found = {rocm: estimate(tmp_path, code, replace(ONE, rocm=rocm)) for rocm in ("7.0", "7.14")}
    assert whole(found["7.14"]).advice != "wait"
    assert whole(found["7.0"]).advice == "wait" and "ROCm 7.14" in whole(found["7.0"]).because


def test_packages_that_block_are_named_and_counted_in_one_component(tmp_path: Path) -> None:
    files = {"a.cu": KERNEL, "requirements.txt": "warp-lang==1.9\n", "m.py": "import warp as wp\nimport warp.sim\n"}
    report = pipeline.scan(write(tmp_path, files), Config(jobs=1))
    assert report.estimate is not None
    (stop,) = report.estimate.blockers
    assert stop.title == "warp and warp-lang" and len(stop.rules) == 2
    assert sentence(report).startswith("Port it, except warp and warp-lang. ")
    assert sum(one.blockers for one in areas(report)) == 1


def test_what_blocks_an_optional_part_is_named(tmp_path: Path) -> None:
    (part,) = estimate(tmp_path, {"src/a.cu": KERNEL, "tests/t.cu": CUTLASS}).optional
    assert part.reason == "in folders of tests, a way around CUTLASS included"


def test_a_port_without_gaps_has_none_to_close(tmp_path: Path) -> None:
    tree = {"CMakeLists.txt": "project(a CXX)\nfind_package(hip)\n", "hip/b.cu": KERNEL}
    part = Part(".", [FileResult("a.cu", "cuda", 10, 100, True)], "ported", "native-cuda")
    assert business.verdicts([part], [], [], None, ("", 0.0), (), 0)[-1].because.endswith("Compare its numbers.")
    assert whole(estimate(tmp_path, tree)).because.endswith("Close its gaps, then compare numbers.")


INSTALLS = "FROM ubuntu\nRUN apt-get install -y libnvinfer-dev\n"


@pytest.mark.parametrize(
    ("more", "stopping"),
    [
        ({}, []),
        ({"tests/e.py": "import tensorrt\n"}, []),
        ({"e.py": "import tensorrt\n"}, ["TensorRT"]),
        ({"b.cu": "#include <NvInfer.h>\nnvinfer1::IRuntime *r;\n"}, ["TensorRT"]),
    ],
)
def test_what_only_an_image_installs_blocks_nothing(tmp_path: Path, more: dict[str, str], stopping: list[str]) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL, "docker/Dockerfile": INSTALLS, **more}, ONE)
    assert [one.title for one in found.blockers] == stopping


@pytest.mark.parametrize(
    ("files", "stopping"),
    [
        ({"a.cu": KERNEL, "tests/gemm.cu": CUTLASS}, []),
        ({"a.cu": KERNEL, "tests/gemm.cu": CUTLASS, "gemm.cu": CUTLASS}, ["CUTLASS"]),
        ({"tests/a.cu": KERNEL, "tests/gemm.cu": CUTLASS}, ["CUTLASS"]),
    ],
    ids=["in a test", "in a test and beside it", "all is in tests"],
)
def test_what_is_in_tests_alone_blocks_nothing(tmp_path: Path, files: dict[str, str], stopping: list[str]) -> None:
    found = estimate(tmp_path, files, ONE)
    assert [one.title for one in found.blockers] == stopping


NVML = "#include <nvml.h>\nint busy(void) { nvmlDevice_t d; nvmlDeviceGetHandleByIndex(0, &d); return nvmlInit(); }\n"


@pytest.mark.parametrize(
    ("more", "category", "said"),
    [
        ({}, "no-gpu", "Replace NVML: no other GPU code was found. "),
        ({"run.cu": KERNEL}, "native-cuda", "Port it. "),
        ({"main.c": "#include <cuda.h>\nint main(void) { return cuInit(0); }\n"}, "native-cuda", "Port it. "),
    ],
)
def test_a_program_that_only_watches_gpus_is_not_ported(
    tmp_path: Path, more: dict[str, str], category: str, said: str
) -> None:
    report = pipeline.scan(write(tmp_path, {"watch.c": NVML, **more}), Config(jobs=1))
    assert report.estimate is not None and report.estimate.category == category
    assert sentence(report).startswith(said)
    assert report.estimate.items  # what replaces NVML is counted
