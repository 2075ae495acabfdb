"""Headers of ours go with the CUDA sources of a Python package, and its list of files names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = "#include <cuda_runtime.h>\n__global__ void k(unsigned *p) { *p = __ballot_sync(~0u, threadIdx.x > 0); }\n"
LOAD = (
    "import os\nfrom torch.utils.cpp_extension import load\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
    "ops = load(name='ops', sources=[os.path.join(HERE, 'k.cu')])\n"
)
SETUP = "from setuptools import find_packages, setup\nsetup(name='p', packages=find_packages('src'))\n"
BUILT = (
    "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
    "setup(ext_modules=[CUDAExtension('e', ['csrc/k.cu'])])\n"
)
PACKAGE = "lib/src/p/kernels"
AT_FIRST_USE = {
    f"{PACKAGE}/__init__.py": "",
    f"{PACKAGE}/k.cu": KERNEL,
    f"{PACKAGE}/ops.py": LOAD,
    "lib/setup.py": SETUP,
    "lib/MANIFEST.in": "include src/p/kernels/*.cu",
}
BY_SETUP = {"lib/setup.py": BUILT, "lib/csrc/k.cu": KERNEL, "lib/MANIFEST.in": "recursive-include csrc *.cu *.h\n"}


def made(root: Path, files: dict[str, str], style: str = "auto") -> tuple[set[str], dict[str, str]]:
    """The folders of our headers, and the converted files."""
    applied = pipeline.apply(written(root, files), Config(jobs=1, style=style))
    return {str(Path(one).parent) for one in applied.added}, {c.path: c.after.decode() for c in applied.conversions}


@pytest.mark.parametrize("style", ["auto", "hip", "portable"])
def test_sources_built_at_first_use_have_them_beside_them(tmp_path: Path, style: str) -> None:
    folders, after = made(tmp_path, AT_FIRST_USE, style)
    assert folders == {PACKAGE}
    assert '#include "cudamigrate_' in after[f"{PACKAGE}/k.cu"]
    lines = after["lib/MANIFEST.in"].splitlines()
    assert lines[0] == "include src/p/kernels/*.cu"
    assert "include src/p/kernels/cudamigrate_hip.h" in lines[1:]
    assert after["lib/MANIFEST.in"].endswith("\n")


def test_a_second_run_leaves_them_there(tmp_path: Path) -> None:
    applied = pipeline.apply(written(tmp_path / "first", AT_FIRST_USE), Config(jobs=1))
    more = {**AT_FIRST_USE, **{c.path: c.after.decode() for c in applied.conversions}}
    more |= {path: data.decode() for path, data in applied.added.items()} | {"bench/b.cu": KERNEL}
    folders, after = made(tmp_path / "second", more)
    assert folders <= {PACKAGE}
    assert f'#include "../{PACKAGE}/cudamigrate_' in after["bench/b.cu"]
    assert "lib/MANIFEST.in" not in after


UNSEEN = (
    "import torch.utils.cpp_extension as jit\n\n\ndef built(params):\n"
    "    return jit.load(name='ops', sources=params.sources)\n"
)
PARTS = {
    "p/__init__.py": "",
    "p/cuda/__init__.py": "",
    "p/cuda/build.py": UNSEEN,
    "p/cuda/csrc/k.cu": KERNEL,
    "p/more/csrc/m.cu": KERNEL,
    "setup.py": SETUP,
    "MANIFEST.in": "recursive-include p *.cu",
}


def test_a_build_at_first_use_of_sources_that_are_not_seen_has_them_in_its_package(tmp_path: Path) -> None:
    folders, after = made(tmp_path, PARTS)
    assert folders == {"p"}
    assert '#include "../../cudamigrate_portable.h"' in after["p/more/csrc/m.cu"]
    assert "include p/cudamigrate_portable.h" in after["MANIFEST.in"]


@pytest.mark.parametrize("more", [{"csrc/o.cu": KERNEL}, {"p/__init__.py": None}, {"p/cuda/build.py": BUILT}])
def test_one_with_sources_outside_of_the_package_has_them_in_the_root(
    tmp_path: Path, more: dict[str, str | None]
) -> None:
    tree = {path: text for path, text in {**PARTS, **more}.items() if text is not None}
    assert made(tmp_path, tree)[0] == {"."}


def test_those_of_a_setup_are_in_its_folder_and_listed(tmp_path: Path) -> None:
    folders, after = made(tmp_path, BY_SETUP)
    assert folders == {"lib"}
    assert '#include "../cudamigrate_portable.h"' in after["lib/csrc/k.cu"]
    assert "include cudamigrate_portable.h\n" in after["lib/MANIFEST.in"]


def test_one_that_takes_the_place_of_cudas_is_included_from_there(tmp_path: Path) -> None:
    kernel = (
        "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(float *p) {\n"
        "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;\n  wmma::fill_fragment(c, 0.0f);\n"
        "  wmma::store_matrix_sync(p, c, 16, wmma::mem_row_major);\n}\n"
    )
    folders, after = made(tmp_path, BY_SETUP | {"lib/csrc/k.cu": kernel, "lib/k.cuh": kernel})
    assert folders == {"lib"}
    assert '#include "../cudamigrate_wmma.h"' in after["lib/csrc/k.cu"]
    assert '#include "cudamigrate_wmma.h"' in after["lib/k.cuh"]


@pytest.mark.parametrize(
    "manifest",
    [
        "include src/p/kernels/*.cu src/p/kernels/*.h\n",
        "recursive-include src/p *.cu *.h\n",
        "graft src\n",
        "global-include *.cu *.h\n",
        "include README.md\n",
    ],
)
def test_a_list_that_takes_them_or_no_kernels_stays(tmp_path: Path, manifest: str) -> None:
    folders, after = made(tmp_path, AT_FIRST_USE | {"lib/MANIFEST.in": manifest})
    assert folders == {PACKAGE}
    assert "lib/MANIFEST.in" not in after


@pytest.mark.parametrize(
    "files",
    [
        AT_FIRST_USE | {"bench/b.cu": KERNEL},
        {path: text for path, text in AT_FIRST_USE.items() if not path.endswith("__init__.py")},
        BY_SETUP | {"bench/b.cu": KERNEL},
        {f"{PACKAGE}/k.cu": KERNEL, f"{PACKAGE}/__init__.py": "", "lib/setup.py": SETUP},
    ],
)
def test_else_they_are_at_the_root(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files)[0] == {"."}
