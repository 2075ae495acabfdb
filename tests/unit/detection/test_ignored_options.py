"""Options for nvcc that clang ignores: what is said of them where the compiler alone gets them, and elsewhere."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline import rule_tests
from cudamigrate.pipeline.rule_base import target
from cudamigrate.pipeline.run import project_rules
from cudamigrate.rulebase.project_rules import ProjectBook

SETUP = "from torch.utils.cpp_extension import CUDAExtension\nCUDAExtension('a', ['a.cu'], {})\n"
CLANG = next((found for name in ("clang++", "clang++-15", "amdclang++") if (found := shutil.which(name))), "")


def found(text: str, path: str) -> list[tuple[str, str, str]]:
    """The rule of each option in a file, what happens if it stays, and how it is fixed."""
    findings = rule_tests.find_in_text(text, path).findings
    return [(one.rule.partition("/")[2], one.outcome, one.resolution) for one in findings if "flag-" in one.rule]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("extra_compile_args={'nvcc': ['-lineinfo', '-O3']}", ("flag-lineinfo", "missing", "automatic")),
        ("extra_compile_args={'nvcc': ['--generate-line-info']}", ("flag-lineinfo", "compile-error", "automatic")),
        ("extra_cuda_cflags=['-arch=sm_80']", ("flag-arch", "missing", "automatic")),
        ("extra_cuda_cflags=['-gencode=arch=compute_80,code=sm_80']", ("flag-arch", "compile-error", "automatic")),
        ("extra_compile_args={'nvcc': ['-expt-extended-lambda']}", ("flag-lambda", "fine", "automatic")),
        ("extra_compile_args={'nvcc': ['--expt-extended-lambda']}", ("flag-lambda", "compile-error", "automatic")),
        ("extra_compile_args={'nvcc': ['-Xptxas', '-v']}", ("flag-ptxas", "missing", "automatic")),
        ("extra_compile_args={'nvcc': ['-Xptxas', '-dlcm=ca']}", ("flag-ptxas", "compile-error", "automatic")),
        ("extra_ldflags=['-lineinfo']", ("flag-lineinfo", "compile-error", "automatic")),
        (
            "extra_compile_args={'nvcc': ['-O3'], 'nvcc_dlink': ['-lineinfo']}",
            ("flag-lineinfo", "compile-error", "automatic"),
        ),
    ],
)
def test_what_pytorch_gives_to_the_compiler(given: str, expected: tuple[str, str, str]) -> None:
    assert found(SETUP.format(given), "setup.py") == [expected]


def test_a_variable_of_make_may_be_given_to_the_linker_too() -> None:
    assert found("NVCCFLAGS = -lineinfo -O3\n", "Makefile") == [("flag-lineinfo", "compile-error", "automatic")]


def book() -> ProjectBook:
    """The rules on build files."""
    return project_rules(target(Config()), ())


def test_what_is_ignored_is_an_option_of_its_rule() -> None:
    for rule in {one.id: one for one in book().rules.values() if one.ignored}.values():
        for pattern in rule.ignored:
            assert any(pattern.startswith(name.rstrip("=*")) for name in rule.match.names), (rule.id, pattern)


@pytest.mark.skipif(not CLANG, reason="no clang++ on this machine")
def test_clang_takes_what_is_said_to_be_ignored(tmp_path: Path) -> None:
    """The driver alone is asked: an option that it refuses ends it."""
    (tmp_path / "a.cu").write_text("int a;\n")
    refused = []
    for rule in {one.id: one for one in book().rules.values() if one.ignored}.values():
        for pattern in rule.ignored:
            words = pattern.replace(" *", " sm_70").replace("=*", "=1").replace("-f*", "-fPIC").replace("-W*", "-Wall")
            words = words.replace("-O*", "-O2").replace("STREAM*", "STREAM=1")
            command = [CLANG, "-###", "-x", "hip", "--offload-arch=gfx90a", "-nogpulib", "-nogpuinc", *words.split()]
            result = subprocess.run(
                [*command, "-c", str(tmp_path / "a.cu"), "-o", str(tmp_path / "a.o")], capture_output=True
            )
            if result.returncode or b"error:" in result.stderr:
                refused.append((rule.id, pattern, result.stderr.decode().splitlines()[-1]))
    assert refused == []
