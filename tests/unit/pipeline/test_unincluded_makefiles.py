"""What a part of a Makefile says is no work where nothing includes or names that file."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = "#include <cuda_runtime.h>\n__global__ void k(int *a) { a[0] = a[1]; }\n"
COMMON = "NVCC = nvcc\nLIBS = -lcudpp\napp:\n\t$(NVCC) a.cu $(LIBS) -o app\n"
PLAIN = "app: a.cu\n\tnvcc a.cu -o app\n"


def effort(root: Path, files: dict[str, str]) -> set[tuple[str, bool]]:
    """The efforts of what is said of the part, and whether it says that nothing includes it."""
    written(root, {"a.cu": KERNEL, "common/common.mk": COMMON, **files})
    found = [one for one in pipeline.scan(root, Config(jobs=1)).findings if one.rule == "build/flag-library-other"]
    assert found and all(one.path == "common/common.mk" for one in found)
    return {(one.effort, "No file here includes or names `common.mk`." in one.message) for one in found}


def test_a_file_that_nothing_reads_is_no_work(tmp_path: Path) -> None:
    assert effort(tmp_path, {"Makefile": PLAIN}) == {("none", True)}


@pytest.mark.parametrize(
    "files",
    [
        {"Makefile": "include common/common.mk\n"},
        {"Makefile": "ROOT = .\ninclude $(ROOT)/common/common.mk\n"},
        {"Makefile": PLAIN + "-include $(PARTS)\n"},
        {"Makefile": PLAIN + "include common/*.mk\n"},
        {"Makefile": PLAIN, "build.sh": "make -f common/common.mk\n"},
        {"Makefile": PLAIN, "README.md": "Run `make -f common/common.mk`.\n"},
        {},  # how the code is built is not seen
    ],
)
def test_one_that_something_may_read_is(tmp_path: Path, files: dict[str, str]) -> None:
    assert {is_said for _, is_said in effort(tmp_path, files)} == {False}
