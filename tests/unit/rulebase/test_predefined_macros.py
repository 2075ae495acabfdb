"""Names with two underscores: those of compilers and headers of systems, and those that projects use for switches."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from cudamigrate.rulebase.predefined_macros import is_predefined


@pytest.mark.parametrize(
    "name",
    ["__CUDACC__", "__GNUC__", "__cplusplus", "__cpp_concepts", "__STDC_VERSION__", "__ARM_FEATURE_SVE", "__x86_64",
     "__USE_GNU", "__USE_XOPEN2K8", "__BYTE_ORDER", "__HIP_NO_HALF_CONVERSIONS__", "__CUDA_NO_HALF_OPERATORS__",
     "__EXCEPTIONS", "__SYCL_DEVICE_ONLY__", "__NR_mmap", "__WIN32"],
)  # fmt: skip
def test_what_compilers_and_headers_of_systems_define(name: str) -> None:
    assert is_predefined(name)


@pytest.mark.parametrize("name", ["__USE_TEX", "__PRINT_TIMES", "__FAST", "USE_TEX", "_OPENMP"])
def test_what_a_project_may_set_itself(name: str) -> None:
    assert not is_predefined(name)


@pytest.mark.parametrize("compiler", ["c++", "g++", "clang++"])
def test_no_macro_of_a_compiler_that_is_installed_is_taken_for_a_switch(compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    command = [compiler, "-std=c++17", "-x", "c++", "-dM", "-E", "-"]
    text = "#include <vector>\n#include <cmath>\n#include <thread>\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=True)
    names = {line.split()[1].partition("(")[0] for line in done.stdout.splitlines() if line.startswith("#define __")}
    assert len(names) > 100 and [name for name in sorted(names) if not is_predefined(name)] == []
