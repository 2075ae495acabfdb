"""A call that is left out goes with its line, and stays where more than a statement would go."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <hip/hip_runtime.h>\n"
WAIT = "cudaGridDependencySynchronize()"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"    {WAIT};\n    a[0] = 1;\n", "    a[0] = 1;\n"),
        (f"    a[1] = 2;\n#if __CUDA_ARCH__ >= 900\n    {WAIT};\n#endif\n", None),
        (f"    a[1] = 2; {WAIT}; a[0] = 1;\n", "    a[1] = 2;  a[0] = 1;\n"),
        (f"    if (a[1]) {WAIT};\n    a[0] = 1;\n", "    if (a[1]) ;\n    a[0] = 1;\n"),
        (f"    {WAIT}; // for the first kernel\n", "     // for the first kernel\n"),
    ],
)
def test_a_statement_goes(before: str, after: str | None) -> None:
    made = find_in_text(f"{HEAD}__global__ void f(int *a) {{\n{before}}}\n").after
    assert WAIT not in made
    assert after is None or after in made


@pytest.mark.parametrize("text", [f"auto e = {WAIT};", f"check({WAIT});", f"return {WAIT};"])
def test_a_value_that_is_used_stays(text: str) -> None:
    assert WAIT in find_in_text(f"{HEAD}__device__ int f(int *a) {{ {text} }}\n").after
