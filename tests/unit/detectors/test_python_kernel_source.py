"""Kernels with placeholders, and modules for CUDA that a call imports."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


def rules(text: str) -> list[str]:
    """The rules of what is found in a Python file."""
    return [one.rule for one in find_in_text(text, "a.py").findings]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from string import Template\nk = Template('__global__ void k($T *p) { }')\n", True),
        ("import string\nk = string.Template(r'''__device__ $T f() { }''')\n", True),
        ("from string import Template\nk = {'a': Template('__global__ ' 'void k($T *p);')}\n", True),
        ("from string import Template\nk = Template('__kernel void k(__global $T *p) { }')\n", False),
        ("from jinja2 import Template\nk = Template('__global__ void k($T *p) { }')\n", False),
        ("from string import Template\nk = Template(text)\nmore = '__global__ void k($T *p) { }'\n", False),
    ],
)
def test_kernel_with_placeholders_is_reported(text: str, found: bool) -> None:
    assert ("python/kernel-template" in rules(text)) is found


@pytest.mark.parametrize(
    ("operation", "found"),
    [
        ("'{t} d = x - y; z = d * {f:e};'.format(t='float', f=2.0)", ["python/kernel-template"]),
        ("('%s d = x;' ' z = d;') % kind", ["python/kernel-template"]),
        ("make('float')", ["python/kernel-source-computed"]),
        ("'z = ' + name", ["python/kernel-source-computed"]),
        ("'z = x - y;'", []),
    ],
)
def test_a_text_that_is_filled_in_where_it_is_compiled_is_read(operation: str, found: list[str]) -> None:
    said = rules(f"import cupy as cp\nk = cp.ElementwiseKernel('T x, T y', 'T z', {operation}, 'k')\n")
    assert [one for one in said if one.startswith("python/kernel")] == found


def test_what_is_written_of_such_a_text_is_found() -> None:
    body = "{t} d = __shfl_xor_sync(0xffffffff, x, 1);"
    assert any(
        one.startswith("warp/")
        for one in rules(f"import cupy as cp\nk = cp.ElementwiseKernel('T x', 'T z', '{body}'.format(t=1))\n")
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from importlib import import_module\nclass A:\n    d = import_module('pycuda.driver')\n", True),
        ("import importlib\nd = getattr(importlib.import_module(name='pycuda.compiler'), 'SourceModule')\n", True),
        ("d = __import__('pycuda.driver')\n", True),
        ("from mine import import_module\nd = import_module('pycuda.driver')\n", False),
        ("from importlib import import_module\nd = import_module('mine.' + pycuda)\n", False),
        ("from importlib import import_module\nd = import_module(f'pycuda.{part}')\n", False),
    ],
)
def test_module_that_a_call_imports_is_an_import(text: str, found: bool) -> None:
    assert ("python/pycuda" in rules(text)) is found
