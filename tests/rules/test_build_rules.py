"""Rules for build files explain themselves, nvcc's options all have an answer, and what they write clang takes."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cudamigrate.model import Rule, Span, Target, Use
from cudamigrate.rulebase import project_rules
from cudamigrate.syntax import compiler_options

BOOK = project_rules.load(Target())
RULES = [rule for rule in BOOK.rules.values() if rule.group == "build" and not rule.silent]
DROPPED = [rule for rule in RULES if rule.change.text == ("flag", "drop")]

OF_OTHER_FILES = ("build/cmake-left-entered",)
"""Rules that no example of one file can show: a unit test shows them."""
NEWER = ("-fgpu-approx-transcendentals",)
"""Options that rules write and that a hipcc of some years ago does not know; ROCm 6.2 has them."""

NVCC = re.findall(
    r"\S+",
    """
-gencode=arch=compute_80,code=sm_80 -arch=sm_80 --gpu-architecture=sm_80 --use_fast_math -use_fast_math -Xcompiler=-Wall
--compiler-options=-Wall -Xptxas=-v --ptxas-options=-v --resource-usage --maxrregcount=32 -maxrregcount=32 -rdc=true
--relocatable-device-code=true -dc -dlink --expt-relaxed-constexpr --expt-extended-lambda --extended-lambda -lineinfo
--generate-line-info --default-stream=per-thread -ccbin=g++ -allow-unsupported-compiler -G -lcudart -lcublas -lcublasLt
-cudart=shared -Xcudafe=--display_error_number -diag-suppress=177 --threads=4 -split-compile=2 -ftz=true
-prec-div=false -prec-sqrt=false -fmad=false -ptx -cubin -fatbin -keep --keep-dir=x --options-file=x -restrict
-forward-unknown-to-host-compiler --Werror=all-warnings -Wno-deprecated-gpu-targets -Xfatbin=-compress-all
--compress-mode=size --generate-code=arch=compute_80,code=sm_80 --compiler-bindir=g++
--generate-dependencies-with-compile
-U__CUDA_NO_HALF_OPERATORS__ -U__CUDA_NO_HALF_CONVERSIONS__ -lcuda -lnvrtc -lcurand -lcufft -lcusolver -lcusparse
--device-debug --forward-unknown-opts --diag_suppress=177 --cuda-gpu-arch=sm_80 -lnccl -lcudnn -lnvToolsExt
""",
)

PLAIN = re.findall(
    r"\S+", "-O3 -g -std=c++17 -I. -DX=1 -fPIC -Wall -shared -o a.o -c -m64 -lm -pthread -march=native -MD"
)


def options(*given: str) -> Iterator[Use]:
    return compiler_options.uses(compiler_options.Word(text, Span(0, 0)) for text in given)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_shows_a_hit_and_a_miss_and_explains_itself(rule: Rule) -> None:
    if rule.id not in OF_OTHER_FILES:
        assert any(example.finds for example in rule.examples) and any(not example.finds for example in rule.examples)
    assert "Do:" in rule.notes and "Source:" in rule.notes
    assert len(rule.message) < 200
    if rule.change.kind != "none":
        assert any(example.after for example in rule.examples)


@pytest.mark.parametrize("option", NVCC)
def test_option_of_nvcc_has_an_answer(option: str) -> None:
    assert BOOK.rule("make", next(options(option))) is not None


@pytest.mark.parametrize("option", PLAIN)
def test_option_that_clang_has_too_is_left_alone(option: str) -> None:
    found = [BOOK.rule("make", use) for use in options(option)]
    assert all(rule is None or rule.silent for rule in found)


@pytest.mark.parametrize("rule", DROPPED, ids=lambda rule: rule.id)
def test_what_is_dropped_is_said_to_be(rule: Rule) -> None:
    assert "dropped" in rule.message or "not needed" in rule.message


def written() -> list[str]:
    """Every option that a rule writes, with an argument where it takes one."""
    found = {word for rule in RULES for word in _words(rule)}
    return sorted(word for word in found if word not in ("-MF", "--genco", "--emit-static-lib", "-c", "hip", "-x", "@"))


def _words(rule: Rule) -> Iterator[str]:
    if (
        rule.change.kind == "rename"
        and rule.change.text[0].startswith("-")
        and not rule.change.text[0].startswith("-l")
    ):
        yield rule.change.text[0]
    if rule.change.text[:2] == ("flag", "value"):
        values = {
            "-fgpu-default-stream=": "per-thread",
            "-std=": "c++17",
            "-m": "64",
            "-D": "NAME",
            "-U": "NAME",
            "@": "",
            "--offload-arch=": "gfx90a",
        }
        yield rule.change.text[2] + values.get(rule.change.text[2], "0")
    elif rule.change.text[:1] == ("flag",) and rule.change.text[1] != "language":
        yield from rule.change.text[2:]


ALONE = ("-M", "-MM", "-foffload-lto", "-fgpu-rdc", "-o0", "-save-temps=obj", "-std=c++14")
"""Options that are tried alone: they change what is made, or stand where another of their kind would hide them."""
KNOWN = [option for option in written() if option not in NEWER]


def said_by_hipcc(options: Sequence[str], folder: Path) -> tuple[int, list[str]]:
    """The exit code of hipcc with some options, and its errors."""
    source = folder / "empty.hip"
    source.write_text("int nothing();\n")
    (folder / "0").write_text("")  # the argument that options are tried with
    words = ["hipcc", "--offload-arch=gfx90a", "-nogpuinc", *options, "-c", source.name, "-o", "empty.o"]
    environment = {**os.environ, "HIP_PLATFORM": "amd"}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, [line for line in done.stderr.splitlines() if "error:" in line]


@pytest.fixture(scope="module")
def all_are_taken(tmp_path_factory: pytest.TempPathFactory) -> bool:
    """Whether hipcc takes all options in one call: it names each that it does not know."""
    options = [option for option in KNOWN if option not in ALONE]
    return said_by_hipcc(options, tmp_path_factory.mktemp("options")) == (0, [])


@pytest.mark.rocm
@pytest.mark.parametrize("option", KNOWN)
def test_option_that_a_rule_writes_is_one_that_hipcc_takes(option: str, all_are_taken: bool, tmp_path: Path) -> None:
    assert (all_are_taken and option not in ALONE) or said_by_hipcc([option], tmp_path) == (0, [])


@pytest.mark.rocm
def test_an_option_that_hipcc_does_not_know_is_seen_among_others(tmp_path: Path) -> None:
    code, errors = said_by_hipcc([*(option for option in KNOWN if option not in ALONE), "-fno-such-option"], tmp_path)
    assert code != 0 and "-fno-such-option" in errors[0]


@pytest.mark.parametrize("option", NEWER)
def test_newer_option_that_a_rule_writes_is_one_that_clang_takes(option: str) -> None:
    cindex = pytest.importorskip("clang.cindex", reason="libclang is not installed")
    given = ["-x", "hip", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib", "--cuda-host-only"]
    unit = cindex.Index.create().parse("a.hip", args=[*given, option], unsaved_files=[("a.hip", "int nothing();")])
    assert [one.spelling for one in unit.diagnostics if "unknown argument" in one.spelling] == []
