"""Conditions by the CUDA version or the architecture that choose between warp functions, and such as ask for more."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

MASKED, PLAIN = "v += __shfl_xor_sync(0xffffffff, v, 1);", "v += 1;"


def changed(condition: str, first: str, second: str | None) -> str:
    """The condition after the change."""
    other = "" if second is None else f"#else\n{second}\n"
    text = f"__device__ int f(int v) {{\n#if {condition}\n{first}\n{other}#endif\nreturn v; }}\n"
    lines = find_in_text(text).after.splitlines()
    return next(line for line in lines if line.startswith("#if ")).removeprefix("#if ")


@pytest.mark.parametrize("condition", ["__CUDA_ARCH__ >= 700", "(__CUDA_ARCH__ > 620)", "__CUDA_ARCH__ >= 900"])
def test_newer_architectures_are_what_hip_takes(condition: str) -> None:
    for second in (PLAIN, None, MASKED):
        assert changed(condition, MASKED, second) == f"{condition} || defined(__HIP_DEVICE_COMPILE__)"


def test_older_architectures_are_what_hip_leaves() -> None:
    assert changed("__CUDA_ARCH__ < 700", PLAIN, MASKED) == "__CUDA_ARCH__ < 700 && !defined(__HIP_DEVICE_COMPILE__)"
    assert changed("__CUDA_ARCH__ < 700", MASKED, None) == "__CUDA_ARCH__ < 700"
    assert changed("__CUDA_ARCH__ < 700", MASKED, PLAIN) == "__CUDA_ARCH__ < 700"


@pytest.mark.parametrize(
    ("condition", "first"),
    [
        ("__CUDA_ARCH__ >= 1000", MASKED),
        ("__CUDA_ARCH__ >= 700 && defined(FAST)", MASKED),
        ("__CUDA_ARCH__ == 700", MASKED),
        ("__CUDA_ARCH__ >= 700", PLAIN),
        ("__CUDA_ARCH__ >= 700", f'{MASKED} asm("" : "+r"(v));'),
        ("__CUDA_ARCH__ >= 900", f"{MASKED} v += cluster_rank();"),
        ("__CUDA_ARCH__ >= 700", f"#ifdef FAST\n{MASKED}\n#endif"),
        ("__CUDA_ARCH__ >= 700", "auto g = coalesced_threads(); " + MASKED),
    ],
)
def test_what_asks_for_something_else_besides_stays(condition: str, first: str) -> None:
    assert changed(condition, first, PLAIN) == condition


def test_a_settled_condition_is_reported_once() -> None:
    text = f"__device__ int f(int v) {{\n#if __CUDA_ARCH__ >= 700\n{MASKED}\n#endif\nreturn v; }}\n"
    rules = [finding.rule for finding in find_in_text(text).findings]
    assert rules.count("warp/arch-branch") == 1
    assert not any(rule.startswith("build/") and rule != "build/implicit-runtime-header" for rule in rules)
