"""No name of CUDA's is left beside names of HIP's in one call or definition without a finding on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gitrepo import write

from cudamigrate import config, pipeline
from cudamigrate.frontends.cuda import GUARDS
from cudamigrate.model import Conversion, Finding, SourceFile
from cudamigrate.pipeline import half_converted, rule_base
from cudamigrate.pipeline.convert_file import convert


def judged(folder: Path, code: str, silent: Callable[[Finding], bool], own: frozenset[str] = frozenset()) -> Conversion:
    """The file converted as if findings for which `silent` is true had not been made."""
    write(folder, {"a.cu": code})
    held = config.load(folder)
    report = pipeline.scan(folder, held)
    told = [finding for finding in report.findings if not silent(finding)]
    judge = half_converted.Judge(rule_base.code_rules(report.target), GUARDS, own)
    chosen = [finding for finding in told if finding.automatic]
    return half_converted.whole(judge, SourceFile("a.cu", code.encode(), "cuda"), chosen, told, convert)


def named(name: str) -> Callable[[Finding], bool]:
    return lambda finding: finding.name == name


def test_a_call_is_converted_whole_or_not_at_all(tmp_path: Path) -> None:
    code = "void f(void *a, void *b) {\n    cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice);\n    cudaFree(a);\n}\n"
    made = judged(tmp_path, code, named("cudaMemcpyHostToDevice"))
    assert b"cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice);" in made.after
    assert b"hipFree(a);" in made.after
    assert [(finding.name, reason) for finding, reason in made.rejected] == [
        ("cudaMemcpy", "it would leave `cudaMemcpyHostToDevice` beside HIP names in one call or definition, unreported")
    ]


def test_a_definition_is_converted_whole_or_not_at_all(tmp_path: Path) -> None:
    code = "cudaError_t run(cudaStream_t s) {\n    return cudaStreamSynchronize(s);\n}\n"
    made = judged(tmp_path, code, named("cudaStream_t"))
    assert b"cudaError_t run(cudaStream_t s) {" in made.after
    assert b"return hipStreamSynchronize(s);" in made.after  # the body is not the definition's own


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("void f(void *a) { cudaFree(a); cudaDeviceReset(); }\n", "cudaDeviceReset"),  # two calls, one beside the other
        ("void f(void *a) { each([&] { cudaDeviceReset(); }, cudaFree(a)); }\n", "cudaDeviceReset"),  # a lambda's body
    ],
)
def test_what_stands_beside_is_another_call(tmp_path: Path, code: str, name: str) -> None:
    made = judged(tmp_path, code, named(name))
    assert b"hipFree(a)" in made.after and made.rejected == ()


def test_a_name_with_a_finding_and_a_name_of_the_project_stay(tmp_path: Path) -> None:
    code = "void f(void *a, void *b) { cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice); }\n"
    assert judged(tmp_path, code, lambda finding: False).rejected == ()
    own = judged(tmp_path, code, named("cudaMemcpyHostToDevice"), frozenset({"cudaMemcpyHostToDevice"}))
    assert b"hipMemcpy(a, b, 4, cudaMemcpyHostToDevice)" in own.after and own.rejected == ()


def test_a_variable_of_cudas_form_is_no_name_of_cudas(tmp_path: Path) -> None:
    code = "void f(int *p) {\n    cudaError_t cudaFirst, *cudaLast = &cudaFirst;\n    cudaFirst = cudaFree(p);\n}\n"
    made = judged(tmp_path, code, lambda finding: False)
    assert made.rejected == ()
    assert made.after.endswith(code.replace("cudaError_t", "hipError_t").replace("cudaFree", "hipFree").encode())
    other = "void f(int *p) {\n    cudaError_t first = cudaFreeLater(p);\n}\n"
    assert judged(tmp_path, other, named("cudaFreeLater")).rejected != ()


def test_a_name_that_hip_has_as_it_is_stays_beside_what_is_converted(tmp_path: Path) -> None:
    """HIP has the minimum of two pairs of bfloat16 under CUDA's name, and of pairs of halves it has none."""
    code = "__device__ __nv_bfloat162 f(__nv_bfloat162 a) { return __hmin2(a, make_bfloat162(1, 2)); }\n"
    made = judged(tmp_path, code, lambda finding: False)
    assert b"return __hmin2(a, __halves2bfloat162(1, 2));" in made.after and made.rejected == ()
    code = "__device__ __half2 f(__half2 a) { return __hmin2(a, __halves2half2(a.x, a.y)); }\n"
    assert b"cudamigrate::hmin2(a," in judged(tmp_path, code, lambda finding: False).after


def test_apply_asks_the_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.cu": "void f(void *a) { cudaFree(a); }\n"})
    asked = []

    def whole(judge: half_converted.Judge, source: SourceFile, *rest: object) -> Conversion:
        asked.append(source.path)
        return Conversion(source.path, source.data, source.data, ())

    monkeypatch.setattr(half_converted, "whole", whole)
    pipeline.apply(tmp_path, config.load(tmp_path))
    assert asked == ["a.cu"]
