"""A condition of the preprocessor that names something twice has one finding about it."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


@pytest.mark.parametrize(
    ("condition", "lines"),
    [
        ("#if defined(CUDA_VERSION) && CUDA_VERSION >= 13000", [2]),
        ("#if CUDA_VERSION >= 12000 && \\\n    CUDA_VERSION < 14000", [2]),
        ("#if CUDA_VERSION >= 12000\n#elif CUDA_VERSION >= 11000", [2, 3]),
    ],
)
def test_one_condition_is_one_place(condition: str, lines: list[int]) -> None:
    code = f"#include <cuda.h>\n{condition}\nint a;\n#endif\n"
    found = [one for one in find_in_text(code).findings if one.rule == "api/CUDA_VERSION"]
    assert [one.position.line for one in found] == lines


def test_names_that_are_renamed_are_found_each_time() -> None:
    code = "#include <cuda_runtime.h>\n#if cudaSuccess == 0 || cudaSuccess == 1\nint a;\n#endif\n"
    found = [one for one in find_in_text(code).findings if one.name == "cudaSuccess"]
    assert len(found) == 2 and all(one.fix is not None for one in found)
