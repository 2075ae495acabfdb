"""A program that builds with PyTorch and runs `nvcc` on its way compiles nothing for ROCm, whatever else it asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, facts, reported

HEAD = (
    "import subprocess, torch\nfrom setuptools import setup\n"
    "from torch.utils.cpp_extension import BuildExtension, CUDAExtension, CUDA_HOME, IS_HIP_EXTENSION\n"
)
ASKS = "flags = []\nif IS_HIP_EXTENSION:\n    flags = ['-DLIB_AMD']\n"
RELEASE = "def release(home):\n    return subprocess.check_output([home + '/bin/nvcc', '-V'])\n"
MADE = "ext = [CUDAExtension('m', sources=['a.cpp', 'a.cu'])]\nsetup(ext_modules=ext)\n"
CALLED = "print(release(CUDA_HOME))\n"
CODE = "#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n" + KERNEL
PORT = {"setup.py": HEAD + ASKS + MADE, "a.cpp": "#include <cuda.h>\nint a;\n", "a.cu": CODE}


@pytest.mark.parametrize(
    ("program", "builds"),
    [
        pytest.param(CALLED + MADE, False, id="in any case"),
        pytest.param("both = lambda: release(CUDA_HOME)\n" + MADE, True, id="where nothing calls it"),
        pytest.param("if not IS_HIP_EXTENSION:\n    " + CALLED + MADE, True, id="in a branch that is not ROCm's"),
        pytest.param("try:\n    " + CALLED + "except TypeError:\n    pass\n" + MADE, True, id="where it may fail"),
        pytest.param(
            "def flags():\n    return [release(CUDA_HOME)]\nflags()\n" + MADE, False, id="by another function"
        ),
        pytest.param(
            "def ask():\n    if IS_HIP_EXTENSION:\n        return ''\n    return release(CUDA_HOME)\nask()\n" + MADE,
            True,
            id="by one that returns before",
        ),
        pytest.param(MADE + CALLED, True, id="behind it"),
        pytest.param("subprocess.run('echo nvcc_flags', shell=True)\n" + MADE, True, id="another command"),
    ],
)
def test_what_runs_nvcc_before_its_extension_builds_nothing_for_hip(tmp_path: Path, program: str, builds: bool) -> None:
    found = facts(tmp_path, {**PORT, "setup.py": HEAD + ASKS + RELEASE + program})
    assert bool(found.build) is builds
    assert bool(found.extensions) is builds
    assert set(found.cuda_only) == (set() if builds else {"a.cpp", "a.cu"})
    assert found.is_port is builds


def test_a_folder_with_such_a_program_of_its_own_is_a_gap_of_the_port_beside_it(tmp_path: Path) -> None:
    one = "#include <cuda_runtime.h>\n__global__ void n() { __syncwarp(); }\nvoid f(void **p) { cudaMalloc(p, 1); }\n"
    own = HEAD + RELEASE + CALLED + "setup(ext_modules=[CUDAExtension('n', ['n.cu'])])\n"
    report = reported(tmp_path / "a", {**PORT, "norm/setup.py": own, "norm/n.cu": one})
    assert report.port is not None and report.port.builds == ("setup.py:5",)
    assert {(f.path, f.rule) for f in report.findings} == {("norm/n.cu", "build/left-to-cuda")}
    assert "norm/setup.py:6" in report.findings[0].message
    assert (report.port.kernels, report.port.ported) == (2, 1)
    assert report.estimate is not None
    assert {one.path: one.ported for one in report.estimate.components} == {".": 1.0, "norm": 0.0}
    calls = "".join(f"void f{n}(void **p) {{ cudaMalloc(p, {n}); }}\n" for n in range(9))
    host = reported(tmp_path / "c", {**PORT, "norm/setup.py": own, "norm/n.cu": "#include <cublas_v2.h>\n" + calls})
    assert host.estimate is not None  # without a kernel it is no more ported
    assert {one.path: one.ported for one in host.estimate.components} == {".": 1.0, "norm": 0.0}
    free = own.replace(CALLED, "")
    near = reported(tmp_path / "b", {**PORT, "norm/setup.py": free, "norm/n.cu": one})
    assert not [f for f in near.findings if f.rule == "build/left-to-cuda"]


def test_a_variable_that_is_true_for_rocm_alone_separates_the_extensions(tmp_path: Path) -> None:
    chosen = "if IS_HIP_EXTENSION:\n    ROCM = True\nelse:\n    ROCM = %s\n"
    both = (
        "if not ROCM:\n    release(CUDA_HOME)\n    ext = [CUDAExtension('m', ['a.cu'])]\n"
        "elif ROCM:\n    ext = [CUDAExtension('m', ['b.cu'])]\nsetup(ext_modules=ext)\n"
    )
    files = {**PORT, "b.cu": CODE.replace(" k(", " l(")}
    found = facts(tmp_path / "a", {**files, "setup.py": HEAD + RELEASE + chosen % "False" + both})
    assert found.build and not found.cuda_only
    assert "b.cu" in found.compiled
    either = facts(tmp_path / "b", {**files, "setup.py": HEAD + RELEASE + chosen % "True" + both})
    assert not [place for place in either.build if "ROCM" in place[2] and place[1] > 8]
