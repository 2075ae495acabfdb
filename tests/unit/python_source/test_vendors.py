"""A setup.py of a PyTorch extension after `apply`: run for both vendors, with stand-ins for torch and setuptools."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

SETUP = """\
import torch
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

nvcc_flags = [
    "-O3",
    "--use_fast_math",  # quick
    "-gencode", "arch=compute_80,code=sm_80",
    '-U__CUDA_NO_HALF_OPERATORS__',
    "-Xcompiler", "-fPIC",
]
nvcc_flags.append("-lineinfo")
nvcc_flags.append("--expt-relaxed-constexpr")
nvcc_flags += ["-std=c++17"]
nvcc_flags.append("-gencode")
nvcc_flags.append("arch=compute_90,code=sm_90")
major = 8
nvcc_flags += ["-gencode", f"arch=compute_{major}6,code=sm_{major}6"]
nvcc_flags.append("-DLAST")
setup(ext_modules=[CUDAExtension("x", ["x.cu"], extra_compile_args={"cxx": ["-O3"], "nvcc": nvcc_flags})])
"""
_JIT = "import torch\nfrom torch.utils.cpp_extension import load\n"
CUDA = [
    *("-O3", "--use_fast_math", "-gencode", "arch=compute_80,code=sm_80", "-U__CUDA_NO_HALF_OPERATORS__"),
    *("-Xcompiler", "-fPIC", "-lineinfo", "--expt-relaxed-constexpr", "-std=c++17"),
    *("-gencode", "arch=compute_90,code=sm_90", "-gencode", "arch=compute_86,code=sm_86", "-DLAST"),
]


def flags(text: str, hip: str | None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The flags that the build gets where `torch.version.hip` is `hip`."""
    given: list[list[str]] = []
    torch, extension, tools = ModuleType("torch"), ModuleType("torch.utils.cpp_extension"), ModuleType("setuptools")
    torch.version = SimpleNamespace(hip=hip, cuda=None if hip else "12.9")  # type: ignore[attr-defined]
    extension.CUDAExtension = lambda *a, **k: given.append(k["extra_compile_args"]["nvcc"])  # type: ignore[attr-defined]
    extension.BuildExtension = object  # type: ignore[attr-defined]
    tools.setup = lambda **k: None  # type: ignore[attr-defined]
    utils = ModuleType("torch.utils")
    for module in (torch, utils, extension, tools):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(text, "setup.py", "exec"), {})
    return given[0]


def test_build_for_nvidia_gets_the_flags_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    after = find_in_text(SETUP, "setup.py").after
    assert after != SETUP
    assert flags(SETUP, None, monkeypatch) == flags(after, None, monkeypatch) == CUDA


def test_build_for_amd_gets_flags_of_clang_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = flags(find_in_text(SETUP, "setup.py").after, "7.1", monkeypatch)
    assert found[0] == "-O3" and found[-1] == "-DLAST"
    assert {"-U__HIP_NO_HALF_OPERATORS__", "-fPIC", "-gline-tables-only"} <= set(found)
    assert not {*CUDA} & {*found} - {"-O3", "-fPIC", "-DLAST"}
    assert not any(flag.startswith("--offload-arch") for flag in found), "PyTorch names the architectures"


def test_second_run_changes_nothing() -> None:
    after = find_in_text(SETUP, "setup.py").after
    assert find_in_text(after, "setup.py").after == after


def test_torch_is_imported_where_only_a_part_of_it_is() -> None:
    result = find_in_text(SETUP.replace("import torch\n", ""), "setup.py")
    assert result.after.count("import torch\n") == 1
    assert "if torch.version.hip else" in result.after


def test_flags_stay_where_torch_means_something_else() -> None:
    text = SETUP.replace("import torch\n", "import lamp as torch\n")
    result = find_in_text(text, "setup.py")
    assert result.after == text
    left = [finding.message for finding in result.findings if finding.rule == "build/flag-fast-math"]
    assert left and all(message.endswith("Left as it is here.") for message in left)


@pytest.mark.parametrize(
    "text",
    [
        "def flags():\n    more = ['-lineinfo']\n    return more\nargs = {'nvcc': flags()}\n",
        "more = []\nmore.append('-lineinfo')\nargs = {'nvcc': ['-O3'] + more}\n",
        "more = []\nmore += ['-lineinfo']\nargs = dict(nvcc=more)\n",
        "def longer(given):\n    return given + ['-g']\nargs = {'nvcc': longer(['-lineinfo'])}\n",
    ],
)
def test_flags_are_followed_through_variables_and_functions(text: str) -> None:
    head = "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n"
    assert "-gline-tables-only" in find_in_text(head + text, "setup.py").after


def test_a_list_that_no_compiler_gets_is_left() -> None:
    text = "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\nmore = ['-lineinfo']\nprint(more)\n"
    assert find_in_text(text, "setup.py").after == text


def test_flags_of_a_branch_for_amd_are_not_reported() -> None:
    text = "import torch\nif torch.version.hip:\n    nvcc_flags = ['-O3', '--use_fast_math']\n"
    assert not find_in_text(text, "setup.py").findings


def test_libraries_are_those_of_the_vendor() -> None:
    text = (
        "import torch\nfrom torch.utils.cpp_extension import CUDAExtension, load\n"
        "CUDAExtension('x', ['a.cu'], libraries=['cublas', 'm'])\nload('y', ['b.cu'], extra_ldflags=['-lcurand'])\n"
    )
    after = find_in_text(text, "setup.py").after
    assert "libraries=[*(['hipblas'] if torch.version.hip else ['cublas']), 'm']" in after
    assert "extra_ldflags=[*(['-lhiprand'] if torch.version.hip else ['-lcurand'])]" in after
    assert find_in_text(after, "setup.py").after == after


def test_program_that_runs_nvcc_itself_keeps_its_options() -> None:
    text = "import subprocess\nnvcc_flags = ['--use_fast_math', '-G']\nsubprocess.run(['nvcc', *nvcc_flags, 'a.cu'])\n"
    result = find_in_text(text, "build.py")
    assert result.after == text
    assert {"build/flag-fast-math", "python/nvcc-run"} <= {finding.rule for finding in result.findings}


def test_what_pytorch_itself_gives_to_amds_compiler_stays() -> None:
    text = SETUP.replace("'-U__CUDA_NO_HALF_OPERATORS__'", "'-D__CUDA_NO_HALF_OPERATORS__'")
    assert "HALF_OPERATORS__" not in "".join(found.name for found in find_in_text(text, "setup.py").findings)
    assert "'-D__CUDA_NO_HALF_OPERATORS__',\n" in find_in_text(text, "setup.py").after
    found = find_in_text(text.replace("torch.utils.cpp_extension", "own.build"), "setup.py").findings
    assert "-D__CUDA_NO_HALF_OPERATORS__" in {one.name for one in found}, "another build gives nothing of its own"


EXTENSION = """\
import torch
from torch.utils.cpp_extension import CUDAExtension

more = ["-lineinfo"]
CUDAExtension("x", ["x.cpp", "x.cu"], extra_compile_args={"cxx": %s, "nvcc": %s})
"""


@pytest.mark.parametrize(
    ("host", "device", "becomes"),
    [
        ('["-lineinfo"]', "[]", '"cxx": [*([] if torch.version.hip else ["-lineinfo"])]'),
        ("more", "more", 'more = [*([] if torch.version.hip else ["-lineinfo"])]'),
        ("[]", '["-lineinfo"]', '"nvcc": [*(["-gline-tables-only"] if torch.version.hip else ["-lineinfo"])]'),
        ("[]", "more", 'more = [*(["-gline-tables-only"] if torch.version.hip else ["-lineinfo"])]'),
    ],
)
def test_host_compiler_gets_no_option_of_clangs(host: str, device: str, becomes: str) -> None:
    """g++, which compiles the C++ sources for AMD too, refuses an option that only clang has."""
    assert becomes in find_in_text(EXTENSION % (host, device), "setup.py").after


def test_options_given_to_a_function_that_loads_an_extension_are_chosen_by_vendor() -> None:
    text = "import torch\nfrom . import build\n\nplugin = build.get('cuda', extra_cuda_cflags=['-lineinfo'])\n"
    after = find_in_text(text, "ops.py").after
    assert "extra_cuda_cflags=[*(['-gline-tables-only'] if torch.version.hip else ['-lineinfo'])]" in after


@pytest.mark.parametrize("text", ["", "import torch\nrun(['nvcc', '--version'])\n"])
def test_options_given_to_what_may_run_nvcc_itself_stay(text: str) -> None:
    text += "from . import build\n\nplugin = build.get('cuda', extra_cuda_cflags=['-lineinfo'])\n"
    found = find_in_text(text, "ops.py")
    assert "extra_cuda_cflags=['-lineinfo']" in found.after
    assert "-lineinfo" in [one.name for one in found.findings]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('f"-Xcompiler=-DSTD={std}"', 'f"-DSTD={std}"'),
        ('"-Xcompiler=-DA={x}"', '"-DA={x}"'),
        ('f"-Xcompiler=-fPIC"', '"-fPIC"'),
    ],
)
def test_an_option_keeps_the_prefix_that_reads_what_it_holds(old: str, new: str) -> None:
    after = find_in_text(f"{_JIT}flags = [{old}]\nload(extra_cuda_cflags=flags)\n", "build.py").after
    assert f"[*([{new}] if torch.version.hip else [{old}])]" in after


def test_an_option_of_cl_with_a_value_of_a_variable_is_left() -> None:
    text = f'{_JIT}flags = [f"-Xcompiler=/std:c++{{std}}"]\nload(extra_cuda_cflags=flags)\n'
    result = find_in_text(text, "build.py")
    assert result.after == text
    assert "build/flag-host-cl" in [one.rule for one in result.findings]


def test_an_option_with_a_value_put_in_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = SETUP.replace("major = 8\n", 'level = 3\nnvcc_flags += [f"-Xcompiler=-O{level}"]\nmajor = 8\n')
    after = find_in_text(text, "setup.py").after
    assert "-O3" in flags(after, "7.1", monkeypatch)[1:]
    assert flags(after, None, monkeypatch) == flags(text, None, monkeypatch)
    assert "{level}" not in " ".join(flags(after, "7.1", monkeypatch))


_PART = "from torch.utils.cpp_extension import CUDAExtension"
_OPTIONS = "{'nvcc': ['--threads=8']}"


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        (
            f"if X:\n    try:\n        {_PART}\n        a = {_OPTIONS}\n    except ImportError:\n        a = None\n",
            True,
        ),
        (f"def f():\n    {_PART}\n    return {_OPTIONS}\n", True),
        (f"def f():\n    {_PART}\na = {_OPTIONS}\n", False),
        (f"class A:\n    {_PART}\n    def f(self):\n        return {_OPTIONS}\n", False),
        (f"if X: {_PART}\na = {_OPTIONS}\n", False),
    ],
)
def test_torch_is_imported_in_the_block_that_imports_a_part_of_it(before: str, changed: bool) -> None:
    after = find_in_text(before, "setup.py", unsafe=True).after
    compile(after, "setup.py", "exec")
    assert ("import torch\n" in after and "torch.version.hip" in after) is changed
    assert (after == before) is not changed


def test_what_is_left_is_not_said_to_be_dropped() -> None:
    text = (
        "from torch.utils.cpp_extension import CUDAExtension\n"
        "CUDAExtension('e', ['a.cu'], extra_compile_args={'nvcc': ['-L/lib -lcudadevrt']})\n"
    )
    said = [one.message for one in find_in_text(text, "setup.py").findings if one.rule == "build/flag-library-device"]
    assert [one.partition(" and ")[2] for one in said] == [
        "is to be dropped: HIP does not need it. Left as it is here."
    ]
