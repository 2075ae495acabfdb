"""Commands of CMake that hand FindCUDA's options to those of the language CUDA, which are one variable for HIP."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

LIST, TEXT = "${CUDA_NVCC_FLAGS}", "${CMAKE_CUDA_FLAGS}"
OWN = "${CMAKE_HIP_FLAGS}"


def converted(line: str, first: str = "find_package(CUDA REQUIRED)") -> str:
    text = f"{first}\nlist(APPEND CUDA_NVCC_FLAGS -O3)\n{line}\n"
    return find_in_text(text, "CMakeLists.txt", None).after.split("\n", 2)[2].strip()


@pytest.mark.parametrize(
    "line",
    [
        f"list(APPEND CMAKE_CUDA_FLAGS {LIST})",
        f'list(APPEND CMAKE_CUDA_FLAGS "{LIST}") # all of them',
        f'string(APPEND CMAKE_CUDA_FLAGS " {LIST}")',
        f'set(CMAKE_CUDA_FLAGS "{TEXT} {LIST}")',
        f"list(APPEND CUDA_NVCC_FLAGS {TEXT})",
        'set(CMAKE_CUDA_FLAGS_DEBUG "${CMAKE_CUDA_FLAGS_DEBUG} ${CUDA_NVCC_FLAGS_DEBUG}")',
    ],
)
def test_a_command_that_hands_over_alone_goes(line: str) -> None:
    assert converted(line) == ""


@pytest.mark.parametrize(
    ("line", "after"),
    [
        (f'set(CMAKE_CUDA_FLAGS "{TEXT} {LIST} -O2")', f'set(CMAKE_HIP_FLAGS "{OWN} -O2")'),
        (f'set(CMAKE_CUDA_FLAGS "{LIST} {TEXT} -O2")', f'set(CMAKE_HIP_FLAGS "{OWN} -O2")'),
        (f'string(APPEND CMAKE_CUDA_FLAGS " {LIST} -g")', 'string(APPEND CMAKE_HIP_FLAGS " -g")'),
        (f"list(APPEND CMAKE_CUDA_FLAGS {LIST} -O2 -g)", 'string(APPEND CMAKE_HIP_FLAGS " -O2 -g")'),
        (f"list(APPEND CMAKE_CUDA_FLAGS -O2 {LIST})", 'string(APPEND CMAKE_HIP_FLAGS " -O2")'),
        (f'set(CMAKE_CUDA_FLAGS "{TEXT} {LIST}" PARENT_SCOPE)', f'set(CMAKE_HIP_FLAGS "{OWN}" PARENT_SCOPE)'),
        (f'set(CMAKE_CUDA_FLAGS "{LIST} -O2")', f'set(CMAKE_HIP_FLAGS "{OWN} -O2")'),  # it keeps what it has
    ],
)
def test_what_a_command_does_beside_stays(line: str, after: str) -> None:
    assert converted(line) == after


def test_variables_that_stay_two_are_left() -> None:
    release = 'set(CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE} ${CUDA_NVCC_FLAGS}")'
    assert converted(release) == release.replace("CMAKE_CUDA", "CMAKE_HIP").replace("CUDA_NVCC", "CMAKE_HIP")
    host = f'set(CMAKE_CUDA_FLAGS "{TEXT} ${{CMAKE_CXX_FLAGS}}")'
    assert "${CMAKE_CXX_FLAGS}" in converted(host)
    # no compiler reads FindCUDA's list here: it is a variable of the project's own
    assert converted(f"list(APPEND CMAKE_CUDA_FLAGS {LIST})", "project(x CUDA)").endswith(f"CMAKE_HIP_FLAGS {LIST})")
