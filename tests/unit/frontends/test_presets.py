"""CMakePresets.json: what CMake and its environment are given."""

from __future__ import annotations

import json

import pytest

from cudamigrate.frontends import presets
from cudamigrate.model import SourceFile


def uses(*given: object) -> list[str]:
    text = json.dumps({"version": 3, "configurePresets": given}, indent=1)
    source = SourceFile("CMakePresets.json", text.encode(), "presets")
    found = presets.parse(source).uses
    assert all(source.text(use.span) in use.name for use in found)
    return [use.name for use in found]


def test_variables_of_cmake_and_of_its_environment() -> None:
    variables = {
        "CMAKE_CUDA_FLAGS": "-lineinfo",
        "CMAKE_CUDA_ARCHITECTURES": {"type": "STRING", "value": "80"},
        "A": "1",
    }
    found = uses({"name": "a", "cacheVariables": variables}, {"name": "b", "environment": {"CUDACXX": "nvcc"}})
    assert found[:2] == ["-DCMAKE_CUDA_FLAGS", "-DCMAKE_CUDA_ARCHITECTURES"]
    assert "CUDACXX" in found[2]


@pytest.mark.parametrize(
    "preset",
    [
        {"cacheVariables": {"WITH_CUDA": "OFF"}},
        {"cacheVariables": {"WITH_CUDA": {"type": "BOOL", "value": False}}},
        {"cacheVariables": {"WITH_CUDA": False}},
        {"vendor": {"CMAKE_CUDA_ARCHITECTURES": "80"}},
        {"cacheVariables": {}},
    ],
)
def test_what_is_switched_off_or_elsewhere_is_no_use(preset: dict[str, object]) -> None:
    assert uses(preset) == []


@pytest.mark.parametrize("text", [b"", b"{", b'{"cacheVariables": {"CUDA": }}', b"[1, 2", b'{"environment": []}'])
def test_broken_files_are_borne(text: bytes) -> None:
    source = SourceFile("CMakePresets.json", text, "presets")
    assert presets.parse(source).source is source
    assert presets.broken(text) >= 0


@pytest.mark.parametrize(
    ("variables", "kept"),
    [
        ({"LIB_HIP": "ON"}, True),
        ({"USE_ROCM": {"type": "BOOL", "value": True}}, True),
        ({"CMAKE_HIP_ARCHITECTURES": "gfx942"}, True),
        ({"LIB_HIP": "OFF"}, False),
        ({"SHIP_DOCS": "ON"}, False),
        ({"LIB_HIP_TUNE": "fast"}, False),
    ],
)
def test_a_preset_for_hip_beside_those_for_cuda_is_the_other_choice(variables: object, kept: bool) -> None:
    of_cuda = {"name": "a", "cacheVariables": {"CMAKE_CUDA_ARCHITECTURES": "80"}}
    found = uses(of_cuda, {"name": "b", "cacheVariables": variables})
    assert found == ([] if kept else ["-DCMAKE_CUDA_ARCHITECTURES"])
