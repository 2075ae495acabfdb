"""Kernels in Python strings of which it is not seen what compiles them: read, filled in, or in parts."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


def rules(text: str) -> list[str]:
    """The rules of what is found in a Python file."""
    return [one.rule for one in find_in_text(text, "a.py").findings]


KERNEL = "__global__ void k(float *p) { p[0] = __ldcv(p + 1); cudaDeviceSynchronize(); }"
FORMAT = KERNEL.replace("{", "{{").replace("}", "}}").replace("float", "{t}")
BRACED = KERNEL.replace("float", "${T}")


@pytest.mark.parametrize(
    ("text", "read", "told"),
    [
        (f"run('{KERNEL}')", True, ""),
        (f"code = ''\ncode += '{KERNEL}'", True, ""),
        (f"run('{FORMAT}'.format(t=t))", True, "template"),
        (f"code = '{FORMAT}'\nrun(code.format(t=t))", True, "template"),
        (f"run('{KERNEL.replace('float', '%s')}' % t)", True, "template"),
        (f"run(f'{FORMAT}')", True, "template"),
        (f"from string import Template\nrun(Template('{KERNEL.replace('float', '$T')}'))", True, "template"),
        (f"from string import Template\ncode = '{BRACED}'\nrun(Template(code))", True, "template"),
        (f"code = '{KERNEL[:-1]}'\ncode += more", False, "parts"),
        (f"def k():\n    '{KERNEL}'\n", False, ""),
        ("run('__global__ void k(float *p);')", False, ""),
        (f"# {KERNEL}\nx = '__global__ void'", False, ""),
    ],
)  # fmt: skip
def test_a_text_with_kernels_is_read_where_it_has_them_whole(text: str, read: bool, told: str) -> None:
    found = rules(text)
    assert ("api/cudaDeviceSynchronize" in found) is read
    assert [one for one in found if one.startswith("python/kernel-")] == ([f"python/kernel-{told}"] if told else [])


def test_what_may_be_data_is_changed_on_request_alone() -> None:
    found = find_in_text(f"run('{KERNEL}')", "a.py").findings
    fixes = [one.fix for one in found if one.rule == "api/cudaDeviceSynchronize"]
    assert fixes and all(one is None or one.safety == "unsafe" for one in fixes)


def test_a_text_that_a_known_call_compiles_is_read_once() -> None:
    found = rules(f"import cupy\nk = cupy.RawKernel('{KERNEL}', 'k')\n")
    assert found.count("api/cudaDeviceSynchronize") == 1


def test_a_text_that_a_known_call_gets_filled_in_is_reported_once() -> None:
    found = rules(f"import cupy\nk = cupy.RawKernel(f'{FORMAT}', 'k')\nl = cupy.RawKernel(made(), 'l')\n")
    assert [one for one in found if one.startswith("python/kernel-")] == [
        "python/kernel-template",
        "python/kernel-source-computed",
    ]
