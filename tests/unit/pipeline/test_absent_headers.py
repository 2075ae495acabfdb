"""CUDA code of other projects that a tree includes and does not have is reported, once for a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = "#include <tools/timer.cuh>\n#include <tools/errors.cuh>\n__global__ void k() {}\n"
CMAKE = "CPMAddPackage(\n  NAME tools\n  URL https://example.org/tools.zip)\n"


def found(root: Path, files: dict[str, str]) -> list[str]:
    scan = pipeline.scan(written(root, {"k.cu": KERNEL, **files}), Config(jobs=1))
    return [one.message for one in scan.findings if one.rule == "library/absent-cuda-header"]


def test_it_has_to_be_ported_too(tmp_path: Path) -> None:
    (message,) = found(tmp_path, {})
    assert (
        message.startswith("`<tools/timer.cuh>` is CUDA code that this tree does not have") and "fetches" not in message
    )


def test_a_folder_called_almost_as_one_that_a_package_brings_is_none(tmp_path: Path) -> None:
    assert len(found(tmp_path, {"k.cu": KERNEL.replace("tools/", "cupyx/")})) == 1


def test_what_fetches_it_is_named(tmp_path: Path) -> None:
    (message,) = found(tmp_path, {"CMakeLists.txt": "project(a CUDA)\n" + CMAKE})
    assert "CMakeLists.txt:2 fetches it." in message


@pytest.mark.parametrize(
    "files",
    [
        {"include/tools/timer.cuh": "", "include/tools/errors.cuh": ""},
        {"k.cu": KERNEL.replace(".cuh", ".h")},  # may be the host's
        {"k.cu": KERNEL.replace("tools/", "cub/")},
        {"k.cu": KERNEL.replace("tools/", "cupy/")},
        {"k.cu": KERNEL.replace("<tools/", "<")},  # without a folder, the build may make it
        {"cmake/timer.cuh.in": "", "cmake/errors.cuh.in": ""},
        {"k.cu": KERNEL.replace("tools/", "raft/core/")},  # has a finding of its own
    ],
)
def test_other_headers_are_not(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == []
