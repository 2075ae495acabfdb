"""Functions that a project gives a name of CUDA's: what takes another number of arguments keeps its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.shipped_data import table

HEAD = "#pragma once\n#include <string>\n#include <cuda_runtime.h>\n%s\n"
LAUNCH = "void cudaLaunch(std::string name, void *args[], const dim3 &g, const dim3 &b, cudaStream_t s = 0);"


def named(folder: Path, declared: str, call: str, defined: str = "") -> list[tuple[str, str]]:
    """The findings on names of CUDA's, each with its file."""
    (folder / "own.h").write_text(HEAD % declared)
    (folder / "own.cu").write_text(f'#include "own.h"\n{defined}\n')
    (folder / "main.cu").write_text(f'#include "own.h"\nint main() {{ void *p; float *f; {call} }}\n')
    report = pipeline.scan(folder, Config(jobs=1))
    return [(one.path, one.name) for one in report.findings if one.name.startswith(("cudaLaunch", "cudaM", "cudaF"))]


@pytest.mark.parametrize(
    ("declared", "call", "defined"),
    [
        (LAUNCH, 'cudaLaunch("k", &p, dim3(1), dim3(2));', LAUNCH.replace(" = 0);", ") {}")),
        (LAUNCH, 'cudaLaunch("k", &p, dim3(1), dim3(2), 0);', ""),
        ("int cudaMalloc(float **p, int n, const char *what);", 'cudaMalloc(&f, 1, "f");', ""),
        ("void cudaFree();", "cudaFree();", "void cudaFree(void) { }"),
        (
            "namespace ours { int cudaMemcpy(int a); }",
            "ours::cudaMemcpy(1);",
            "int ours::cudaMemcpy(int a) {}",
        ),
        (
            "namespace ours { int cudaFree(void *p); }",
            "ours::cudaFree(p);",
            "int ours::cudaFree(void *p) {}",
        ),
    ],
)
def test_an_overload_of_the_projects_keeps_its_name(tmp_path: Path, declared: str, call: str, defined: str) -> None:
    assert named(tmp_path, declared, call, defined) == []


@pytest.mark.parametrize(
    ("declared", "call", "found"),
    [
        (LAUNCH, "cudaLaunch((void *)main);", [("main.cu", "cudaLaunch")]),
        ("int cudaMalloc(float **p, int n, const char *w);", "cudaMalloc(&p, 1);", [("main.cu", "cudaMalloc")]),
        ("int cudaFree(float *p);", "cudaFree(f);", [("main.cu", "cudaFree"), ("own.h", "cudaFree")]),
        ("#ifndef HAS_GPU\nint cudaFree();\n#endif", "cudaFree();", [("main.cu", "cudaFree"), ("own.h", "cudaFree")]),
        ("", "cudaFree(p);", [("main.cu", "cudaFree")]),
        ('extern "C" { cudaError_t cudaFree(void *p); }', "", [("own.h", "cudaFree")]),
    ],
)
def test_what_may_be_cudas_goes_along(tmp_path: Path, declared: str, call: str, found: list[tuple[str, str]]) -> None:
    assert named(tmp_path, declared, call) == found


def test_counts_are_of_functions_that_cuda_has_had() -> None:
    counts = {
        name: (one["least"], one["most"]) for one in table("argument-counts")["functions"] for name in one["names"]
    }
    assert len(counts) == sum(len(one["names"]) for one in table("argument-counts")["functions"]) > 300
    assert all(0 <= least <= most for least, most in counts.values())
    assert counts["cudaMalloc"] == (2, 2) and counts["cudaMemcpyToSymbol"] == (3, 5) and counts["cudaLaunch"] == (1, 1)


COMPLEX = "#include <cuComplex.h>\nnamespace mine {{\n{}\n}}\n"
SIZE = "__device__ float cuCabs(cuFloatComplex z) { return z.x; }"


@pytest.mark.parametrize(
    ("own", "user", "is_cudas"),
    [
        (SIZE, "double f(cuDoubleComplex z) { return log(cuCabs(z)); }", True),
        (SIZE, "double f(cuDoubleComplex *z, cuDoubleComplex w) { return cuCabs(z[0] + w); }", True),
        (SIZE, "double f(cuFloatComplex z) { return cuCabs(z); }", False),
        (SIZE, "double f(Unseen z) { return cuCabs(z); }", False),
        (
            SIZE + " __device__ double cuCabs(own_t z);",
            "double f(cuDoubleComplex z) { return mine::cuCabs(z); }",
            False,
        ),
        (SIZE.replace("cuFloatComplex", "own_t"), "double f(cuDoubleComplex z) { return cuCabs(z); }", False),
        (SIZE.replace("cuFloat", "cuDouble"), "double f(cuDoubleComplex z) { return cuCabs(z); }", False),
        ("struct S { " + SIZE + " double f(cuDoubleComplex z) { return cuCabs(z); } };", "", False),
    ],
)
def test_an_overload_for_another_type_of_cudas_hides_no_function_of_it(
    own: str, user: str, is_cudas: bool, tmp_path: Path
) -> None:
    files = {"own.cuh": COMPLEX.format(own), "a.cu": '#include "own.cuh"\n' + COMPLEX.format(user)}
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    assert ("api/cuCabs" in [one.rule for one in report.findings]) is is_cudas
