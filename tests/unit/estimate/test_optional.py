"""What a port can do without at first is apart from the core: by folders, and by macros around every place."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.reporting.headline import sentence
from tests.unit.estimate.trees import CUTLASS, KERNEL, SPIN, estimate

CUDNN = "#include <cudnn.h>\nvoid g(cudnnHandle_t h, cudnnTensorDescriptor_t t) { cudnnCreateTensorDescriptor(&t); }\n"

LONG = "int filler;\n" * 1200
"""Lines of a tree that is a port of its own by size."""


def switched(macro: str, text: str = CUDNN) -> str:
    return f"#ifdef {macro}\n{text}#endif\n"


def test_library_whose_every_place_needs_a_macro_is_optional(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL + switched("CUDNN"), "b.cu": KERNEL})
    (part,) = found.optional
    assert part.name == "cuDNN" and part.days.p50 > 0.1 and "the macro CUDNN" in part.reason
    assert not [item for item in found.items if "cudnn" in item.rule]
    assert found.days.p50 < part.days.p50 + found.days.p50


def test_optional_part_costs_what_it_adds_to_the_total(tmp_path: Path) -> None:
    apart = estimate(tmp_path / "a", {"a.cu": KERNEL + LONG + switched("CUDNN"), "b.cu": KERNEL})
    whole = estimate(tmp_path / "b", {"a.cu": KERNEL + LONG + CUDNN, "b.cu": KERNEL})
    (part,) = apart.optional
    assert apart.kind == whole.kind
    assert apart.days.p50 + part.days.p50 == pytest.approx(whole.days.p50, rel=0.02)


def test_place_that_is_switched_off_for_good_is_optional_too(tmp_path: Path) -> None:
    """`#ifdef CUDNN_DISABLED` beside `#ifdef CUDNN`: each place needs a macro that other code does not need."""
    found = estimate(tmp_path, {"a.cu": KERNEL + 2 * switched("CUDNN"), "b.cu": KERNEL + switched("CUDNN_DISABLED")})
    (part,) = found.optional
    assert part.reason == "all 12 places need the macro CUDNN or CUDNN_DISABLED"


def test_place_under_a_macro_that_other_code_needs_is_core(tmp_path: Path) -> None:
    files = {"a.cu": switched("GPU", KERNEL + CUDNN), "b.cu": KERNEL + switched("CUDNN")}
    assert not estimate(tmp_path, files).optional


def test_library_that_one_place_uses_always_is_core(tmp_path: Path) -> None:
    files = {"a.cu": KERNEL + switched("CUDNN"), "b.cu": KERNEL + CUDNN}
    found = estimate(tmp_path, files)
    assert not found.optional
    assert [item for item in found.items if "cudnn" in item.rule]


def test_macro_that_all_cuda_code_needs_is_no_switch_of_a_library(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": switched("GPU", KERNEL + CUDNN)})
    assert not found.optional


def test_contrary_of_a_macro_is_no_switch(tmp_path: Path) -> None:
    contrary = f"#ifndef CUDNN\n{CUDNN}#endif\n"
    assert not estimate(tmp_path, {"a.cu": KERNEL + contrary}).optional


def test_release_that_a_header_defines_is_no_switch(tmp_path: Path) -> None:
    newer = f"#if CUDA_VERSION >= 11000\n{CUDNN}#endif\n"
    assert not estimate(tmp_path, {"a.cu": KERNEL + newer, "b.cu": KERNEL}).optional


def test_tests_examples_and_benchmarks_are_apart_where_there_is_other_code(tmp_path: Path) -> None:
    spin = f"#include <cuda_runtime.h>\n{SPIN}"
    files = {"src/a.cu": KERNEL, "tests/t.cu": spin, "examples/e.cu": spin, "benchmarks/b.cu": spin}
    found = estimate(tmp_path / "a", files)
    assert {part.name for part in found.optional} == {"tests", "examples", "benchmarks"}
    assert not [item for item in found.items if item.path and not item.path.startswith("src/")]
    only = estimate(tmp_path / "b", {"tests/t.cu": spin})
    assert not only.optional and [item for item in only.items if item.path == "tests/t.cu"]


@pytest.mark.parametrize("folder", ["unittests/cuda", "sandbox"])
def test_unit_tests_and_sandboxes_are_apart_too(tmp_path: Path, folder: str) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL, f"{folder}/b.cu": KERNEL + SPIN})
    assert [part.name for part in found.optional] == ["tests" if "test" in folder else "examples"]
    assert not [item for item in found.items if item.path.startswith(folder)]


def test_tests_and_examples_with_a_build_of_their_own_are_apart_too(tmp_path: Path) -> None:
    build = "project(t LANGUAGES CXX CUDA)\nadd_executable(t t.cu)\n"
    core = {"src/a.cu": KERNEL, "CMakeLists.txt": build.replace("t.cu", "src/a.cu")}
    aside = {"tests/t.cu": KERNEL + SPIN, "tests/CMakeLists.txt": build, "examples/one/t.cu": KERNEL,
             "examples/one/CMakeLists.txt": build}  # fmt: skip
    alone, both = estimate(tmp_path / "a", core), estimate(tmp_path / "b", {**core, **aside})
    assert both.days == alone.days
    assert {part.name for part in both.optional} == {"tests", "examples"}
    only = estimate(tmp_path / "c", aside)
    assert not only.optional and only.days.p50 > 0


def test_what_blocks_in_tests_alone_is_no_blocker_of_the_port(tmp_path: Path) -> None:
    found = estimate(tmp_path / "a", {"src/a.cu": KERNEL, "tests/t.cu": CUTLASS})
    assert not found.blockers
    (part,) = found.optional
    plain = estimate(tmp_path / "c", {"src/a.cu": KERNEL, "tests/t.cu": KERNEL}).optional
    assert part.days.p50 > 5 * sum(one.days.p50 for one in plain)
    assert estimate(tmp_path / "b", {"src/a.cu": KERNEL + CUTLASS}).blockers


def test_first_sentence_says_what_is_optional(tmp_path: Path) -> None:
    from cudamigrate import pipeline
    from cudamigrate.config import Config

    (tmp_path / "a.cu").write_text(KERNEL + LONG + "".join(switched("CUDNN") for _ in range(99)))
    (tmp_path / "b.cu").write_text(KERNEL + switched("CUDNN"))
    said = sentence(pipeline.scan(tmp_path, Config(jobs=1)))
    assert said.startswith("Port it. ") and said.endswith("more for optional cuDNN.")


def test_collection_of_small_programs_is_integrated_program_by_program(tmp_path: Path) -> None:
    program = f"{KERNEL}int main() {{ run(nullptr); return 0; }}\n"
    many = estimate(tmp_path / "a", {f"s{n}/p.cu": program for n in range(12)})
    assert many.components[0].programs == 12
    few = estimate(tmp_path / "b", {f"s{n}/p.cu": program for n in range(9)})
    assert few.components[0].programs == 0
    apart = estimate(tmp_path / "c", {f"s{n}/p.cu": program if n % 4 == 0 else KERNEL for n in range(48)})
    assert apart.components[0].programs == 0


def test_what_would_block_the_tests_of_a_port_is_no_work_of_it(tmp_path: Path) -> None:
    files = {
        "a.cu": "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"
        + KERNEL.partition("\n")[2],
        "tests/b.cu": KERNEL + CUTLASS,
        "CMakeLists.txt": "project(a LANGUAGES CXX HIP)\nfind_package(hip REQUIRED)\nadd_library(a a.cu)\n",
    }
    found = estimate(tmp_path, files)
    assert found.category == "ported"
    assert sum(part.days.p50 for part in found.optional) < 2


def test_an_example_on_tensorrt_blocks_nothing(tmp_path: Path) -> None:
    files = {"a.cu": KERNEL, "a.py": "import torch\n", "examples/b.py": "import tensorrt\n"}
    assert not estimate(tmp_path / "a", files).blockers
    assert estimate(tmp_path / "b", {**files, "serve.py": "import tensorrt\n"}).blockers


def test_import_of_a_package_that_blocks_is_a_place_of_the_blocker(tmp_path: Path) -> None:
    """An image installs spconv, a module imports it: leaving it out concerns both. A test that imports it does not."""
    files = {
        "Dockerfile": "FROM rocm/dev\nRUN pip install spconv-cu118 torch\n",
        "net/model.py": "import torch\nimport spconv.pytorch as spconv\nloss.backward()\n",
        "tests/test_model.py": "import spconv\n",
    }
    (stop,) = estimate(tmp_path, files).blockers
    assert stop.title == "spconv-cu118"
    assert [place.path for place in stop.places] == ["Dockerfile", "net/model.py"]


def test_way_around_a_blocker_costs_something_where_python_takes_longest(tmp_path: Path) -> None:
    """A small kernel beside much Python: the total is that of the Python, and a way around comes on top of it."""
    python = {f"m{n}.py": "import torch\nfrom numba import cuda\n@cuda.jit\ndef k(a): pass\n" for n in range(9)}
    found = estimate(tmp_path, {"a.cu": KERNEL, "b.cu": CUTLASS, **python})
    (stop,) = found.blockers
    assert stop.alternatives[0].days.p50 > 0 and found.resolved is not None
    assert found.resolved.p50 == pytest.approx(found.days.p50 + stop.alternatives[0].days.p50, abs=0.01)
    assert found.resolved.p10 >= found.days.p10 and found.resolved.p90 >= found.days.p90


RAYS = "#include <optix.h>\nint rays;\n"


@pytest.mark.parametrize(
    ("build", "optional"),
    [
        ("option(RAYS \"\" ON)\nadd_library(a a.cu)\nif(RAYS)\n  target_sources(a PRIVATE rays.cu)\nendif()\n", True),
        ("option(RAYS \"\" ON)\nadd_library(a a.cu rays.cu)\n", False),
        ("option(RAYS \"\" ON)\nif(RAYS)\n  add_library(a a.cu rays.cu)\nendif()\n", False),
    ],
)  # fmt: skip
def test_a_library_in_files_that_an_option_of_the_build_compiles_is_optional(
    tmp_path: Path, build: str, optional: bool
) -> None:
    files = {"a.cu": KERNEL + SPIN, "rays.cu": RAYS, "CMakeLists.txt": f"project(a LANGUAGES CXX CUDA)\n{build}"}
    found = estimate(tmp_path, files)
    assert [part.name for part in found.optional] == (["OptiX"] if optional else [])
    assert bool(found.blockers) is not optional
    assert not optional or "the build option RAYS" in found.optional[0].reason


def test_what_an_optional_backend_looks_for_blocks_nothing(tmp_path: Path) -> None:
    build = (
        'project(a LANGUAGES CXX CUDA)\nset(BACKEND "" CACHE STRING "")\nset(S a.cu)\nif(BACKEND STREQUAL "CUDA")\n'
        'list(APPEND S b.cu)\nelseif(BACKEND STREQUAL "TRT")\nlist(APPEND S trt.cpp)\n'
        "find_library(N nvinfer)\nendif()\n"
    )
    files = {"a.cu": KERNEL + SPIN, "b.cu": KERNEL, "trt.cpp": "#include <NvInfer.h>\n", "CMakeLists.txt": build}
    assert not estimate(tmp_path / "a", files).blockers
    assert estimate(tmp_path / "b", files | {"serve.py": "import tensorrt\n"}).blockers
