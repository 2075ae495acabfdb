"""Libraries of CUDA that Python loads with ctypes, followed to the functions that are looked up in them."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

LOADED, FUNCTION = "python/cuda-library-loaded", "python/cuda-library-function"
PROPERTIES = "python/ctypes-device-properties"
HEAD = "import ctypes\nfrom ctypes.util import find_library\n"


def rules(text: str) -> list[tuple[str, int]]:
    found = find_in_text(HEAD + text, path="a.py").findings
    return [(one.rule, one.position.line - 2) for one in found if one.rule in (LOADED, FUNCTION, PROPERTIES)]


@pytest.mark.parametrize(
    "text",
    [
        'lib = ctypes.CDLL("libcudart.so")\nlib.cudaFree(0)',
        'name = "libcudart.so.12"\nctypes.cdll.LoadLibrary(name).cudaFree(0)',
        'def load(name="x"):\n    return ctypes.CDLL(find_library(name))\nlib = load("cudart")\nlib.cudaFree(0)',
        "class A:\n    def __init__(self):\n"
        '        self.lib = ctypes.CDLL(find_library("cudart") or "cudart64_12.dll")\n'
        "    def free(self):\n        self.lib.cudaFree(0)",
        'lib = ctypes.CDLL("/usr/lib/libcudart-1a2b3c4d.so.12")\nfree = getattr(lib, "cudaFree")',
    ],
)
def test_a_library_is_followed_to_what_is_called(text: str) -> None:
    assert FUNCTION in [rule for rule, _ in rules(text)]


@pytest.mark.parametrize(
    "text",
    [
        'lib = ctypes.CDLL("libours.so")\nlib.cudaFree(0)',
        'lib = open("libcudart.so")\nlib.cudaFree(0)',
        'lib = "libcudart.so"\nlib.cudaFree(0)',
        'def load(hip):\n    return ctypes.CDLL("libamdhip64.so" if hip else "libcudart.so")\nload(1).cudaFree(0)',
        'def load(name):\n    return ctypes.CDLL(name)\nload("libours.so").cudaFree(0)',
        'class A:\n    def cudaFree(self): pass\nlib = ctypes.CDLL("libcudart.so")\nA().cudaFree()',
        'lib = ctypes.CDLL("libcudart.so")\nlib.restype = None',
        "lib = lib2 = 1\n" + "lib = lib if lib else lib\n" * 50 + "lib.cudaFree(0)",
    ],
)
def test_other_libraries_are_not(text: str) -> None:
    assert FUNCTION not in [rule for rule, _ in rules(text)]


def test_each_function_is_reported_once() -> None:
    assert rules('lib = ctypes.CDLL("libcudart.so")\nlib.cudaFree(0)\nlib.cudaFree(0)') == [(LOADED, 1), (FUNCTION, 2)]


def test_a_library_by_a_part_of_its_name_is_reported_where_it_is_said() -> None:
    assert rules('def load(name):\n    return ctypes.CDLL(find_library(name))\nload("cublas")\nload("m")') == [
        (LOADED, 3)
    ]


STRUCT = (
    'class P(ctypes.Structure):\n    _fields_ = [("name", ctypes.c_char * 256)]\nlib = ctypes.CDLL("libcudart.so")\n'
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("p = P()\nlib.cudaGetDeviceProperties(ctypes.byref(p), 0)", [2]),
        ("p = P()\nask = lib.cudaGetDeviceProperties_v2\nask(ctypes.pointer(p), 0)", [2]),
        ("p = P()\nlib.cudaMemcpy(ctypes.byref(p), 0, 8, 2)", []),
        ("p = (ctypes.c_char * 4096)()\nlib.cudaGetDeviceProperties(ctypes.byref(p), 0)", []),
    ],
)
def test_a_structure_for_the_properties_of_a_device(text: str, told: list[int]) -> None:
    assert [line for rule, line in rules(STRUCT + text) if rule == PROPERTIES] == told
