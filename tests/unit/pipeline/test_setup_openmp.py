"""GCC's library of OpenMP is the host's compiler's own, where a setup.py gives only that one `-fopenmp`."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
cxx = ["-O3", "-fopenmp"]
"""
CALL = """setup(
    ext_modules=[CUDAExtension("e", ["a.cpp", "k.cu"], extra_compile_args=%s, extra_link_args=["-lgomp"])],
    cmdclass={"build_ext": %s},
)
"""


def found(root: Path, setup: str) -> int:
    files = {"setup.py": setup, "a.cpp": "int a;\n", "k.cu": "__global__ void k() {}\n"}
    scan = pipeline.scan(written(root, files), Config(jobs=1, cache=False))
    return sum(one.rule == "build/flag-library-gomp" for one in scan.findings)


@pytest.mark.parametrize(
    ("more", "args"),
    [
        ("", '{"cxx": cxx, "nvcc": ["-O3"]}'),
        (
            "def made():\n    args = []\n    args.extend(['-O2'])\n    return args\ngpu = made()\n",
            '{"cxx": cxx, "nvcc": gpu}',
        ),
    ],
)
def test_only_the_hosts_compiler_gets_it(more: str, args: str, tmp_path: Path) -> None:
    assert found(tmp_path, HEAD + more + CALL % (args, "BuildExtension")) == 0


@pytest.mark.parametrize(
    ("more", "args"),
    [
        ("", '{"cxx": cxx, "nvcc": ["-Xcompiler", "-fopenmp"]}'),
        ("", '{"cxx": cxx, "nvcc": cxx}'),
        ("", "cxx"),  # for both
        ("gpu = ['-O3']\ngpu.append('-Xcompiler=-fopenmp')\n", '{"cxx": cxx, "nvcc": gpu}'),
        ("def made():\n    return ['-Xcompiler', '-fopenmp']\ngpu = made()\n", '{"cxx": cxx, "nvcc": gpu}'),
        ("args = {'cxx': cxx, 'nvcc': ['-O3']}\nargs['nvcc'] += cxx\n", "args"),
    ],
)
def test_the_gpus_compiler_gets_it_too(more: str, args: str, tmp_path: Path) -> None:
    assert found(tmp_path, HEAD + more + CALL % (args, "BuildExtension")) == 1


def test_another_command_may_link_by_hipcc(tmp_path: Path) -> None:
    own = "from own import build_with_nvcc\n"
    assert found(tmp_path, HEAD + own + CALL % ('{"cxx": cxx, "nvcc": ["-O3"]}', "build_with_nvcc")) == 1
