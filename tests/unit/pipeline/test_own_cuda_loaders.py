"""CUDA's libraries that a project declares and opens itself are one finding each; those that it includes are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "library/own-cuda-loader"
HEADER = """#ifndef DRIVER_H
#define DRIVER_H
typedef enum { CUDA_SUCCESS = 0 } CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUstream_st *CUstream;
typedef enum CUdevice_attribute_enum CUdevice_attribute;
enum CUdevice_attribute_enum { CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10 };
#define ENTRY(name, args) typedef CUresult t##name args; extern t##name *name
#include "driver.fn"
int open_driver(void);
#endif
"""
TABLE = """ENTRY(cuInit, (unsigned int flags));
ENTRY(cuDeviceGetAttribute, (int *out, CUdevice_attribute what, CUdevice device));
ENTRY(cuMemAlloc, (CUdeviceptr *out, size_t size));
"""
LOADER = """#include <dlfcn.h>
#include <stddef.h>
#include "driver.h"
int open_driver(void) { return dlopen("libcuda.so.1", RTLD_NOW) != NULL; }
"""
USER = """#include <stddef.h>
#include "driver.h"
int width(CUdevice device) {
  int found = 0;
  cuDeviceGetAttribute(&found, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
  return found;
}
CUdeviceptr next(CUdeviceptr at) { return at + 16; }
"""
FILES = {"driver.h": HEADER, "driver.fn": TABLE, "driver.c": LOADER, "width.c": USER}


def rules(root: Path, files: dict[str, str]) -> dict[str, list[str]]:
    """The rules of the findings in each file."""
    report = pipeline.scan(written(root, files), Config(jobs=1))
    found: dict[str, list[str]] = {}
    for one in report.findings:
        found.setdefault(one.path, []).append(one.rule)
    return found


def test_what_the_project_declares_and_opens_is_one_finding(tmp_path: Path) -> None:
    assert rules(tmp_path, FILES) == {"driver.c": ["library/driver-loader"], "driver.h": [RULE]}


def test_each_library_is_a_finding_where_its_names_are_declared(tmp_path: Path) -> None:
    blas = {
        "blas.h": '#include "driver.h"\ntypedef struct cublasContext *cublasHandle_t;\n'
        "extern int (*cublasDestroy)(cublasHandle_t);\n",
        "blas.c": '#include <dlfcn.h>\n#include "blas.h"\nvoid *opened(void) { return dlopen("libcublas.so", 1); }\n'
        "void done(cublasHandle_t h) { cublasDestroy(h); }\n",
    }
    report = pipeline.scan(written(tmp_path, {**FILES, **blas}), Config(jobs=1))
    found = [(one.path, one.message) for one in report.findings if one.rule == RULE]
    assert [path for path, _ in found] == ["blas.h", "driver.h"]
    assert "5 uses" in found[0][1]


@pytest.mark.parametrize(
    "files",
    [
        {**FILES, "driver.c": LOADER.replace("libcuda.so.1", "libother.so.1")},
        {**FILES, "driver.c": LOADER.replace("libcuda.so.1", "libother.so.1") + '// "libcuda.so.1"\n'},
        {**FILES, "driver.c": LOADER.replace('#include "driver.h"\n', "")},
        {**FILES, "driver.h": HEADER.replace("#define ENTRY", "#include <cuda_runtime_api.h>\n#define ENTRY")},
        {**FILES, "driver.h": HEADER.replace("int open", "CUresult cuInit(unsigned int flags);\nint open")},
        {**FILES, "width.cu": USER},
    ],
    ids=["not-cudas-library", "in-a-comment", "does-not-see-it", "cudas-header", "linked-function", "compiled-by-nvcc"],
)
def test_what_is_no_loader_of_the_projects_own_is_converted_as_before(tmp_path: Path, files: dict[str, str]) -> None:
    found = rules(tmp_path, files)
    assert not any(RULE in each for each in found.values())
    assert "api/cuDeviceGetAttribute" in found["width.c"]


def test_a_file_that_includes_cudas_header_alone_is_converted(tmp_path: Path) -> None:
    alone = "#include <cuda.h>\nint first(CUdevice *out) { return cuDeviceGet(out, 0); }\n"
    found = rules(tmp_path, {**FILES, "alone.c": alone})
    assert "api/cuDeviceGet" in found["alone.c"]
    assert found["driver.h"] == [RULE]
    assert "width.c" not in found


def test_what_a_text_holds_is_still_reported(tmp_path: Path) -> None:
    more = {
        "rtc.h": "typedef struct _nvrtcProgram *nvrtcProgram;\n"
        "extern int (*nvrtcCompileProgram)(nvrtcProgram, int, const char **);\n",
        "rtc.c": '#include <dlfcn.h>\n#include "rtc.h"\nvoid *opened(void) { return dlopen("libnvrtc.so", 1); }\n'
        'int made(nvrtcProgram p) { const char *o[] = {"-lineinfo"}; return nvrtcCompileProgram(p, 1, o); }\n',
    }
    opened = ["library/toolkit-loader", "build/rtc-option"]
    assert rules(tmp_path, more) == {"rtc.c": opened, "rtc.h": [RULE]}
