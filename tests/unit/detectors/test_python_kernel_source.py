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
