"""A library of CUDA's that a port's build in Python links for HIP too is a gap."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, KERNEL, reported

SIDE = '#include <{}>\n#include "a.h"\n' + KERNEL
FILES = {"a.h": BRANCHES % "WITH_ROCM"} | {
    path: SIDE.replace("{}", header)
    for name in ("a", "b", "c")
    for path, header in ((f"{name}.cu", "cuda_runtime.h"), (f"{name}_hip.cc", "hip/hip_runtime.h"))
}
SETUP = """import os
from setuptools import setup
from torch.utils import cpp_extension
FOR_CUDA = int(os.environ.get("FOR_CUDA", "1")) != 0
args, links = [], ["-lmpi"]
if FOR_CUDA:
    sources = ["a.cu", "b.cu", "c.cu"]
    args.append("-DWITH_CUDA=1")
{cuda}else:
    sources = ["a_hip.cc", "b_hip.cc", "c_hip.cc"]
    args.append("-DWITH_ROCM=1")
{hip}{both}built = cpp_extension.CUDAExtension("x", sources, extra_compile_args=args, extra_link_args=links)
setup(ext_modules=[built])
"""
LINK = 'links.append("-lnccl")\n'
RULE = "build/flag-library-nccl"


def found(root: Path, **parts: str) -> list[str]:
    text = SETUP.format(**{"cuda": "", "hip": "", "both": "", **parts})
    report = reported(root, {"setup.py": text, **FILES})
    assert report.port is not None
    return [one.rule for one in report.findings if one.rule == RULE]


@pytest.mark.parametrize("parts", [{"both": LINK}, {"hip": f"    {LINK}"}])
def test_what_hips_build_links_is_a_gap(parts: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, **parts) == [RULE]


@pytest.mark.parametrize(
    "parts",
    [
        {"cuda": f"    {LINK}"},
        {"both": LINK, "hip": '    links.append("-lrccl")\n'},
        {"both": "if FOR_CUDA:\n    args += ['-DWITH_CUDA_GRAPHS']\n"},
    ],
)
def test_what_cudas_build_alone_links_is_none(parts: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, **parts) == []
