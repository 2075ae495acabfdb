"""What the side of its own that a HIP port has lacks: functions that both sides' code calls, and declarations."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import reported

from cudamigrate.model import Report

BUILD = (
    "project(p CXX)\nif(USE_CUDA)\n  enable_language(CUDA)\n  add_subdirectory(cuda)\nelseif(USE_HIP)\n"
    "  enable_language(HIP)\n  add_subdirectory(hip)\nelse()\n  add_subdirectory(cpu)\nendif()\n"
    "add_library(p main.cpp)\n"
)
KERNEL = "__global__ void k%s(float *a) { a[threadIdx.x] = 0; }\n"
START = 'extern "C" void run_%s(float *a) { k%s<<<1, 64>>>(a); }\n'
NAMES = "abc"


def side(vendor: str, ending: str, head: str) -> dict[str, str]:
    files = {f"{vendor}/{one}.{ending}": head + KERNEL % one + START % (one, one) for one in NAMES}
    source = "target_sources(p PRIVATE " + " ".join(f"{one}.{ending}" for one in NAMES) + ")\n"
    return {**files, f"{vendor}/CMakeLists.txt": source}


TREE = {
    "CMakeLists.txt": BUILD,
    **side("cuda", "cu", "#include <cuda_runtime.h>\n"),
    **side("hip", "hip", "#include <math.h>\n#include <hip/hip_runtime.h>\n"),
    "main.cpp": 'extern "C" void run_a(float *);\nint main() { run_a(0); }\n',
}
MORE = 'extern "C" void more(float *a) { ka<<<2, 64>>>(a); }\n'
CALLS = 'extern "C" void run_a(float *);\nextern "C" void more(float *);\nint main() {\n  run_a(0);\n  %s\n}\n'
ERROR = 'extern "C" void check() { cudaError_t e = cudaGetLastError(); }\n'


def found(report: Report, rule: str) -> list[str]:
    return [f"{one.path}: {one.message}" for one in report.findings if one.rule == rule]


def with_more(root: Path, text: str = "more(0);", **others: str) -> list[str]:
    files = {**TREE, "cuda/a.cu": TREE["cuda/a.cu"] + MORE, "main.cpp": CALLS % text}
    return found(reported(root, {**files, **others}), "build/port-missing-function")


def test_a_function_that_hip_has_nowhere_is_a_gap(tmp_path: Path) -> None:
    (said,) = with_more(tmp_path)
    assert said.startswith("cuda/a.cu: Gap in the HIP port:") and "`more`" in said
    assert "main.cpp:5" in said and "`hip/a.hip`" in said


def test_the_kernels_of_a_file_with_one_are_not_all_without_a_gap(tmp_path: Path) -> None:
    files = {**TREE, "cuda/a.cu": TREE["cuda/a.cu"] + MORE, "main.cpp": CALLS % "more(0);"}
    port = reported(tmp_path, files).port
    assert port is not None and (port.kernels, port.ported, port.gaps) == (3, 2, 1)


def test_a_side_that_takes_the_place_of_hips_is_no_answer(tmp_path: Path) -> None:
    cpu = 'extern "C" void run_a(float *a) {}\nextern "C" void more(float *a) {}\n'
    assert len(with_more(tmp_path, **{"cpu/a.cpp": cpu})) == 1


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("", {}),
        ("#ifdef USE_CUDA\n  more(0);\n#endif", {}),
        ("more(0);", {"hip/b.hip": TREE["hip/b.hip"] + MORE.replace("ka", "kb")}),
        ("more(0);", {"hip/b.hip": TREE["hip/b.hip"] + "#define ALSO more\n"}),
        ("more(0);", {"hip/b.hip": TREE["hip/b.hip"] + "#define NAMED(x) mo##x\n"}),
        ("more(0);", {"both.cpp": 'extern "C" void more(float *a) {}\n'}),
        ("more(0);", {"cuda/a.cu": TREE["cuda/a.cu"] + "static " + MORE.removeprefix('extern "C" ')}),
    ],
)
def test_a_function_that_is_there_or_not_needed_is_none(text: str, others: dict[str, str], tmp_path: Path) -> None:
    assert with_more(tmp_path, text, **others) == []


def test_a_name_of_cudas_that_nothing_declares_for_hip_is_a_gap(tmp_path: Path) -> None:
    report = reported(tmp_path, {**TREE, "hip/a.hip": TREE["hip/a.hip"] + ERROR})
    assert len(found(report, "api/cudaError_t")) == len(found(report, "api/cudaGetLastError")) == 1
    assert found(report, "api/cudaError_t")[0].startswith("hip/a.hip: Gap in the HIP port:")
    assert not any(one.fix for one in report.findings)


@pytest.mark.parametrize(
    "others",
    [
        {"hip/a.hip": '#include "names.h"\n', "hip/names.h": "#define cudaError_t hipError_t\n"},
        {"hip/a.hip": '#include "names.h"\n', "hip/names.h": "using cudaError_t = hipError_t;\n"},
        {"hip/a.hip": "#include <not/here.h>\n"},
        {"hip/a.hip": "#define cudaGetLastError hipGetLastError\n"},
        {"CMakeLists.txt": BUILD + 'set(CMAKE_HIP_FLAGS "-O2 -include ${PROJECT_SOURCE_DIR}/names.h")\n'},
        {"hip/a.hip": "#ifdef USE_CUDA\n", "end": "#endif\n"},
    ],
)
def test_one_that_something_may_declare_is_none(others: dict[str, str], tmp_path: Path) -> None:
    end = others.pop("end", "")
    first = others.pop("hip/a.hip", "")
    report = reported(tmp_path, {**TREE, **others, "hip/a.hip": TREE["hip/a.hip"] + first + ERROR + end})
    assert found(report, "api/cudaError_t") == []


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("static int more(float *a) __attribute__((unused));\nstatic int more(float *a) { return 0; }\n", False),
        ("static inline void more(float *a) {}\n", False),
        ("static int fewer(float *a) { return more(a); }\n", True),
        ("struct Other { static int more(float *a) { return 0; } };\n", True),
    ],
)
def test_a_stub_in_a_header_answers_where_cudas_side_is_left_out(header: str, missing: bool, tmp_path: Path) -> None:
    assert bool(with_more(tmp_path, **{"stub/more.h": header})) is missing
