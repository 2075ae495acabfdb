"""A header is never added to a file that is included inside of a scope: the file outside of it gets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.enclosed_includes import enclosed_includes

KERNEL = "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"
HIP = "#include <hip/hip_runtime.h>\n"
FILE = '#include "k.cu"\n'


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    """The files that come out changed."""
    written(root, files)
    return {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('extern "C" {\n#include "a.h"\n}\n#include "b.h"\n', ["a.h"], id="linkage"),
        pytest.param("namespace a { struct b {\n#include <c.h>\n}; }\n", ["c.h"], id="namespace and class"),
        pytest.param("void f()\n{\n#include <c.h>\n}\n", ["c.h"], id="function"),
        pytest.param('extern "C" { extern "C++" {\n#include <c.h>\n} }\n', [], id="C++ linkage"),
        pytest.param('namespace a { extern "C++" {\n#include <c.h>\n} }\n', ["c.h"], id="in a namespace it is none"),
        pytest.param('#ifdef X\nextern "C" {\n#endif\n#include "a.h"\n', ["a.h"], id="conditional scope"),
        pytest.param(
            "#ifdef X\nint f() {\n#else\nint g() {\n#endif\n}\n#include <a.h>\n", [], id="two heads, one body"
        ),
        pytest.param('/* { */ const char *a = "{";\n#define O {\n#include <a.h>\n', [], id="no code"),
        pytest.param("int f() { return 0; }\n#include <a.h>\n", [], id="closed"),
    ],
)
def test_includes_in_a_scope_are_found_and_no_others(text: str, found: list[str]) -> None:
    assert [one.name for one in enclosed_includes(text.encode())] == found


@pytest.mark.parametrize("scope", ['extern "C" {', "namespace sizes {"])
def test_the_file_outside_gets_the_header(tmp_path: Path, scope: str) -> None:
    files = {"k.cu": KERNEL, "w.cu": f"#include <stdio.h>\n{scope}\n{FILE}}}\n"}
    assert converted(tmp_path, files) == {"w.cu": HIP + files["w.cu"]}
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "build/enclosed-include"]
    assert [(one.path, one.fix is not None) for one in found] == [("w.cu", True)]


def test_a_header_through_another_and_one_of_cudas_in_the_scope(tmp_path: Path) -> None:
    files = {
        "k.cuh": "#include <cuda_fp16.h>\n" + KERNEL.replace("int", "__half"),
        "mid.cuh": '#include "k.cuh"\n',
        "w.cu": 'namespace sizes {\n#include "mid.cuh"\n}\n',
    }
    made = converted(tmp_path, files)
    assert made["w.cu"].startswith(HIP) and "#include <hip/hip_fp16.h>" in made["w.cu"].partition("namespace")[0]
    assert "hip_runtime" not in made["k.cuh"] and "mid.cuh" not in made


def test_a_file_included_both_ways_has_none_and_all_who_include_it_do(tmp_path: Path) -> None:
    files = {"k.cu": KERNEL, "w.cu": f'extern "C" {{\n{FILE}}}\n', "plain.cu": FILE + "void f();\n"}
    assert converted(tmp_path, files) == {path: HIP + files[path] for path in ("plain.cu", "w.cu")}


def test_a_header_of_cudas_that_a_file_keeps_under_its_condition_is_not_included_by_others(tmp_path: Path) -> None:
    files = {
        "net.h": '#ifdef GPU\n#include "cuda_runtime.h"\n#include "cublas_v2.h"\n#endif\nvoid net(void);\n',
        "box.h": '#include "net.h"\nvoid box(void);\n',
        "box.c": '#include "box.h"\nvoid box(void) {}\n',
        "k.cu": '#include "cuda_runtime.h"\nextern "C" {\n#include "box.h"\n}\n' + KERNEL,
    }
    made = converted(tmp_path, files)
    assert sorted(made) == ["k.cu", "net.h"] and "#include <hipblas/hipblas.h>" in made["k.cu"].partition("extern")[0]


@pytest.mark.parametrize(
    "outside",
    [pytest.param(FILE, id="file scope"), pytest.param('extern "C" { void f(); }\n' + FILE, id="closed before")],
)
def test_a_file_that_is_included_at_file_scope_has_it_itself(tmp_path: Path, outside: str) -> None:
    made = converted(tmp_path, {"k.cu": KERNEL, "w.cu": outside})
    assert made["k.cu"] == HIP + KERNEL


def test_a_guarded_header_read_before_the_scope_keeps_its_header(tmp_path: Path) -> None:
    guarded = "#pragma once\n" + KERNEL
    files = {"k.cuh": guarded, "w.cu": '#include "k.cuh"\nnamespace sizes {\n#include "k.cuh"\n}\n'}
    assert HIP in converted(tmp_path, files)["k.cuh"]


def test_the_fix_is_withdrawn_where_no_file_outside_can_be_changed(tmp_path: Path) -> None:
    files = {"a.cu": 'namespace a {\n#include "b.cu"\n}\n', "b.cu": KERNEL + 'namespace b {\n#include "a.cu"\n}\n'}
    written(tmp_path, files)
    report = pipeline.scan(tmp_path, Config(jobs=1))
    left = [one for one in report.findings if one.path == "b.cu" and one.rule == "build/implicit-runtime-header"]
    assert [one.resolution for one in left] == ["manual"] and "inside of a scope" in left[0].message


@pytest.mark.parametrize(
    ("condition", "added"),
    [("__NVCC__", "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#endif\n"), ("WITH_GPU", HIP)],
)
def test_what_only_compilers_for_gpus_get_in_the_scope_only_they_get_outside(
    tmp_path: Path, condition: str, added: str
) -> None:
    inner = f"#ifdef {condition}\n#include <cuda_runtime.h>\nvoid run(cudaStream_t stream);\n#endif\n"
    made = converted(tmp_path, {"a.h": f'#include <stdio.h>\nextern "C" {{\n{inner}}}\n'})
    assert made["a.h"].startswith(added + "#include <stdio.h>\n")


def test_templates_of_kernels_in_files_of_their_own_are_converted_with_the_file_that_includes_them(
    tmp_path: Path,
) -> None:
    files = {
        "e.cu": '#include <cuda_runtime.h>\n#include "e.tcu"\n',
        "e.tcu": "void f(void **p) { cudaMalloc(p, 4); }\n",
    }
    assert "hipMalloc" in converted(tmp_path, files)["e.tcu"]


def test_a_header_of_ours_comes_before_the_file_that_reads_it(tmp_path: Path) -> None:
    reads = (
        "#pragma once\ntemplate <typename T, int w = 32> __device__ T sum(T v) {\n"
        "  for (int d = w >> 1; d > 0; d >>= 1) v += __shfl_xor_sync(0xFFFFFFFF, v, d, w);\n  return v;\n}\n"
    )
    files = {"sum.h": reads, "in.h": '#pragma once\nnamespace n {\n#include "sum.h"\n}\n'}
    main = '#include <stdio.h>\n#include "sum.h"\n#include "in.h"\n__global__ void k(int *p) { *p = sum(*p); }\n'
    lines = converted(tmp_path, {**files, "main.cu": main})["main.cu"].splitlines()
    assert lines.index('#include "cudamigrate_hip.h"') < lines.index('#include "sum.h"')
