"""CUDA's folder on make's command line gets the name that the Makefiles read after the conversion, or is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

READER = "ifdef CUDA_DIR\nINC = -I$(CUDA_DIR)/include\nendif\nprog: k.cu\n\tnvcc $(INC) k.cu -o prog\n"


def found(root: Path, files: dict[str, str]) -> list[Finding]:
    """The findings of the rule in a tree whose folder `sub` has the reader."""
    written(root, {"sub/k.cu": "__global__ void k() {}\n", "sub/Makefile": READER} | files)
    scan = pipeline.scan(root, Config(jobs=1))
    return [one for one in scan.findings if one.rule == "build/make-folder-given"]


@pytest.mark.parametrize(
    "recipe",
    [
        '( $(MAKE) -C sub prog "CUDA_DIR = /usr/local/cuda" "CXX = CC" )',
        "cd sub && $(MAKE) CUDA_DIR=/usr/local/cuda-12.4/",
        "$(MAKE) -C sub CUDA_DIR=$(CUDA_DIR)",
        "CUDA_DIR=/usr/local/cuda $(MAKE) -C sub",
        "@cd sub && A=1 CUDA_DIR=$(CUDA_DIR) make prog",
    ],
)
def test_the_variable_gets_the_readers_name(tmp_path: Path, recipe: str) -> None:
    (one,) = found(tmp_path, {"Makefile": f"all:\n\t{recipe}\n"})
    assert one.fix is not None
    assert [edit.replacement for edit in one.fix.edits] == [b"ROCM_PATH"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"Makefile": 'all:\n\t$(MAKE) "CUDA_DIR = $(CRAY_CUDATOOLKIT_DIR)"\n'}, id="a folder of others"),
        pytest.param(
            {
                "Makefile": "all:\n\t$(MAKE) -C sub CUDA_DIR=/usr/local/cuda\n",
                "own/Makefile": "CUDA_DIR = src/gpu\nall:\n\tnvcc -I$(CUDA_DIR) a.cu\n",
            },
            id="a Makefile that reads the old name",
        ),
    ],
)
def test_what_cannot_be_renamed_is_left_to_do(tmp_path: Path, files: dict[str, str]) -> None:
    assert [(one.fix, one.support) for one in found(tmp_path, files)] == [(None, "manual")]


def test_a_script_renames_it_as_safely_as_it_converts_the_folder(tmp_path: Path) -> None:
    (one,) = found(tmp_path, {"b.sh": "nvcc --version\nmake -C sub CUDA_DIR=/usr/local/cuda\n"})
    assert one.fix is not None


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"Makefile": "all:\n\techo CUDA_DIR=/usr/local/cuda\n\t$(MAKE) A=b\n"}, id="another command"),
        pytest.param({"Makefile": "all:\n\t$(MAKE) CUDA_HOME=/usr/local/cuda\n"}, id="a variable that none reads"),
        pytest.param(
            {
                "Makefile": "all:\n\t$(MAKE) CUDA_DIR=src/gpu\n",
                "sub/Makefile": "CUDA_DIR = src/gpu\nall:\n\tnvcc -I$(CUDA_DIR) a.cu\n",
            },
            id="readers that keep the name",
        ),
    ],
)
def test_other_variables_stay(tmp_path: Path, files: dict[str, str]) -> None:
    assert found(tmp_path, files) == []


@pytest.mark.parametrize("recipe", ["CUDA_DIR=/usr/local/cuda ./run", "OTHER_DIR=/usr/local/cuda $(MAKE) -C sub"])
def test_another_variable_or_program_stays(tmp_path: Path, recipe: str) -> None:
    assert found(tmp_path, {"Makefile": f"all:\n\t{recipe}\n"}) == []
