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


BODY = "void run({t} *p) {{\\n  cudaDeviceSynchronize();\\n}}\\n"
WRITES = """\
import os
TEMPLATE = '%s'
def save(out, kind):
    out.write(TEMPLATE.format(t=kind))
def main(folder):
    path = os.path.join(folder, "run_{}.%s".format(1))
    with open(path, "w") as out:
        save(out, "float")
"""


@pytest.mark.parametrize(
    "text",
    [
        WRITES % (BODY, "cu"),
        WRITES % (BODY, "h"),
        f"from pathlib import Path\nPath('a.cu').write_text('{BODY}'.format(t=1))\n",
        f"out = open('a.cu', 'w')\nprint('{BODY}'.format(t=t), file=out)\n",
        f"parts = []\nparts.append('{BODY}'.format(t=t))\nopen('a.cu', 'w').write(''.join(parts))\n",
    ],
)
def test_a_function_that_a_script_writes_to_a_file_of_code_is_converted(text: str) -> None:
    (found,) = find_in_text(text, "a.py").findings
    assert found.rule == "api/cudaDeviceSynchronize" and found.fix is not None and found.fix.safety == "safe"


@pytest.mark.parametrize(
    "text",
    [
        WRITES % (BODY, "log"),
        WRITES % (BODY.replace("cudaDeviceSynchronize()", "cudaDeviceSynchronize"), "cu"),  # no call: a word
        WRITES % (BODY, "cu") + "convert = text.replace('cudaDeviceSynchronize', 'hipDeviceSynchronize')\n",
        f"USAGE = '{BODY}'\nprint(USAGE)\nopen('a.cu', 'w').write(made())\n",
        f"def run():\n    '{BODY}'\n    open('a.cu', 'w').write(made())\n",
        f"text = open('a.cu').read()\nopen('a.txt', 'w').write('{BODY}' + text[0])\n",
    ],
)
def test_what_is_written_elsewhere_is_no_code(text: str) -> None:
    assert rules(text) == []


def test_what_stays_in_a_written_text_keeps_nothing_else() -> None:
    body = BODY.replace("cudaDevice", "cutlass::Gemm<int> g; cudaDevice")
    found = find_in_text(WRITES % (body, "cu"), "a.py").findings
    assert [one.fix is not None for one in found if one.rule == "api/cudaDeviceSynchronize"] == [True]


def test_no_header_is_put_into_a_part_of_a_file() -> None:
    kernel = "__global__ void k(int *p) {{ assert(p[0]); cudaDeviceSynchronize(); }}"
    edits = [
        edit for one in find_in_text(WRITES % (kernel, "cu"), "a.py").findings if one.fix for edit in one.fix.edits
    ]
    assert edits and not any(b"#include" in edit.replacement for edit in edits)


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (f"    SOURCE = '{KERNEL}'\n    def __init__(self):\n        self.k = cupy.RawKernel(self.SOURCE, 'k')", True),
        (
            f"    SOURCE: str = '{KERNEL}'\n    def __init__(self):\n        self.k = cupy.RawKernel(A.SOURCE, 'k')",
            True,
        ),
        (f"    SOURCE = '{KERNEL}'\n    def __init__(self, o):\n        self.k = cupy.RawKernel(o.SOURCE, 'k')", False),
        (f"    OTHER = '{KERNEL}'\n    def __init__(self):\n        self.k = cupy.RawKernel(self.SOURCE, 'k')", False),
        (
            f"    SOURCE = '{KERNEL}'\n    def __init__(self):\n        self.SOURCE = made()\n"
            "        self.k = cupy.RawKernel(self.SOURCE, 'k')",
            False,
        ),
    ],
)
def test_a_source_that_is_an_attribute_of_a_class(body: str, read: bool) -> None:
    found = rules(f"import cupy\nclass A:\n{body}\n")
    assert ("python/kernel-source-computed" not in found) is read
