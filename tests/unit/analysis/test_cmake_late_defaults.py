"""Defaults of the list of GPUs that come after the language has set it."""

from __future__ import annotations

import pytest

from cudamigrate.edits import apply
from cudamigrate.pipeline.rule_tests import find_in_text

GUARD = "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n"
MOVED = GUARD.replace("CUDA", "HIP").replace(" 80", " gfx90a gfx942")
MORE = "set(CMAKE_BUILD_TYPE Release)\n"


def converted(text: str) -> str:
    findings = find_in_text(text + MORE, "CMakeLists.txt").findings
    fixes = [one.fix for one in findings if one.fix is not None]
    return apply((text + MORE).encode(), fixes).data.decode().removesuffix(MORE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("project(a CXX CUDA)\n", "project(a CXX HIP)\n"),
        ("project(a LANGUAGES CUDA VERSION 1)\n", "project(a LANGUAGES HIP VERSION 1)\n"),
        ("project(a CXX)\nenable_language(CUDA)\n", "project(a CXX)\n{}enable_language(HIP)\n"),
    ],
)
def test_a_default_behind_the_language_moves_before_it(before: str, after: str) -> None:
    expected = after.format(MOVED) if "{}" in after else MOVED + after
    assert converted(before + GUARD) == expected


@pytest.mark.parametrize(
    "text",
    [
        GUARD + "project(a CXX CUDA)\n",
        "project(a CXX CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80)\n",
        "project(CUDA CXX)\n" + GUARD,
        "if(A)\n  enable_language(CUDA)\nendif()\n" + GUARD,
        "project(a CXX CUDA)\n" + GUARD.replace("endif", "else()\n  set(B 1)\nendif"),
    ],
)
def test_others_stay_where_they_are(text: str) -> None:
    made = converted(text)
    assert made.find("CMAKE_HIP_ARCH") >= 0
    order = [made.find(word) for word in ("set(CMAKE_HIP_ARCH", "project(", "enable_language(")]
    was = [text.find(word) for word in ("set(CMAKE_CUDA_ARCH", "project(", "enable_language(")]
    assert sorted(range(3), key=order.__getitem__) == sorted(range(3), key=was.__getitem__)
