"""AMD's platform asked for by the macro of old releases: a gap of a port, unless the repository defines the macro."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ASKS = """#ifdef __HIP_PLATFORM_HCC__
#include <hip/hip_runtime.h>
#define synchronize hipDeviceSynchronize
#else
#include <cuda_runtime.h>
#define synchronize cudaDeviceSynchronize
#endif
__global__ void k() {}
void run() { synchronize(); }
"""
RULE = "build/old-platform-macro"


def found(root: Path, files: dict[str, str], rocm: str = "6.3") -> list[str]:
    written(root, files)
    return [one.path for one in pipeline.scan(root, Config(jobs=1, rocm=rocm)).findings if one.rule == RULE]


def test_it_is_a_gap_in_what_a_build_for_hip_compiles(tmp_path: Path) -> None:
    build = "# __HIP_PLATFORM_HCC__ is old\nk.o: k.cu\n\thipcc -c k.cu\n"
    assert found(tmp_path, {"k.cu": ASKS, "Makefile": build}) == ["k.cu"]


def test_it_is_one_in_a_file_for_hip_alone(tmp_path: Path) -> None:
    lanes = (
        "#include <hip/hip_runtime.h>\nint lanes() {\n#ifdef __HIP_PLATFORM_HCC__\n  return 64;\n"
        "#else\n  return 32;\n#endif\n}\n"
    )
    sides = {
        f"{side}/{name}.cpp": f'#include <{side}/{side}_runtime.h>\n#include "lanes.h"\nvoid {name}() {{}}\n'
        for side in ("cuda", "hip")
        for name in ("a", "b", "c")
    }
    build = "project(p LANGUAGES CXX)\nfind_package(HIP REQUIRED)\nadd_executable(p a.cpp b.cpp c.cpp)\n"
    files = {**sides, "hip/lanes.h": lanes, "hip/CMakeLists.txt": build, "cuda/k.cu": "__global__ void k() {}\n"}
    assert found(tmp_path, files) == ["hip/lanes.h"]
    assert found(tmp_path / "new", {**files, "hip/lanes.h": lanes.replace("_HCC_", "_AMD_")}) == []


@pytest.mark.parametrize(
    ("files", "rocm"),
    [
        pytest.param({"k.cu": ASKS}, "5.7", id="a release that defines it"),
        pytest.param({"k.cu": ASKS.replace("_HCC_", "_AMD_")}, "6.3", id="the newer macro"),
        pytest.param({"k.cu": ASKS, "p.h": "#define __HIP_PLATFORM_HCC__ 1\n"}, "6.3", id="its own definition"),
        pytest.param({"k.cu": ASKS, "o.mk": "FLAGS += -D__HIP_PLATFORM_HCC__\n"}, "6.3", id="an option of the build"),
        pytest.param({"k.cu": ASKS, "b.py": "macros = [('__HIP_PLATFORM_HCC__', 1)]\n"}, "6.3", id="a program"),
    ],
)
def test_neighbours_are_left_alone(tmp_path: Path, files: dict[str, str], rocm: str) -> None:
    assert found(tmp_path, {**files, "Makefile": "k.o: k.cu\n\thipcc -c k.cu\n"}, rocm) == []


ROOT = (
    "#include <hip/hip_runtime.h>\n__device__ float root(float x) {\n#ifdef __HIP_DEVICE_COMPILE__\n"
    "#ifdef __HIP_PLATFORM_NVIDIA__\n  return rsqrtf(x);\n#elif defined(__HIP_PLATFORM_HCC__)\n"
    "  return __frsqrt_rn(x);\n#endif\n#else\n  return 1 / x;\n#endif\n}\n"
)


def test_code_that_hip_alone_compiles_asks_in_vain_too(tmp_path: Path) -> None:
    port = {"k.cu": ASKS.replace("_HCC_", "_AMD_"), "Makefile": "k.o: k.cu\n\thipcc -c k.cu\n"}
    using = {"k.cu": '#include "root.h"\n' + port["k.cu"], "root.h": ROOT}
    assert found(tmp_path / "a", port | using) == ["root.h"]
    assert found(tmp_path / "b", port | using | {"root.h": ROOT.replace("_HCC_", "_AMD_")}) == []
    cuda = "#ifndef __HIPCC__\n" + ROOT.replace("#include <hip/hip_runtime.h>\n", "") + "#endif\n"
    assert found(tmp_path / "c", port | using | {"root.h": cuda}) == []  # HIP does not compile what asks


REFUSAL = "build/old-platform-refusal"
CODE = "#include <hip/hip_runtime.h>\nvoid f(int n) {{\n{opening}\n  {first}\n#else\n  {last}\n#endif\n}}\n"


@pytest.mark.parametrize(
    ("opening", "first", "last", "rule"),
    [
        ("#if defined __HIP_PLATFORM_HCC__", 'TORCH_CHECK(false, "no");', "g();", REFUSAL),
        ("#ifdef __HIP_PLATFORM_HCC__", "/* not yet */ throw n;", "g();", REFUSAL),
        ("#ifdef __HIP_PLATFORM_HCC__", "#error not for HIP", "g();", REFUSAL),
        ("#ifndef __HIP_PLATFORM_HCC__", "g();", "std::abort();", REFUSAL),
        ("#if !defined(__HIP_PLATFORM_HCC__)", "throw n;", "g();", RULE),
        ("#ifdef __HIP_PLATFORM_HCC__", 'TORCH_CHECK(n > 0, "no");', "g();", RULE),
        ("#ifdef __HIP_PLATFORM_HCC__", "if (n < 0) throw n;", "g();", RULE),
        ("#ifdef __HIP_PLATFORM_HCC__", "set_flag(false);", "g();", RULE),
    ],
)
def test_a_refusal_is_not_turned_on(tmp_path: Path, opening: str, first: str, last: str, rule: str) -> None:
    code = CODE.format(opening=opening, first=first, last=last)
    written(tmp_path, {"k.cu": code + "__global__ void k() {}\n"})
    report = pipeline.scan(tmp_path, Config(jobs=1, rocm="6.3"))
    here = [one for one in report.findings if one.rule in (RULE, REFUSAL)]
    assert [one.rule for one in here] == [rule]
    assert (here[0].fix is None) is (rule == REFUSAL)


def test_a_refusal_stays_unsaid_where_the_project_defines_the_macro(tmp_path: Path) -> None:
    code = CODE.format(opening="#ifdef __HIP_PLATFORM_HCC__", first="throw n;", last="g();")
    written(tmp_path, {"k.cu": code + "__global__ void k() {}\n", "p.h": "#define __HIP_PLATFORM_HCC__ 1\n"})
    report = pipeline.scan(tmp_path, Config(jobs=1, rocm="6.3"))
    assert not [one for one in report.findings if one.rule in (RULE, REFUSAL)]
