"""CUB in a namespace that the project puts around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

PREFIX = """#pragma once
#define CUB_NS_PREFIX namespace mine {
#define CUB_NS_POSTFIX }
#define CUB_NS_QUALIFIER ::mine::cub
#include <cub/cub.cuh>
"""
USE = """#include "own_cub.cuh"
mine::cub::CachingDeviceAllocator pool(true);
void f(size_t &n, int *a, int *b) { ::mine::cub::DeviceReduce::Sum(nullptr, n, a, b, 3); }
"""


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    written(root, files)
    return {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}


@pytest.mark.parametrize("head", [PREFIX, "#define CUB_WRAPPED_NAMESPACE mine\n#include <cub/cub.cuh>\n"])
def test_uses_in_another_file(tmp_path: Path, head: str) -> None:
    made = converted(tmp_path, {"own_cub.cuh": head, "a.cu": USE})["a.cu"]
    assert "\nhipcub::CachingDeviceAllocator pool(true);" in made
    assert "{ hipcub::DeviceReduce::Sum(" in made


def test_two_namespaces_around_it(tmp_path: Path) -> None:
    head = PREFIX.replace("namespace mine {", "namespace a { namespace mine {").replace("::mine", "::a::mine")
    text = USE.replace("mine::cub", "a::mine::cub")
    assert "mine" not in converted(tmp_path, {"own_cub.cuh": head, "a.cu": text})["a.cu"]


@pytest.mark.parametrize(
    ("head", "more"),
    [
        ("#include <cub/cub.cuh>\n", ""),
        (PREFIX, "namespace mine { namespace cub { int own; } }\n"),
        (PREFIX.replace("mine", "other"), ""),
    ],
    ids=["no macro", "own namespace", "another"],
)
def test_other_namespaces_stay(tmp_path: Path, head: str, more: str) -> None:
    written(tmp_path, {"own_cub.cuh": head, "a.cu": USE + more})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert not [one for one in report.findings if one.rule == "library/cub-wrapped-namespace"]


PLAIN = "#include <cub/cub.cuh>\n"


@pytest.mark.parametrize(
    ("path", "build"),
    [
        ("setup.py", 'args = ["-O3", "-DCUB_NS_PREFIX=namespace mine {", "-DCUB_NS_POSTFIX=}"]\n'),
        ("setup.py", 'macros = [("CUB_WRAPPED_NAMESPACE", "mine")]\n'),
        ("CMakeLists.txt", "add_compile_definitions(THRUST_CUB_WRAPPED_NAMESPACE=mine)\n"),
        ("CMakeLists.txt", 'target_compile_definitions(a PRIVATE "CUB_NS_PREFIX=namespace mine {")\n'),
        ("Makefile", "NVCCFLAGS += -DCUB_NS_PREFIX='namespace mine {' -DCUB_NS_POSTFIX='}'\n"),
        ("Makefile", "NVCCFLAGS += -DCUB_NS_PREFIX=namespace\\ mine\\ { -DCUB_NS_POSTFIX=}\n"),
    ],
)
def test_a_build_that_gives_the_macro(tmp_path: Path, path: str, build: str) -> None:
    made = converted(tmp_path, {"own_cub.cuh": PLAIN, "a.cu": USE, path: build})["a.cu"]
    assert "mine::" not in made
    assert "hipcub::CachingDeviceAllocator pool(true);" in made


@pytest.mark.parametrize(
    ("path", "build"),
    [
        ("setup.py", 'args = ["-O3"]  # CUB_WRAPPED_NAMESPACE\n'),
        ("setup.py", '# args = ["-DCUB_NS_PREFIX=namespace mine {"]\n'),
        ("CMakeLists.txt", "add_compile_definitions(CUB_WRAPPED_NAMESPACE=other)\n"),
        ("CMakeLists.txt", "add_compile_definitions(MY_CUB_WRAPPED_NAMESPACE=mine)\n"),
        ("README.md", "Build with -DCUB_WRAPPED_NAMESPACE=mine.\n"),
    ],
)
def test_a_build_that_does_not(tmp_path: Path, path: str, build: str) -> None:
    written(tmp_path, {"own_cub.cuh": PLAIN, "a.cu": USE, path: build})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert not [one for one in report.findings if one.rule == "library/cub-wrapped-namespace"]
