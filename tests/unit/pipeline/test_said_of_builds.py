"""What a CMake file is read with is part of what its kept result is found by: each fact that other files give."""

from __future__ import annotations

import pytest

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.cmake_facts import CMakeFacts, OptionFunction
from cudamigrate.pipeline import inspect_tree

NAMES = tuple(CMakeFacts.__annotations__)
GIVES = OptionFunction(nvcc=True, declared=1)
OTHER = {"held": {"A": {"b"}}, "given": {"f": {"A": {"b"}}}, "left": "x/CMakeLists.txt", "options": {"f": GIVES}}
SETS = ("wrappers", "packages", "folders", "toolkits", "compilers", "nvccs")


@pytest.mark.parametrize("name", NAMES)
def test_another_fact_is_another_result(name: str) -> None:
    value = OTHER.get(name, frozenset(("a",)) if name in SETS else True)
    made = replace(CMakeFacts(), **{name: value})
    assert list(inspect_tree._said(made)) != list(inspect_tree._said(CMakeFacts()))
