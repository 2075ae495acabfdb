"""NVML that a project declares and loads itself is one finding; NVIDIA's own header and its functions are as before."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = """#pragma once
typedef void *nvmlDevice_t; // a handle
enum nvmlReturn_t {
  NVML_SUCCESS = 0, // fine
  NVML_ERROR_UNKNOWN = 999
};
typedef struct { unsigned domain; } nvmlPciInfo_t;
struct loader {
  void *library;
  nvmlReturn_t (*nvmlInit)(void);
  nvmlReturn_t (*nvmlDeviceGetName)(nvmlDevice_t, char *, int);
};
"""
SOURCE = """#include <dlfcn.h>
#include "nvml.h"
int start(loader *l) {
  l->library = dlopen("libnvidia-ml.so", RTLD_NOW);
  return l->nvmlInit() == NVML_SUCCESS;
}
"""
KERNEL = "__global__ void k(int *a) { *a = 1; }\n"


def found(root: Path, files: dict[str, str]) -> list[tuple[str, str, str]]:
    """Path, rule and outcome of each finding about NVML."""
    written(root, {"k.cu": KERNEL, **files})
    report = pipeline.scan(root, Config(jobs=1))
    return sorted((one.path, one.rule, one.outcome) for one in report.findings if "nvml" in one.rule)


def test_a_loader_is_one_finding_where_the_names_are_declared(tmp_path: Path) -> None:
    more = {
        "b.cpp": '#include "nvml.h"\nnvmlReturn_t f(nvmlDevice_t d) { return d ? NVML_SUCCESS : NVML_ERROR_UNKNOWN; }\n'
    }
    assert found(tmp_path, {"nvml.h": HEADER, "a.cpp": SOURCE, **more}) == [("nvml.h", "library/own-nvml", "missing")]


def test_a_name_that_nothing_declares_is_nvmls(tmp_path: Path) -> None:
    source = SOURCE + "int g() { return NVML_ERROR_NOT_FOUND; }\n"
    assert found(tmp_path, {"nvml.h": HEADER, "a.cpp": source}) == [
        ("a.cpp", "api/nvml-status", "compile-error"),
        ("nvml.h", "library/own-nvml", "missing"),
    ]


@pytest.mark.parametrize(
    ("header", "source"),
    [
        (HEADER, SOURCE.replace('"nvml.h"', '"nvml.h"\n#include <nvml.h>\n')),
        (HEADER, SOURCE.replace("libnvidia-ml.so", "libother.so")),
        (HEADER, SOURCE.replace("libnvidia-ml.so", "libother.so") + '// "libnvidia-ml.so"\n'),
    ],
)
def test_what_is_no_loader(tmp_path: Path, header: str, source: str) -> None:
    made = found(tmp_path, {"own.h": header, "a.cpp": source.replace('"nvml.h"', '"own.h"')})
    assert not any(rule == "library/own-nvml" for _, rule, _ in made)


def test_a_function_that_is_declared_is_linked(tmp_path: Path) -> None:
    header = HEADER + "nvmlReturn_t nvmlShutdown(void);\n"
    source = SOURCE + "void end() { nvmlShutdown(); }\n"
    made = found(tmp_path, {"nvml.h": header, "a.cpp": source})
    assert ("a.cpp", "api/nvml-end", "compile-error") in made
    assert ("nvml.h", "library/own-nvml", "missing") in made


def test_a_file_that_does_not_see_the_header_is_judged_as_before(tmp_path: Path) -> None:
    alone = {"c.cpp": "#include <nvml.h>\nnvmlReturn_t f() { return NVML_SUCCESS; }\n"}
    made = found(
        tmp_path, {"own/nvml_wrapper.h": HEADER, "a.cpp": SOURCE.replace("nvml.h", "own/nvml_wrapper.h"), **alone}
    )
    assert any(path == "c.cpp" for path, _, _ in made)
