"""What `check` says for both vendors: every rule that it reports has a form, and the forms are right."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import Finding, Position, SourceFile, Span
from cudamigrate.pipeline import both_vendors, rule_base
from cudamigrate.pipeline.check import Item, check
from cudamigrate.project import discovery
from cudamigrate.rulebase import code_rules, project_rules

CONFIG = Config()
GOAL = rule_base.target(CONFIG)
CODE = code_rules.load(GOAL)
BESIDE = project_rules.load(GOAL)
LANGUAGE = discovery.languages(known_files())


def reported(book):
    return [rule for rule in book.rules.values() if rule.outcome in CONFIG.outcomes and not rule.silent]


def finding(rule, text: str) -> Finding:
    place, end = Position(1, 1), Position(1, len(text) + 1)
    return Finding(rule.id, "a", Span(0, len(text)), place, end, text, rule.message, rule.support, rule.outcome,
                   "syntax", rule.effort, name=text)  # fmt: skip


def problems(text: str, path: str = "a.cu") -> list[Finding]:
    return check([Item(SourceFile(path, text.encode(), LANGUAGE(path)))], CONFIG).problems


def test_every_rule_that_check_reports_has_a_form():
    languages = {
        **dict.fromkeys(reported(CODE), ("cuda", "cxx")),
        **{rule: rule.match.languages or ("requirements", "toml", "conda", "python") for rule in reported(BESIDE)},
    }
    assert len(languages) > 6000
    for rule, spoken in languages.items():
        for language in spoken:
            said = both_vendors.advice(finding(rule, "cudaName"), SourceFile("a", b"cudaName", language))
            assert re.fullmatch(r"[A-Z`].*`.+`.*\.", said), (rule.id, language, said)
            assert "{" not in said.replace("{'cuda': [...], 'rocm': [...]}", "").replace('{":use_hip"', "")


def examples():
    """Each rule for code with its first example in C++, the API's left out: those are all alike."""
    for rule in reported(CODE):
        found = next(
            (one for one in rule.examples if one.finds and (one.path or "a.cu").endswith((".cu", ".cuh"))), None
        )
        if found is not None and rule.group != "api":
            yield pytest.param(rule.id, found, id=rule.id)


@pytest.mark.parametrize(("rule", "example"), list(examples()))
def test_a_guard_keeps_what_is_nvidias(rule, example):
    guarded = f"#if !defined(__HIP_PLATFORM_AMD__)\n{example.before}\n#endif\n"
    assert [one.rule for one in problems(guarded, example.path or "a.cu") if one.rule == rule] == []


KERNEL = """__global__ void k(float *v, unsigned *n) {{
  float x = v[0];
  bool p = x > 0;
{}
  v[0] = x; n[0] += p;
}}
"""
HEAD = "#if defined(__HIPCC__)\n#include <hip/hip_runtime.h>\n#endif\n"
BRANCH = "#if defined(__HIP_PLATFORM_AMD__)\n  {}\n#else\n  {}\n#endif"
FORMS = {
    "warp/sync-shuffle": (
        "x += __shfl_down_sync(0xffffffffu, x, 16);",
        BRANCH.format("x += __shfl_down(x, 16, 32);", "x += __shfl_down_sync(0xffffffffu, x, 16, 32);"),
        "`__shfl_down(x, 16, 32)` under `#if defined(__HIP_PLATFORM_AMD__)`",
    ),
    "warp/legacy-shuffle": (
        "x += __shfl_xor(x, 16);",
        BRANCH.format("x += __shfl_xor(x, 16, 32);", "x += __shfl_xor_sync(0xffffffffu, x, 16, 32);"),
        "`__shfl_xor_sync(mask, value, lane, 32)` in the `#else`",
    ),
    "warp/sync-vote": (
        "n[1] = __ballot_sync(0xffffffffu, p);",
        BRANCH.format("n[1] = (unsigned)(__ballot(p) >> (__lane_id() & 32));", "n[1] = __ballot_sync(0xffffffffu, p);"),
        "`(unsigned)(__ballot(p) >> (__lane_id() & 32))`",
    ),
    "build/vanished-code": (
        "#if __CUDA_ARCH__ >= 700\n  x *= 2;\n#endif",
        "#if defined(__HIP_PLATFORM_AMD__)\n  x *= 2;\n#elif __CUDA_ARCH__ >= 700\n  x *= 2;\n#endif",
        "`#if defined(__HIP_PLATFORM_AMD__)`, AMD's way, `#elif __CUDA_ARCH__ >= 700`",
    ),
}


@pytest.mark.parametrize("rule", FORMS)
def test_a_form_is_in_the_message_and_has_no_finding_itself(rule):
    before, after, said = FORMS[rule]
    (told,) = [one for one in problems(HEAD + KERNEL.format(before)) if one.rule == rule]
    assert said in told.message
    assert [one for one in problems(HEAD + KERNEL.format(after)) if one.rule == rule] == []


def test_the_form_of_a_shuffle_keeps_its_own_width():
    code = KERNEL.format("x += __shfl_xor_sync(0xffffffffu, x, 1, 16);")
    (told,) = [one for one in problems(HEAD + code) if one.rule == "warp/sync-shuffle"]
    assert "write `__shfl_xor(x, 1, 16)` under" in told.message and "32" not in told.message.partition("write ")[2]


def test_the_form_of_a_call_has_the_fixes_of_its_arguments():
    code = "void f(int *a, int *b) { cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice); }\n"
    (told,) = [one for one in problems(HEAD + code) if one.rule == "api/cudaMemcpy"]
    assert "write `hipMemcpy(a, b, 4, hipMemcpyHostToDevice)` under `#if defined(__HIP_PLATFORM_AMD__)`" in told.message
    assert "and `cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice)` in the `#else`" in told.message


@pytest.mark.parametrize(
    ("compiler", "options"),
    [
        pytest.param("hipcc", ["--offload-arch=gfx90a", "-fsyntax-only", "-x", "hip"], marks=pytest.mark.rocm),
        pytest.param("nvcc", ["-arch=sm_80", "-c", "-o", "a.o"], marks=pytest.mark.cuda),
    ],
)
def test_the_forms_compile_for_both(tmp_path, compiler, options):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "a.cu").write_text(HEAD + KERNEL.format("\n".join(after for _, after, _ in FORMS.values())))
    env = {**os.environ, "HIP_PLATFORM": "amd"}
    done = subprocess.run([compiler, *options, "a.cu"], cwd=tmp_path, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr


def test_python_under_a_question_for_the_vendor_has_no_finding():
    call = "import torch\nimport subprocess\n{}subprocess.run(['nvidia-smi'])\n"
    (told,) = [one for one in problems(call.format(""), "a.py") if one.rule == "python/nvidia-smi-run"]
    assert "`if torch.version.hip is None:`" in told.message
    assert problems(call.format("if torch.version.hip is None:\n    "), "a.py") == []


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('asm volatile("' + "add.u32 %0, %1, %2; " * 9 + '" : "=r"(r) : "r"(v))', "`asm volatile(...)`"),
        ("a + " * 30 + "b", "`" + "a + " * 20 + "...`"),
    ],
)
def test_long_code_is_named_by_how_it_begins(code, shown):
    rule = next(rule for rule in reported(CODE) if rule.group == "ptx")
    long = finding(rule, code)
    said = both_vendors.advice(replace(long, name=""), SourceFile("a.cu", code.encode(), "cuda"))
    assert shown in said
