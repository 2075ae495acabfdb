"""Macros that the code sets itself are on in every build: what is under them is no optional part."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = """#if {asked}
#include <cudnn.h>
void d(cudnnTensorDescriptor_t t) {{ cudnnDestroyTensorDescriptor(t); }}
#endif
#include <cuda_runtime.h>
__global__ void k(int *a) {{ a[0] = 1; }}
void f(int *a) {{ cudaFree(a); cudaDeviceSynchronize(); cudaFree(a); }}
"""
ON = "#define USE_CUDNN 1\n"


def needed(root: Path, head: str, asked: str = "USE_CUDNN == 1", header: str = "") -> tuple[tuple[str, ...], bool]:
    """The macros that the uses of cuDNN need, and whether cuDNN is optional."""
    files = {"k.cu": head + CODE.format(asked=asked), "options.h": header, "CMakeLists.txt": "project(a CUDA)\n"}
    report = pipeline.scan(written(root, files), Config(jobs=1, cache=False))
    assert report.estimate is not None
    (switches,) = {one.switches for one in report.findings if one.rule.startswith("api/cudnn")}
    return switches, any("cuDNN" in one.name for one in report.estimate.optional)


@pytest.mark.parametrize(
    ("head", "asked", "header"),
    [
        (ON, "USE_CUDNN == 1", ""),
        (ON, "defined(USE_CUDNN)", ""),
        ("#define USE_CUDNN\n", "defined USE_CUDNN", ""),
        ('#include "options.h"\n', "USE_CUDNN", "#ifndef OPTIONS_H\n#define OPTIONS_H\n" + ON + "#endif\n"),
    ],
)
def test_a_macro_that_the_code_sets_is_no_switch(tmp_path: Path, head: str, asked: str, header: str) -> None:
    assert needed(tmp_path, head, asked, header) == ((), False)


@pytest.mark.parametrize(
    ("head", "header"),
    [
        ("", ""),  # the build sets it
        ("#define USE_CUDNN 0\n", ""),  # off in every build
        (f"#ifndef USE_CUDNN\n{ON}#endif\n", ""),  # a build may say otherwise
        (f"{ON}#undef USE_CUDNN\n", ""),
        ("", ON),  # in a header that it does not include
        ('#ifdef OWN\n#include "options.h"\n#endif\n', ON),
    ],
)
def test_other_macros_are_switches(tmp_path: Path, head: str, header: str) -> None:
    switches, optional = needed(tmp_path, head, header=header)
    assert switches == ("USE_CUDNN",) and optional


def printed(root: Path, head: str, asked: str, header: str = "") -> list[int]:
    """The lines of the output of device code that is remarked."""
    code = f'{head}__global__ void k(int *a) {{\n#if {asked}\n  printf("%d", a[0]);\n#endif\n  a[0] = 1;\n}}\n'
    files = {"k.cu": code, "trace.h": header, "CMakeLists.txt": "project(a CUDA)\nadd_library(a k.cu)\n"}
    report = pipeline.scan(written(root, files), Config(jobs=1, cache=False))
    first = head.count("\n")
    return [one.position.line - first for one in report.findings if one.rule == "launch/device-output"]


OFF, ASIDE = "#define TRACE 0\n", '#include "trace.h"\n'


@pytest.mark.parametrize(
    ("head", "asked", "header", "found"),
    [
        (OFF, "TRACE", "", []),
        (OFF, "TRACE == 1", "", []),
        (OFF, "TRACE && defined(FULL)", "", []),
        (f"namespace a {{\n{OFF}}}\n", "TRACE > 0", "", []),
        (ASIDE, "TRACE", OFF, []),
        (OFF, "defined(TRACE)", "", [3]),
        (OFF, "TRACE || FULL", "", [3]),
        (OFF, "!TRACE", "", [3]),
        (OFF.replace("0", "1"), "TRACE", "", [3]),
        (f"#ifndef TRACE\n{OFF}#endif\n", "TRACE", "", [3]),  # a build may say otherwise
        (f"{OFF}#undef TRACE\n#define TRACE 1\n", "TRACE", "", [3]),
        (f"#ifdef FULL\n#define TRACE 1\n#else\n{OFF}#endif\n", "TRACE", "", [3]),
    ],
)
def test_what_no_compiler_takes_costs_nothing(
    head: str, asked: str, header: str, found: list[int], tmp_path: Path
) -> None:
    assert printed(tmp_path, head, asked, header) == found
