"""What names of a Python text mean, through its imports."""

from __future__ import annotations

import pytest

from cudamigrate.python_source import names, source


def uses(text: str) -> list[tuple[str, str, int]]:
    data = text.encode()
    py = source.read(data, data, "a.py")
    found = [use for use in names.read(py).uses() if use.kind != "import"]
    return [(use.kind, use.name, len(use.args)) for use in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch.cuda\ntorch.cuda.synchronize()", [("call", "torch.cuda.synchronize", 0)]),
        ("import torch as t\nt.version.cuda", [("name", "torch.version.cuda", 0)]),
        ("from torch import cuda as c\nc.device(1)", [("call", "torch.cuda.device", 1)]),
        ("from torch.cuda import device_count\ndevice_count()", [("call", "torch.cuda.device_count", 0)]),
        ("import torch.utils.cpp_extension as e\ne.load('x', a=[])", [("call", "torch.utils.cpp_extension.load", 2)]),
        ("from numba import *\ncuda.jit", [("name", "numba.cuda.jit", 0)]),
        ("import triton.language as tl\nlib = tl.extra.libdevice\nlib.exp(1)", [
            ("name", "triton.language.extra.libdevice", 0), ("call", "triton.language.extra.libdevice.exp", 1)]),
        ("from mine.triton_utils import tl\ntl.inline_asm_elementwise(1)", [
            ("call", "triton.language.inline_asm_elementwise", 1)]),
        ("import torch\nf'{torch.version.cuda}'", [("name", "torch.version.cuda", 0)]),
        ("import torch\ndef f(a=g(torch)):\n    torch.version.cuda", [("name", "torch.version.cuda", 0)]),
        ("import torch\ndef f(a: T[int, torch, x]):\n    torch.version.cuda", [("name", "torch.version.cuda", 0)]),
    ],
)  # fmt: skip
def test_name_is_spelled_in_full(text: str, found: list[tuple[str, str, int]]) -> None:
    assert uses(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "from . import torch\ntorch.version.cuda",
        "from .torch import version\nversion.cuda",
        "import torch\n# torch.version.cuda\n'torch.version.cuda'",
        "import torch\ndef f(torch):\n    return torch.version.cuda",
        "import torch\nmine.torch.version.cuda",
        "def f():\n    import torch\nversion = torch.version.cuda",
        "import os\nos.path.join('a')",
        "from torch.utils.cpp_extension import (  # both\n    CUDAExtension, BuildExtension)",
        "import torch\nf = lambda *torch, n=1: torch.version.cuda",
        "import torch\ndef f(a=1, *, torch: T = None):\n    torch.version.cuda",
    ],
)
def test_name_of_something_else_is_no_use(text: str) -> None:
    assert uses(text) == []


@pytest.mark.parametrize(
    ("path", "names_found"),
    [
        ("a.py", 2),
        ("mine/a.py", 1),
        ("src/mine/b/a.py", 1),
        ("x/mine/a.py", 2),
        ("triton/a.py", 2),
        ("mine/triton/a.py", 1),
    ],
)
def test_names_of_the_package_around_the_file_are_not_reported(path: str, names_found: int) -> None:
    data = b"import triton\nimport mine\ntriton.a.b\nmine.a.b"
    found = [use for use in names.read(source.read(data, data, path)).uses() if use.kind != "import"]
    assert len(found) == names_found


def test_first_of_two_imports_under_one_name_counts() -> None:
    text = "try:\n    from a.x import f\nexcept ImportError:\n    from b.x import f\nf()"
    assert [name for _, name, _ in uses(text)] == ["a.x.f"]


def test_import_is_reported_with_every_package_around_it() -> None:
    data = b"from torch.utils.cpp_extension import load"
    found = names.read(source.read(data, data, "a.py")).imports
    assert [(use.name, data[use.span.start : use.span.end].decode()) for use in found] == [
        ("import torch", "torch.utils.cpp_extension"),
        ("import torch.utils", "torch.utils.cpp_extension"),
        ("import torch.utils.cpp_extension", "torch.utils.cpp_extension"),
        ("import torch.utils.cpp_extension.load", "load"),
    ]


def test_the_innermost_scope_says_what_a_name_means() -> None:
    text = (
        "import torch as t\n"
        "def f():\n    import triton as t\n    def g(t):\n        t.a\n    t.b\n"
        "def h(t):\n    import numba as t\n    t.c\nt.d\n"
    )
    data = text.encode()
    found = names.read(source.read(data, data, "a.py"))
    meant = {place: found.full("t", text.index(f"t.{place}")) for place in "abcd"}
    assert meant == {"a": "", "b": "triton", "c": "numba", "d": "torch"}
