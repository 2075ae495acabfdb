"""HIP's runtime header in `.cu` files that read a header of the repository which needs it first, and in no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline import read_again

RULE = "build/implicit-runtime-header"
CAMERA = "#pragma once\n#include <stdint.h>\nstruct Camera { float3 eye; };\n"
MARKED = "#pragma once\n#ifdef __CUDACC__\n#define BOTH __host__ __forceinline__\n#endif\n"
BRINGS = "#pragma once\n#include <cuda_runtime.h>\nstruct Camera { float3 eye; };\n"
API = "#pragma once\n#include <cuda_runtime_api.h>\nvoid g(cudaStream_t stream);\n"
KERNEL = "__global__ void k(float *x) { x[threadIdx.x] = 1; }\n"
BEHIND = "#pragma once\n#ifdef WITH_GPU\n#include <cuda_runtime.h>\n#endif\nstruct Camera { float3 eye; };\n"


def found(root: Path, files: dict[str, str]) -> list[tuple[str, int]]:
    """The files that are to include the header, with the line of what needs it."""
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [(one.path, one.position.line) for one in report.findings if one.rule == RULE]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"a.cu": '#include "inc/b.h"\n', "inc/b.h": CAMERA}, [("a.cu", 1)], id="by its header"),
        pytest.param(
            {"a.cu": '#include "b.h"\n', "b.h": '#include "inc/c.h"\n', "inc/c.h": CAMERA},
            [("a.cu", 1)],
            id="through two",
        ),
        pytest.param(
            {"a.cu": '\n#include "b.h"\n#include <cuda_runtime.h>\n', "b.h": CAMERA}, [("a.cu", 2)], id="read too late"
        ),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": BEHIND}, [("a.cu", 1)], id="behind a conditional"),
        pytest.param(
            {"a.cu": '#include "b.h"\n', "b.h": BEHIND.replace("WITH_GPU", "__HIPCC__")}, [], id="read by HIP"
        ),
        pytest.param({"a.cu": "#include <vector>\nfloat3 f();\n"}, [("a.cu", 2)], id="a type of its own text"),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": BRINGS}, [], id="the header has it"),
        pytest.param({"a.cu": '#include "c/b.h"\n', "b.h.in": CAMERA}, [("a.cu", 1)], id="by a template"),
        pytest.param({"a.cu": '#include "c/b.h"\n', "b.h.in": BRINGS}, [], id="the template has it"),
        pytest.param({"a.cu": '#include <cuda_runtime.h>\n#include "b.h"\n', "b.h": CAMERA}, [], id="read before"),
        pytest.param({"a.cu": '#include <cub/cub.cuh>\n#include "b.h"\n', "b.h": CAMERA}, [], id="a library reads it"),
        pytest.param({"a.cu": '#include "b.h"\nint f();\n', "b.h": "int g();\n"}, [], id="no CUDA"),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": API}, [], id="the API's header is enough"),
        pytest.param({"a.cu": f'#include "b.h"\n{KERNEL}', "b.h": API}, [("a.cu", 2)], id="but for kernels"),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": f"{API}float3 g();\n"}, [("a.cu", 1)], id="but for vectors"),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": "// float3\nint g();\n"}, [], id="in a comment"),
        pytest.param({"a.cpp": '#include "b.h"\n', "b.h": CAMERA}, [], id="not compiled by nvcc"),
        pytest.param(
            {"a.cpp": '#include "b.h"\n#include <cuda_runtime_api.h>\nvoid f() { cudaFree(0); }\n', "b.h": MARKED},
            [("a.cpp", 1)],
            id="read too late by host code",
        ),
        pytest.param(
            {"a.cpp": '#include <cuda_runtime_api.h>\n#include "b.h"\nvoid f() { cudaFree(0); }\n', "b.h": MARKED},
            [("a.cpp", 2)],
            id="the header of the calls is not enough",
        ),
        pytest.param(
            {"a.cpp": '#include <cuda_runtime.h>\n#include "b.h"\nvoid f() { cudaFree(0); }\n', "b.h": MARKED},
            [],
            id="read before by host code",
        ),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": '#include "a.cu"\n'}, [], id="a circle"),
        pytest.param(
            {"a.cu": '#include "b.h"\n', "b.h": "#pragma once\n__global__ void k();\n"},
            [("b.h", 2)],
            id="once is enough",
        ),
    ],
)
def test_the_header_is_included_where_nothing_read_before_brings_it(
    tmp_path: Path, files: dict[str, str], told: list[tuple[str, int]]
) -> None:
    assert found(tmp_path, files) == told


HELPER = "#ifdef WITH_%s\n#include <vector>\n#else\n#include <c10/cuda/CUDAGuard.h>\n#endif\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"a.cu": '#include "b.h"\n' + KERNEL, "b.h": BRINGS}, [], id="its header brings it"),
        pytest.param({"a.cu": '#include "b.h"\n' + KERNEL, "b.h": BEHIND}, [("a.cu", 2)], id="it may not be read"),
        pytest.param({"a.cu": KERNEL + '#include "b.h"\n', "b.h": BRINGS}, [("a.cu", 1)], id="it is read too late"),
        pytest.param(
            {"a.cu": '#include "b.h"\n' + KERNEL, "b.h": KERNEL}, [("b.h", 1)], id="its header is to include it"
        ),
        pytest.param({"a.cu": "#include <ATen/cuda/CUDAContext.h>\n" + KERNEL}, [], id="PyTorch's header"),
        pytest.param({"a.cu": "#include <torch/extension.h>\n" + KERNEL}, [("a.cu", 2)], id="PyTorch's for CPUs"),
        pytest.param(
            {"a.cu": '#include "b.h"\n' + KERNEL, "b.h": HELPER % "NPU"}, [], id="in all but another platform's build"
        ),
        pytest.param(
            {"a.cu": '#include "b.h"\n' + KERNEL, "b.h": HELPER % "ROCM"}, [("a.cu", 2)], id="not in builds for HIP"
        ),
    ],
)
def test_a_file_whose_headers_bring_it_needs_no_other(
    tmp_path: Path, files: dict[str, str], told: list[tuple[str, int]]
) -> None:
    assert found(tmp_path, files) == told


def test_the_fix_puts_the_header_before_all_others(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text('// a\n#include "b.h"\n')
    (tmp_path / "b.h").write_text(CAMERA)
    applied = pipeline.apply(tmp_path, Config(jobs=1), unsafe=False)
    assert {one.path: one.after for one in applied.conversions} == {
        "a.cu": b'// a\n#include <hip/hip_runtime.h>\n#include "b.h"\n'
    }


BESIDE_PY = '#pragma once\n#if defined(FOR_PY)\nint g;\n#else\n#include "host.h"\n#endif\n'
"""A header that includes another, which is none of the tree's, unless a build sets a macro."""


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"b.h": "#pragma once\n#include <vector>\n"}, [("a.cu", 3)], id="no header brings it"),
        pytest.param({"b.h": "#pragma once\n#include <string.h>\n"}, [], id="its header does"),
        pytest.param({"b.h": "#pragma once\n#include <somebody/else.h>\n"}, [], id="a header that nobody knows"),
        pytest.param({}, [], id="a header that is not there"),
        pytest.param({"b.h": '#include "nccl.h"\n'}, [("a.cu", 3)], id="a header of CUDA's in quotes"),
        pytest.param(
            {"b.h": "inline bool g(char *a) { return strlen(a) > 2; }\n"},
            [("a.cu", 3), ("b.h", 1)],
            id="a header's own",
        ),
        pytest.param(
            {"b.h": BESIDE_PY, "setup.py": 'setup(define_macros=[("FOR_PY", None)])\n'},
            [("a.cu", 3)],
            id="a header that one build leaves out",
        ),
        pytest.param(
            {"b.h": BESIDE_PY, "setup.py": 'setup(define_macros=[("FOR_MORE", None)])\n'},
            [],
            id="a header that no build leaves out",
        ),
    ],
)
def test_functions_on_text_need_their_header_unless_one_read_may_bring_it(
    tmp_path: Path, files: dict[str, str], told: list[tuple[str, int]]
) -> None:
    source = '#include <cuda_runtime.h>\n#include "b.h"\nvoid f(char *a, char *b) { memcpy(a, b, 4); }\n'
    for name, text in {"a.cu": source, **files}.items():
        (tmp_path / name).write_text(text)
    report = pipeline.scan(tmp_path, Config(jobs=1, rocm="7.1"))
    assert [(one.path, one.position.line) for one in report.findings if one.rule == "build/string-header"] == told


@pytest.mark.parametrize(("other", "told"), [("int main();\n", [("a.cu", 1)]), ('#include "a.cu"\n', [])])
def test_functions_on_text_in_a_file_that_includes_nothing(
    tmp_path: Path, other: str, told: list[tuple[str, int]]
) -> None:
    written(tmp_path, {"a.cu": "void f(float *p) { memset(p, 0, 4); cudaFree(p); }\n", "b.cpp": other})
    report = pipeline.scan(tmp_path, Config(jobs=1, rocm="7.1"))
    assert [(one.path, one.position.line) for one in report.findings if one.rule == "build/string-header"] == told


@pytest.mark.parametrize(("rocm", "told"), [("6.2", False), ("7.1", True)])
def test_a_release_whose_headers_bring_functions_on_text_has_no_rule_on_them(
    rocm: str, told: bool, tmp_path: Path
) -> None:
    source = '#include <cuda_runtime.h>\n#include "b.h"\nvoid f(char *a, char *b) { memcpy(a, b, 4); }\n'
    written(tmp_path, {"a.cu": source, "b.h": "#pragma once\n#include <vector>\n"})
    report = pipeline.scan(tmp_path, Config(jobs=1, rocm=rocm))
    assert any(one.rule == "build/string-header" for one in report.findings) == told


def test_a_header_of_cudas_is_not_a_file_of_that_name_elsewhere(tmp_path: Path) -> None:
    """`<cuda.h>` is CUDA's though a part of the tree has a `cuda.h` that includes C's functions on text."""
    files = {
        "net/cuda.h": "#include <string.h>\n",
        "a.h": "#pragma once\n#include <error.h>\n",
        "a.cu": '#include <cuda.h>\n#include "a.h"\nint length(const char *word) { return strlen(word); }\n',
        "b.cu": '#include "net/cuda.h"\n#include "a.h"\nint length(const char *word) { return strlen(word); }\n',
    }
    written(tmp_path, files)
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.path for one in found if one.rule == "build/string-header"] == ["a.cu"]


def test_sources_that_include_nothing_do_not_read_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(
        tmp_path, {f"k{number}.cu": "void f(float *p) { memset(p, 0, 4); cudaFree(p); }\n" for number in range(100)}
    )
    monkeypatch.setattr(read_again, "BOUND", 1)
    read, real = list[str](), read_again.discovery.read

    def noted(root, entry):  # type: ignore[no-untyped-def]
        read.append(entry.path)
        return real(root, entry)

    monkeypatch.setattr(read_again.discovery, "read", noted)
    report = pipeline.scan(tmp_path, Config(jobs=1, rocm="7.1", cache=False))
    assert sum(one.rule == "build/string-header" for one in report.findings) == 100
    assert len(read) < 100 * 45  # some reads for each pass; it was once more than 100 for each file


COPIES = '#include <vector>\n#include "b.h"\nvoid f(char *p) { memcpy(p, p, 4); }\n'
PROJECT = "project(a LANGUAGES CXX CUDA)\nfile(GLOB S *.cpp)\nadd_library(a ${S} k.cu)\n"


@pytest.mark.parametrize(
    ("name", "build", "told"),
    [
        ("CMakeLists.txt", PROJECT + "set_source_files_properties(${S} PROPERTIES LANGUAGE CUDA)\n", ["a.cpp"]),
        ("Makefile", "F = -x cu\na.o: a.cpp\n\tnvcc $(F) -c $< -o $@\n", ["a.cpp"]),
        ("CMakeLists.txt", PROJECT, []),
        ("Makefile", "k.o:\n\tnvcc -x cu -c k.cc\na.o: a.cpp\n\tnvcc -c $< -o $@\n", []),
        ("Makefile", "a.o: a.cpp\n\tnvcc -x cu -c $< -o $@\nb.o:\n\tg++ -c a.cpp -o b.o\n", []),  # the host's too
    ],
)
def test_a_source_of_cpp_that_nvcc_gets_as_cuda_has_what_its_header_brings(
    name: str, build: str, told: list[str], tmp_path: Path
) -> None:
    files = {"a.cpp": COPIES, "b.h": "int g();\n", "k.cu": "#include <cuda_runtime.h>\n__global__ void k() {}\n"}
    written(tmp_path, {**files, name: build})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.path for one in report.findings if one.rule == "build/string-header"] == told


PART = "#define W 4\n" + KERNEL
GUARDED = "#pragma once\n" + KERNEL


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"a.cu": '#include "b.h"\n#include "k/p.knl"\n', "k/p.knl": PART}, ["b.h"], id="behind one"),
        pytest.param(
            {"a.cu": '#include "b.h"\n#include "k/p.knl"\n', "k/p.knl": GUARDED}, ["b.h", "k/p.knl"], id="guard"
        ),
        pytest.param({"a.cu": '#include "k/p.knl"\n#include "b.h"\n', "k/p.knl": PART}, ["b.h", "k/p.knl"], id="first"),
        pytest.param(
            {
                "a.cu": '#include "b.h"\n#include "k/p.knl"\n',
                "c.cu": '#include "k/p.knl"\n',
                "k/p.knl": PART,
            },
            ["b.h", "k/p.knl"],
            id="once behind and once first",
        ),
        pytest.param(
            {
                "a.cu": '#include "k/p.knl"\n#include "k/q.knl"\n',
                "c.cu": '#include "k/q.knl"\n#include "k/p.knl"\n',
                "k/p.knl": PART,
                "k/q.knl": PART,
            },
            ["b.h", "k/p.knl", "k/q.knl"],
            id="each behind the other",
        ),
        pytest.param({"c.h": '#include "k/p.knl"\n', "k/p.knl": PART}, ["b.h", "k/p.knl"], id="behind nothing known"),
    ],
)
def test_parts_of_other_files_rely_on_what_these_include_before(
    tmp_path: Path, files: dict[str, str], told: list[str]
) -> None:
    header = "#pragma once\n__device__ float f(float x);\n"
    paths = [path for path, _ in found(tmp_path, {"b.h": header, **files})]
    assert paths == told
