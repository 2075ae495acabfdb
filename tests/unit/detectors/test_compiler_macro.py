"""Tests for nvcc's macros whose branches give another macro the number of the GPU."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CODE = "#include <cuda_runtime.h>\n{gate}\n__global__ void k(int *p) {{ *p = 1; }}\n"
ALIAS = "build/arch-alias"


def rules(gate: str) -> tuple[list[str], str]:
    made = find_in_text(CODE.format(gate=gate), "a.cu")
    return [one.rule for one in made.findings if one.rule.startswith("build/")], made.after


@pytest.mark.parametrize(
    "gate",
    [
        "#ifndef __CUDA_ARCH__\n# define ARCH 0\n#else\n# define ARCH __CUDA_ARCH__\n#endif",
        "#ifdef __CUDA_ARCH__\n#define ARCH __CUDA_ARCH__\n#else\n#define ARCH 0\n#endif",
        "#if !defined(__CUDA_ARCH__)\n#define ARCH 0\n#else\n#define ARCH __CUDA_ARCH__\n#endif",
    ],
)
def test_a_macro_with_the_number_of_a_gpu_is_told_and_the_test_stays(gate: str) -> None:
    found, after = rules(gate)
    assert found == [ALIAS] and gate in after


@pytest.mark.parametrize(
    "gate",
    [
        "#ifndef __CUDA_ARCH__\n#define ON_GPU 0\n#else\n#define ON_GPU 1\n#endif",
        "#ifdef __CUDA_ARCH__\n#define ON_GPU 1\n#endif",
        "#ifndef __CUDA_ARCH__\n#define HOST 0\n#else\n#define ARCH __CUDA_ARCH__ / 10\n#endif",
    ],
)
def test_other_tests_for_the_pass_are_widened(gate: str) -> None:
    found, after = rules(gate)
    assert ALIAS not in found and "__HIP_DEVICE_COMPILE__" in after


def test_tests_for_such_a_macro_are_tests_for_the_gpu() -> None:
    alias = "#ifndef __CUDA_ARCH__\n#define ARCH 0\n#else\n#define ARCH __CUDA_ARCH__\n#endif"
    gate = "#if ARCH >= 300\nint a = 1;\n#else\nint a = 2;\n#endif"
    assert rules(f"{alias}\n{gate}")[0] == [ALIAS, "build/arch-gate"]
    assert rules(f"#define ARCH 0\n{gate}")[0] == []
