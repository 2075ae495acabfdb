"""Categories from what a tree shows, with the line that shows it; mixed trees keep their parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from tests.unit.estimate.trees import CUTLASS, EXTENSION, KERNEL, SPIN, TRITON, components, estimate, write

PORTED = "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n" + KERNEL.replace("\n", "\n#endif\n", 1)
ONE = {
    "pytorch": {"train.py": "import torch\nmodel.cuda()\n"},
    "pytorch-triton": {"ops.py": TRITON},
    "pytorch-cuda-extension": {"setup.py": EXTENSION, "a.cu": KERNEL},
    "native-cuda": {"CMakeLists.txt": "project(app LANGUAGES CXX CUDA)\n", "a.cu": KERNEL},
    "tensorrt": {"serve.py": "import tensorrt as trt\nimport torch\n"},
    "jax": {"train.py": "import jax\nimport optax\n"},
    "python-kernels": {"a.py": 'import cupy\nk = cupy.RawKernel(r"x", "x")\n'},
    "packages-only": {"requirements.txt": "vllm==0.9\n", "main.py": "print(1)\n"},
    "no-gpu": {"main.py": "import os\n", "requirements.txt": "requests\n"},
    "ported": {"CMakeLists.txt": "project(app LANGUAGES CXX CUDA)\nenable_language(HIP)\n", "a.cu": PORTED},
}


@pytest.mark.parametrize("category", sorted(ONE))
def test_category_is_reported_by_the_tree(category: str, tmp_path: Path) -> None:
    found = estimate(tmp_path, ONE[category])
    assert found.category == category
    if category != "no-gpu":
        assert found.components[0].evidence
        for place in found.components[0].evidence:
            lines = (tmp_path / place.path).read_text().splitlines()
            assert place.line == 0 or place.text in lines[place.line - 1]


@pytest.mark.parametrize(
    ("imported", "category"),
    [
        ("import torch.utils.cpp_extension as ext", "pytorch-cuda-extension"),
        ("from torch.utils import cpp_extension as ext", "pytorch-cuda-extension"),
        ("from torch.utils.cpp_extension import (CppExtension, load)", "pytorch-cuda-extension"),
        ("from torch.utils.cpp_extension import CUDA_HOME", "native-cuda"),
        ("# import torch.utils.cpp_extension as ext\nimport json as ext", "native-cuda"),
    ],
)
def test_kernels_that_pytorch_builds_at_first_use_are_an_extension(
    imported: str, category: str, tmp_path: Path
) -> None:
    script = f"{imported}\next.load('e', ['a.cu'])\n"
    assert estimate(tmp_path, {"e.py": script, "a.cu": KERNEL}).category == category


def test_mixed_repository_gets_its_parts(tmp_path: Path) -> None:
    files = {
        "kernels/setup.py": EXTENSION,
        "kernels/a.cu": KERNEL,
        "solver/CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nproject(solver CUDA CXX)\n",
        "solver/src/b.cu": KERNEL,
        "model/pyproject.toml": '[project]\nname = "model"\ndependencies = ["torch"]\n',
        "model/model.py": "import torch\n",
        "tools/setup.py": "from setuptools import setup\nsetup()\n",
        "tools/names.py": "import re\n",
    }
    found = components(estimate(tmp_path, files))
    assert {path: part.category for path, part in found.items()} == {
        "kernels": "pytorch-cuda-extension",
        "solver": "native-cuda",
        "model": "pytorch",
    }


def test_file_belongs_to_the_innermost_build_around_it(tmp_path: Path) -> None:
    files = {"setup.py": EXTENSION, "a.cu": KERNEL, "extra/setup.py": EXTENSION, "extra/csrc/b.cu": KERNEL}
    found = components(estimate(tmp_path, files))
    assert {path: part.kernels for path, part in found.items()} == {".": 1, "extra": 1}


def test_torch_in_tests_alone_makes_no_pytorch_project(tmp_path: Path) -> None:
    assert estimate(tmp_path, {"app.py": "import os\n", "tests/test_a.py": "import torch\n"}).category == "no-gpu"


def test_words_in_comments_and_strings_of_build_files_do_not_count(tmp_path: Path) -> None:
    files = {"CMakeLists.txt": "project(a CXX)\n# enable_language(HIP)\n", "a.cu": KERNEL}
    assert components(estimate(tmp_path, files))["."].ported == 0.0


def test_tensorrt_beside_much_pytorch_blocks_and_is_not_the_category(tmp_path: Path) -> None:
    files = {f"m{at}.py": "import torch\n" for at in range(9)} | {"export.py": "import tensorrt\n"}
    found = estimate(tmp_path, files)
    assert found.category == "pytorch"
    assert [blocker.title for blocker in found.blockers] == ["TensorRT"]
    assert found.blockers[0].places[0].path == "export.py"


def test_arrays_of_matlab_on_the_gpu_block_what_is_called_with_them(tmp_path: Path) -> None:
    code = '#include "gpu/mxGPUArray.h"\n' + KERNEL
    blocked = estimate(tmp_path / "a", {"run.m": "g = gpuArray(1);\n", "gate.cu": code}).blockers
    assert [(blocker.title, len(blocker.places)) for blocker in blocked] == [("MATLAB's arrays on the GPU", 2)]
    assert estimate(tmp_path / "b", {"run.m": "g = gather(1); % gpuArray(1)\n", "gate.cu": KERNEL}).blockers == ()


@pytest.mark.parametrize(
    ("path", "text", "offered"),
    [
        ("serve.py", "import tensorrt\nmodel.generate(1)\n", True),
        ("requirements.txt", "tensorrt-llm\n", True),
        ("search.py", "import tensorrt\nboard.play(1)\n", False),
        ("examples/serve.py", "import tensorrt\nmodel.generate(1)\n", False),
    ],
)
def test_language_models_are_served_only_where_text_is_generated(
    tmp_path: Path, path: str, text: str, offered: bool
) -> None:
    files = {"export.py": "import tensorrt\n", path: text}
    (stop,) = (one for one in estimate(tmp_path, files).blockers if one.title == "TensorRT")
    assert any("language models" in way.title for way in stop.alternatives) is offered
    assert any("MIGraphX" in way.title for way in stop.alternatives)


def test_build_that_allows_hip_is_no_finished_port_while_gaps_are_left(tmp_path: Path) -> None:
    hip = EXTENSION + "import torch\nif torch.version.hip:\n    pass\n"
    done = components(estimate(tmp_path / "a", {"setup.py": hip, "a.cu": KERNEL}))["."]
    open_ = components(estimate(tmp_path / "b", {"setup.py": hip, "a.cu": KERNEL + SPIN}))["."]
    assert done.category == "ported" and open_.category == "pytorch-cuda-extension"
    assert done.ported > open_.ported > 0
    assert done.hip[0].path == "setup.py"


def test_what_a_port_has_gone_around_does_not_block(tmp_path: Path) -> None:
    tree = {"CMakeLists.txt": "project(a CUDA CXX)\n", "a.cu": KERNEL, "gemm.cu": CUTLASS}
    assert estimate(tmp_path / "a", tree).blockers
    hip = {"CMakeLists.txt": "project(a CUDA CXX)\nfind_package(hip)\n", "hip/b.cu": KERNEL}
    assert estimate(tmp_path / "b", tree | hip).category == "ported"
    assert estimate(tmp_path / "b", {}).blockers == ()


def test_a_file_for_hip_among_many_for_cuda_is_no_port_of_them(tmp_path: Path) -> None:
    tree = {"CMakeLists.txt": "project(a CUDA CXX)\nfind_package(hip)\n", "hip/b.cu": KERNEL, "gemm.cu": CUTLASS}
    tree |= {f"cuda/{name}.cu": KERNEL.replace("k(", f"{name}(") for name in ("c", "d", "e", "f")}
    found = estimate(tmp_path, tree)
    assert found.category == "native-cuda" and 0 < components(found)["."].ported < 0.6
    assert [one.title for one in found.blockers] == ["CUTLASS"]


@pytest.mark.parametrize(
    ("option", "beside"),
    [
        ("set(USE_ROCM OFF)", False),
        ("execute_process(COMMAND cmake -DUSE_HIP=OFF ..)", False),
        ('set(USE_ROCM OFF CACHE BOOL "for AMD")', True),
        ('option(USE_HIP "for AMD" OFF)', True),
        ("set(USE_ROCM ON)", True),
    ],
)
def test_what_turns_hip_off_for_good_is_no_build_for_it(option: str, beside: bool, tmp_path: Path) -> None:
    build = {"CMakeLists.txt": "project(app LANGUAGES CXX CUDA)\n", "lib.cmake": f"{option}\n", "a.cu": KERNEL}
    component = components(estimate(tmp_path, build))["."]
    assert bool(component.ported) == bool(component.hip) == beside


@pytest.mark.parametrize(("others", "category"), [(3, "pytorch-cuda-extension"), (25, "native-cuda")])
def test_one_file_of_many_with_headers_of_pytorch_is_a_plugin(others: int, category: str, tmp_path: Path) -> None:
    code = {f"src/k{number}.cu": KERNEL for number in range(others)}
    plugin = "#include <THC/THCTensor.h>\n#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }\n"
    build = "project(app LANGUAGES CXX CUDA)\n"
    assert estimate(tmp_path, {"CMakeLists.txt": build, "plugin/t.cu": plugin, **code}).category == category


def test_component_says_what_its_python_is_beside_the_native_code(tmp_path: Path) -> None:
    files = {"setup.py": EXTENSION, "a.cu": KERNEL, "ops.py": TRITON}
    assert components(estimate(tmp_path / "a", files))["."].also == ("pytorch-triton",)
    found = estimate(tmp_path / "b", {"CMakeLists.txt": "project(f CUDA)\n", "f.cu": KERNEL, "m.py": "import jax\n"})
    assert (found.category, components(found)["."].also) == ("native-cuda", ("jax",))
    assert {speed.workload for speed in found.performance} == {"compute"}


def test_rule_without_counterpart_and_family_is_a_blocker_by_itself(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": "#include <optix.h>\n#include <cufftdx.hpp>\n" + KERNEL})
    first, second = sorted(blocker.title for blocker in found.blockers)
    assert first == "OptiX" and second.startswith("cuFFTDx")
    assert all(len(blocker.alternatives) >= 1 for blocker in found.blockers)


def test_files_beside_the_only_component_are_counted_once(tmp_path: Path) -> None:
    image = "FROM nvidia/cuda:12.4.0-devel-ubuntu22.04\nENV CUDA_HOME=/usr/local/cuda\n"
    files = {"Dockerfile": image, "lib/CMakeLists.txt": "project(lib LANGUAGES CUDA)\n", "lib/a.cu": KERNEL}
    report = pipeline.scan(write(tmp_path, files), Config(jobs=1))
    assert report.estimate is not None
    found = components(report.estimate)
    assert set(found) == {".", "lib"} and found["."].files == 1
    work = [one for one in report.findings if one.path == "Dockerfile" and not one.automatic]
    priced = [item for item in report.estimate.items if item.path == "Dockerfile" and item.kind == "findings"]
    assert work and sum(item.count for item in priced) == len(work)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("HEAD = '''#include <hip/hip_runtime.h>\nvoid run(hipStream_t s);'''\n", True),
        ("# HEAD = '#include <hip/hip_runtime.h>'\n", False),
        ("HEAD = '''#include <cuda_runtime.h>\nvoid run(cudaStream_t s);'''\n", False),
    ],
)
def test_hips_code_that_python_writes_is_shown_beside_cudas(text: str, shown: bool, tmp_path: Path) -> None:
    tree = {"CMakeLists.txt": "project(app LANGUAGES CXX CUDA)\n", "a.cu": KERNEL, "backend/rocm/gemm.py": text}
    found = components(estimate(tmp_path, tree))["."]
    assert found.category == "native-cuda"
    assert any(place.path == "backend/rocm/gemm.py" for place in found.hip) is shown
