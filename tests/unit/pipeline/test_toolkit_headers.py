"""NVIDIA's own headers in a project are told by what they declare, and are no code of the project's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.basis import basis

NOTICE = "/*\n * Copyright (c) 2020 NVIDIA Corporation. All rights reserved.\n */\n"
NAMES = ("Malloc", "Free", "Memcpy", "Memset", "DeviceSynchronize", "StreamCreate", "EventCreate", "GetDevice")
KERNEL = "#include <cuda_runtime.h>\n__global__ void k(int *a) { a[0] = 1; }\nvoid f(int *a) { cudaFree(a); }\n"


def declared(end: str = ";", names: tuple[str, ...] = NAMES) -> str:
    return "".join(f"extern cudaError_t\nCUDARTAPI cuda{name}(void *a, int b){end}\n" for name in names)


def api(notice: str = NOTICE) -> str:
    head = '#include "types/driver_types.h"\n#if defined(__cplusplus)\nextern "C" {\n#endif\n'
    return notice + head + declared() + "#if defined(__cplusplus)\n}\n#endif\n"


TYPES = "typedef enum cudaError { cudaSuccess = 0 } cudaError_t;\n"
TREE = {
    "k.cu": KERNEL,
    "doc/cuda_runtime_api.h": api(),
    "doc/types/driver_types.h": TYPES,
    "doc/cuda_runtime.h": NOTICE + '#include "cuda_runtime_api.h"\n#if __CUDA_ARCH__ >= 300\n#endif\n',
}
OWN = NOTICE + "inline cudaError_t safe(void *a) { return cudaFree(a); }\n"


def test_copies_are_said_once_and_not_read(tmp_path: Path) -> None:
    report = pipeline.scan(written(tmp_path, TREE), Config(jobs=1))
    assert {one.path for one in report.findings} == {"k.cu"}
    said = "Not read: doc: copies of 3 headers of NVIDIA's; HIP's headers take their place."
    assert basis(report).count(said) == 1
    assert not report.unread


@pytest.mark.parametrize("spelled", ["<cuda_runtime.h>", '"doc/cuda_runtime.h"'])
def test_what_includes_them_gets_hips_headers_and_they_stay(tmp_path: Path, spelled: str) -> None:
    tree = {**TREE, "k.cu": KERNEL.replace("<cuda_runtime.h>", spelled)}
    done = pipeline.apply(written(tmp_path, tree), Config(jobs=1))
    assert [one.path for one in done.conversions] == ["k.cu"]
    after = done.conversions[0].after.decode()
    assert f"#include {spelled[0]}hip/hip_runtime.h{spelled[-1]}\n" in after and "cuda" not in after
    assert "build/vendored-include" not in done.report.rules


def test_what_was_asked_for_is_read(tmp_path: Path) -> None:
    found = pipeline.scan(written(tmp_path, TREE), Config(jobs=1, enter_vendored=True)).findings
    assert "doc/cuda_runtime_api.h" in {one.path for one in found}


@pytest.mark.parametrize(
    "files",
    [
        {"doc/a.h": api(notice="")},  # the project declares what it uses of CUDA itself
        {"doc/a.h": NOTICE + "struct Driver {\n" + declared() + "};\n"},  # a class that loads CUDA's library
        {"doc/a.h": NOTICE + "namespace own {\n" + declared() + "}\n"},
        {"doc/a.h": NOTICE + declared(names=NAMES[:4])},  # some functions, for want of a header
        {"doc/a.h": NOTICE + declared(" { return cudaSuccess; }")},  # overloads with bodies
        {
            "doc/a.h": api(),
            "doc/types/driver_types.h": TYPES,
            "a.cpp": '#include "doc/a.h"\n' + declared(" { return 0; }"),
        },
    ],
)
def test_headers_of_the_projects_own_are_read(tmp_path: Path, files: dict[str, str]) -> None:
    report = pipeline.scan(written(tmp_path, {"k.cu": KERNEL, **files}), Config(jobs=1))
    assert "doc/a.h" in {one.path for one in report.files}
    assert not any("NVIDIA's" in one.reason for one in report.skipped)


def test_a_header_of_the_projects_own_beside_copies_is_converted(tmp_path: Path) -> None:
    own = {"doc/helper.h": OWN.replace("inline", '#include "cuda_runtime.h"\ninline')}
    report = pipeline.scan(written(tmp_path, {**TREE, **own}), Config(jobs=1))
    assert "doc/helper.h" in {one.path for one in report.findings}


PARTS = ("block/a", "block/b", "device/c", "device/d", "warp/e", "warp/f", "thread/g", "util_h")
CUB = NOTICE + "#pragma once\n" + "".join(f'#include "{part}.cuh"\n' for part in PARTS)
PART = NOTICE + "namespace cub { __global__ void n(); __device__ void f() { n<<<1, 1>>>(); cudaDeviceReset(); } }\n"
SORT = '#include "lib/cub/cub.cuh"\n__global__ void k(int *a) { cub::BlockReduce<int, 64> b; }\n' + "// text\n" * 800
COPY = {"lib/cub/cub.cuh": CUB, **{f"lib/cub/{part}.cuh": PART for part in PARTS}, "k.cu": SORT}


def test_a_copy_of_cub_is_said_once_and_hipcub_comes_in_its_place(tmp_path: Path) -> None:
    done = pipeline.apply(written(tmp_path, COPY), Config(jobs=1))
    assert [one.path for one in done.conversions] == ["k.cu"]
    assert b"#include <hipcub/hipcub.hpp>\n" in done.conversions[0].after.replace(b'"', b"<", 1).replace(b'"', b">", 1)
    said = "Not read: lib/cub: copies of 9 headers of NVIDIA's; hipCUB's headers take their place."
    assert basis(done.report).count(said) == 1


@pytest.mark.parametrize(
    ("spelled", "after"),
    [
        ('"lib/cub/block/a.cuh"', None),
        ('"block/block_scan.cuh"', '"hipcub/hipcub.hpp"'),
        ('"lib/cub/block/block_scan.cuh"', '"hipcub/hipcub.hpp"'),
    ],
)
def test_a_part_of_it_by_any_path(tmp_path: Path, spelled: str, after: str | None) -> None:
    parts = COPY | {"lib/cub/block/block_scan.cuh": PART, "lib/cub/cub.cuh": CUB + '#include "block/block_scan.cuh"\n'}
    done = pipeline.apply(written(tmp_path, {**parts, "k.cu": f"#include {spelled}\n" + SORT}), Config(jobs=1))
    lines = done.conversions[0].after.decode().splitlines()
    assert f"#include {after or spelled}" in lines and (after is None or f"#include {spelled}" not in lines)
    assert any(one.rule == "build/vendored-include" for one in done.report.findings) == (after is None)


@pytest.mark.parametrize(
    "more",
    [
        {"lib/cub/cub.cuh": CUB.removeprefix(NOTICE)},
        {"lib/cub/cub.cuh": NOTICE + '#include "block/a.cuh"\n'},
        {"k.cu": SORT[:200]},
        {f"lib/cub/{part}.cuh": "" for part in PARTS[:1]} | {"lib/cub/cub.cuh": CUB.replace("block/a", "../a")},
    ],
    ids=["no notice of NVIDIA's", "a header with that name", "CUB itself", "headers from elsewhere"],
)
def test_what_may_be_no_copy_of_cub_is_read(tmp_path: Path, more: dict[str, str]) -> None:
    found = pipeline.scan(written(tmp_path, {**COPY, **more}), Config(jobs=1)).findings
    assert any(one.path.startswith("lib/cub/") for one in found)
