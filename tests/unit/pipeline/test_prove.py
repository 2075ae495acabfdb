"""What a verdict blames: code that AMD's compiler gets, and headers that AMD has not."""

from __future__ import annotations

from pathlib import Path

import kept_headers
import pytest
from porttrees import BRANCHES, written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Target
from cudamigrate.pipeline import prove
from cudamigrate.verification import run as verification

GATED = """\
#include <hip/hip_runtime.h>
%s
__global__ void k(int *a) {
%s
}
"""
ASM = 'asm volatile("multimem.red.global.add.s32 [%%0], %%1;" : : "l"(a), "r"(1) : "memory");'


@pytest.fixture(autouse=True)
def headers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What clang includes first is read once for all of these tests."""
    kept_headers.use(monkeypatch)


def judged(folder: Path, text: str) -> tuple[str, tuple[str, ...]]:
    """The verdict on a file, and the headers that it lacks."""
    found = verification.toolchain("clang", Target())
    if isinstance(found, str):
        pytest.skip(found)
    (verdict,) = prove.verify(written(folder, {"a.hip": text}), Config(jobs=1), "clang").verdicts
    return verdict.word, verdict.headers


@pytest.mark.parametrize(
    ("before", "body", "word"),
    [
        ("", "#if __CUDA_ARCH__ >= 900\n%s\n#endif\n", "checked"),
        ("", "#if !defined(__CUDA_ARCH__)\n%s\n#endif\n", "failed"),
        ("#define __CUDA_ARCH__ 900", "#if __CUDA_ARCH__ >= 900\n%s\n#endif\n", "failed"),
        ("", "%s", "failed"),
    ],
    ids=["for NVIDIA's GPUs", "for others", "a port that sets it", "for all"],
)
def test_assembly_is_left_where_amd_compiles_it(tmp_path: Path, before: str, body: str, word: str) -> None:
    assert judged(tmp_path, GATED % (before, body % (ASM % ()))) == (word, ())


def test_a_header_that_a_library_of_amd_has_too_is_missing_and_not_cudas(tmp_path: Path) -> None:
    word, headers = judged(tmp_path, "#include <hip/hip_runtime.h>\n#include <nccl_device.h>\n")
    assert (word, headers) == ("unresolved", ("nccl_device.h (rccl-dev)",))
    assert judged(tmp_path, "#include <hip/hip_runtime.h>\n#include <nvtx3/nvToolsExt.h>\n")[0] == "failed"


def test_what_hip_lacks_fails_with_what_to_do_although_nothing_was_scanned(tmp_path: Path) -> None:
    files = {
        "nvml.hip": "#include <hip/hip_runtime.h>\n#include <nvml.h>\nvoid f() { nvmlInit(); }\n",
        "own.hip": "#include <hip/hip_runtime.h>\nvoid f() { nvmInit(); hipDeviceReset(); cudaDevice d; }\n",
    }
    found = prove.verify(written(tmp_path, files), Config(jobs=1), "clang").verdicts
    told = {one.path: [(entry.rule, entry.foreseen) for entry in one.diagnostics] for one in found}
    assert told["nvml.hip"] == [("api/nvml-header", True), ("api/nvml-start", True)]
    assert told["own.hip"][0] == ("", False)  # nobody's name that a rule knows
    assert "amd_smi/amdsmi.h" in found[0].diagnostics[0].advice
    assert not any("{" in entry.advice for one in found for entry in one.diagnostics)


def test_what_a_build_leaves_to_cuda_is_not_judged_and_what_is_hips_by_name_is(tmp_path: Path) -> None:
    build = "if(GPU STREQUAL HIP)\n  project(p LANGUAGES HIP)\n  include(cmake/hip.cmake)\nelse()\n"
    files = {
        "CMakeLists.txt": build + "  project(p LANGUAGES CUDA)\n  include(cmake/cuda.cmake)\nendif()\n",
        "cmake/cuda.cmake": "add_definitions(-DNV)\nfind_package(CUDAToolkit)\nadd_library(p src/twin.cu src/alone.cu)",
        "cmake/hip.cmake": "add_definitions(-DLIB_AMD)\nfind_package(hip)\nadd_library(p src/twin.hip)\n",
        "src/twin.cu": "#include <cuda_runtime.h>\ncudaStream_t a;\n",
        "src/alone.cu": "#include <cuda_runtime.h>\ncudaStream_t b;\n",
        "src/twin.hip": "#include <stdio.h>\nint c;\n",
        "src/both.h": BRANCHES % "LIB_AMD",
    }
    judged = prove.verify(written(tmp_path, files), Config(jobs=1), "clang").verdicts
    assert [(one.path, one.word) for one in judged] == [("src/twin.hip", "checked")]


SETUP = """\
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(ext_modules=[CUDAExtension("ops", ["csrc/ops.cu", "other/wrong.cu"])], cmdclass={"build_ext": BuildExtension})
"""
OPS = """\
#include <torch/extension.h>
#include <cuda_runtime.h>
#include "shared.cuh"
void run(cudaStream_t s) { cudaStreamSynchronize(s); }
"""


@pytest.mark.parametrize("include", [(), ("csrc/*.cu",)], ids=["all", "some"])
def test_what_is_included_does_not_choose_what_is_known_of_the_build(tmp_path: Path, include: tuple[str, ...]) -> None:
    files = {
        "setup.py": SETUP,
        "csrc/ops.cu": OPS,
        "csrc/shared.cuh": "#pragma once\n#include <cuda.h>\ninline CUstream none() { return 0; }\n",
        "other/wrong.cu": "#include <torch/extension.h>\nvoid f() { hipNoSuchCall(); }\n",
    }
    found = prove.verify(written(tmp_path, files), Config(jobs=1, include=include), "clang").verdicts
    words = {one.path: one.word for one in found}
    assert words.pop("csrc/ops.cu") == "declarations"
    assert words == ({} if include else {"other/wrong.cu": "failed"})


@pytest.mark.parametrize(
    ("include", "more", "word", "headers"),
    [
        (("src/*",), "", "unresolved", ("inc/x.h was left out of the conversion",)),
        (("src/*", "inc/*"), "", "checked", ()),
        (("src/*", "inc/*"), "#include <nppi.h>\n", "failed", ()),
        ((), "", "checked", ()),
    ],
    ids=["a header of the rest", "all that it reads", "a header that AMD lacks", "all"],
)
def test_what_a_run_leaves_out_says_nothing_of_what_includes_it(
    tmp_path: Path, include: tuple[str, ...], more: str, word: str, headers: tuple[str, ...]
) -> None:
    files = {
        "src/a.cu": f'#include "../inc/x.h"\n{more}void run(cudaStream_t s) {{ cudaStreamSynchronize(s); }}\n',
        "inc/x.h": "#pragma once\n#include <cuda_runtime.h>\n",
    }
    config = Config(jobs=1, include=include)
    _, found = prove.verify_applied(pipeline.apply(written(tmp_path, files), config, debug=True), config, "clang")
    assert [(one.word, one.headers) for one in found.verdicts if one.path == "src/a.cu"] == [(word, headers)]


CHECKED = "#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) return; } while (0)\n"
ONE = "\n#define HD __host__ __device__\n#else\n#define HD\n#endif\nHD inline int one() { return 1; }\n"
BY_NVCC = f"#ifdef __NVCC__{ONE}"
BY_OTHERS = f"#ifdef WITH_GPU{ONE}"
USED = '#include <cuda_runtime.h>\n#include "../inc/x.h"\n'


@pytest.mark.parametrize("config", [Config(jobs=1, include=("src/*",)), Config(jobs=1, exclude=("inc/*",))])
@pytest.mark.parametrize(
    ("header", "body", "word"),
    [
        (CHECKED, "void run() { CHECK(cudaDeviceSynchronize()); }", "unresolved"),
        ("void go(cudaStream_t s);\n", "void run(cudaStream_t s) { go(s); }", "unresolved"),
        ("inline int one() { return 1; }\n", "int run() { return one() + nowhere; }", "failed"),
        (CHECKED, "int run(int a) { return a; }", "checked"),
        (BY_NVCC, "__global__ void k(int *p) { *p = one(); }", "unresolved"),
        (BY_OTHERS, "__global__ void k(int *p) { *p = one(); }", "failed"),  # nothing of it would change
        (CHECKED, "void run() { CHECK(cudaDeviceSynchronize()); cudaGraphicsGLRegisterAll(); }", "unresolved"),
    ],
)
def test_no_unit_fails_for_a_file_that_was_left_out(
    tmp_path: Path, config: Config, header: str, body: str, word: str
) -> None:
    root = written(tmp_path, {"src/a.cu": f"{USED}{body}\n", "inc/x.h": f"#pragma once\n{header}"})
    _, found = prove.verify_applied(pipeline.apply(root, config, debug=True), config, "clang")
    (verdict,) = (one for one in found.verdicts if one.path == "src/a.cu")
    assert verdict.word == word
    assert (verdict.headers == ("inc/x.h was left out of the conversion",)) is (word == "unresolved")


def test_of_a_part_of_a_tree_an_error_in_the_rest_is_not_the_parts(tmp_path: Path) -> None:
    files = {
        "src/a.cu": '#include <hip/hip_runtime.h>\n#include "../inc/x.h"\nvoid a() {}\n',
        "src/b.cu": '#include <hip/hip_runtime.h>\n#include "../inc/y.h"\nvoid b() { hipNoSuchCall(); }\n',
        "inc/x.h": "inline cudaStream_t none() { return 0; }\n",
        "inc/y.h": "inline hipStream_t none() { return 0; }\n",
    }
    found = prove.verify(written(tmp_path, files), Config(jobs=1, include=("src/*",)), "clang").verdicts
    assert {one.path: one.word for one in found} == {"src/a.cu": "unresolved", "src/b.cu": "failed"}


def test_a_source_that_only_a_person_can_change_is_among_those_that_are_judged(tmp_path: Path) -> None:
    files = {
        "k.cu": "#include <cuda_runtime.h>\n__global__ void k(int *a) { *a = 1; }\n",
        "power.cpp": "#include <nvml.h>\nvoid start() { nvmlInit(); }\n",
        "power.h": "#include <nvml.h>\ninline void stop() { nvmlShutdown(); }\n",
        "plain.cpp": "int one() { return 1; }\n",
    }
    config = Config(jobs=1, arch=("gfx90a",))
    _, found = prove.verify_applied(pipeline.apply(written(tmp_path, files), config, debug=True), config, "clang")
    words = {one.path: one.word for one in found.verdicts}
    assert words.keys() == {"k.cu", "power.cpp"}
    assert words["power.cpp"] in ("failed", "unresolved")
