"""Functions of headers that HIP cannot compile and that nothing calls."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Report

ROOM = """size_t room(int m, cudaEmulationMantissaControl control) {
    return control == CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC ? m : 0;
}
"""
HEAD = "#pragma once\n#include <cublas_v2.h>\nint half_of(int a);\n"
PLAIN = '#include "u.h"\nint main() { return half_of(4); } // room\n'
LACKING = '#include "u.h"\nint main() { cudaEmulationMantissaControl c{}; return room(1, c); }\n'


def reported(root: Path, files: dict[str, str]) -> Report:
    written(root, files)
    return pipeline.scan(root, Config(jobs=1))


def found(report: Report, rule: str) -> list[str]:
    return [f"{one.path}:{one.position.line}" for one in report.findings if one.rule == rule]


def converted(root: Path, path: str) -> str:
    made = pipeline.apply(root, Config(jobs=1))
    return next(one.after.decode() for one in made.conversions if one.path == path)


def test_a_function_that_nothing_names_is_left_to_cuda(tmp_path: Path) -> None:
    report = reported(tmp_path, {"u.h": HEAD + ROOM, "a.cu": PLAIN})
    assert found(report, "build/uncalled-function") == ["u.h:4"]
    assert not [one for one in report.findings if one.rule == "api/numeric-emulation"]
    assert f"#ifndef __HIP_PLATFORM_AMD__\n{ROOM}#endif\n" in converted(tmp_path, "u.h")


def test_the_last_function_of_a_file_without_a_line_break(tmp_path: Path) -> None:
    written(tmp_path, {"u.h": HEAD + ROOM.rstrip(), "a.cu": PLAIN})
    assert converted(tmp_path, "u.h").endswith("}\n#endif\n")


def test_callers_that_hip_cannot_compile_either_are_told(tmp_path: Path) -> None:
    report = reported(tmp_path, {"u.h": HEAD + ROOM, "a.cu": PLAIN, "b.cu": LACKING})
    assert found(report, "build/uncalled-function") == ["u.h:4"]
    assert found(report, "build/call-of-uncalled") == ["b.cu:2"]


def test_a_template_and_a_declaration_go_whole(tmp_path: Path) -> None:
    declared = "const char *named(cudaEmulationMantissaControl one);\n"
    text = HEAD + "template <typename T>\n" + ROOM + declared
    report = reported(tmp_path, {"u.h": text, "a.cu": PLAIN})
    assert found(report, "build/uncalled-function") == ["u.h:5", "u.h:8"]
    guarded = f"#ifndef __HIP_PLATFORM_AMD__\ntemplate <typename T>\n{ROOM}#endif\n"
    assert guarded + f"#ifndef __HIP_PLATFORM_AMD__\n{declared}#endif\n" in converted(tmp_path, "u.h")


def test_the_definition_of_a_declaration_may_be_in_a_file_without_cuda(tmp_path: Path) -> None:
    declared = "const char *named(cublasLtMatmulTile_t one);\n"
    files = {"u.h": "#include <cublasLt.h>\nint half_of(int a);\n" + declared, "a.cu": PLAIN}
    defined = '#include "u.h"\nconst char *named(cublasLtMatmulTile_t one) { return "a"; }\n'
    assert found(reported(tmp_path / "a", {**files, "n.cpp": defined}), "build/uncalled-function") == ["u.h:3"]
    called = defined + "const char *other() { return named({}); }\n"
    assert not found(reported(tmp_path / "b", {**files, "n.cpp": called}), "build/uncalled-function")


@pytest.mark.parametrize(
    "files",
    [
        {"u.h": HEAD + ROOM, "a.cu": '#include "u.h"\nint main() { return room(1, {}); }\n'},
        {"u.h": HEAD + ROOM + "#define ROOM(m) room(m, {})\n", "a.cu": PLAIN},
        {"u.h": HEAD + "size_t room(int m);\n" + ROOM, "a.cu": PLAIN},
        {"u.h": HEAD + "struct Helper {\n" + ROOM + "};\n", "a.cu": PLAIN},
        {"u.h": HEAD, "a.cu": '#include "u.h"\n' + ROOM + "int main() { return half_of(4); }\n"},
        {"u.h": HEAD + ROOM, "a.cu": PLAIN, "load.py": "import torch\nprint(torch.version.cuda, library.room)\n"},
    ],
    ids=["called", "macro", "overload", "member", "source", "python"],
)
def test_functions_that_stay(tmp_path: Path, files: dict[str, str]) -> None:
    report = reported(tmp_path, files)
    assert not found(report, "build/uncalled-function")
    assert [one for one in report.findings if one.rule == "api/numeric-emulation"]


WAIT = """__device__ __forceinline__ void part_waits(int name, int threads) {
    asm volatile("bar.sync %0, %1;" : : "r"(name), "r"(threads) : "memory");
}
"""
KERNEL = '#include "p.cuh"\n__global__ void k(float *x) { x[0] = 1; }\n'


def test_a_function_of_ptx_that_nothing_names_is_left_to_cuda(tmp_path: Path) -> None:
    report = reported(tmp_path, {"p.cuh": "#pragma once\n" + WAIT, "k.cu": KERNEL})
    assert found(report, "build/uncalled-function") == ["p.cuh:2"]
    assert not [one for one in report.findings if one.rule == "ptx/named-barrier"]
    assert f"#ifndef __HIP_PLATFORM_AMD__\n{WAIT}#endif\n" in converted(tmp_path, "p.cuh")


@pytest.mark.parametrize(
    ("header", "kernel"),
    [
        (WAIT, KERNEL.replace("x[0] = 1;", "part_waits(1, 64);")),
        ("#define MEET part_waits(1, 64)\n" + WAIT, KERNEL),
        (WAIT.replace("__device__", "__global__").replace("__forceinline__ ", ""), KERNEL),
        ("struct Role {\n" + WAIT + "};\n", KERNEL),
        ("#if __CUDA_ARCH__ >= 700\n" + WAIT + "#endif\n", KERNEL),
    ],
    ids=["called", "in a macro", "a kernel", "a member", "under a condition"],
)
def test_a_function_of_ptx_that_may_be_called_stays(tmp_path: Path, header: str, kernel: str) -> None:
    report = reported(tmp_path, {"p.cuh": "#pragma once\n" + header, "k.cu": kernel})
    assert not found(report, "build/uncalled-function")
    assert [one for one in report.findings if one.rule == "ptx/named-barrier"]


MACRO_WAIT = WAIT.replace("__device__ __forceinline__", "GPU_INLINE")
GPU_INLINE = "#pragma once\n#define GPU_INLINE __device__ __forceinline__\n"


def test_what_makes_a_function_the_device_s_may_be_a_macro_of_another_file(tmp_path: Path) -> None:
    files = {"m.cuh": GPU_INLINE, "p.cuh": '#pragma once\n#include "m.cuh"\n' + MACRO_WAIT, "k.cu": KERNEL}
    report = reported(tmp_path, files)
    assert found(report, "build/uncalled-function") == ["p.cuh:3"]
    assert f"#ifndef __HIP_PLATFORM_AMD__\n{MACRO_WAIT}#endif\n" in converted(tmp_path, "p.cuh")


def test_a_function_that_shares_its_line_stays_without_a_word_on_itself(tmp_path: Path) -> None:
    files = {"p.cuh": "#pragma once\nstruct Empty {}; " + WAIT, "k.cu": KERNEL}
    report = reported(tmp_path, files)
    assert not found(report, "build/uncalled-function")
    assert not found(report, "build/call-of-uncalled")
    assert [one for one in report.findings if one.rule == "ptx/named-barrier"]


def test_ptx_without_a_name_of_its_own_is_named_by_its_instruction(tmp_path: Path) -> None:
    leaves = '__device__ __forceinline__ void leave() { asm("exit;"); }\n'
    report = reported(tmp_path, {"p.cuh": "#pragma once\n" + leaves, "k.cu": KERNEL})
    said = [one.message for one in report.findings if one.rule == "build/uncalled-function"]
    assert len(said) == 1
    assert said[0].startswith("`leave` uses `exit`, ")
