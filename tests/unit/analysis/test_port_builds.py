"""What a program that builds with PyTorch shows of a port."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import port_builds
from cudamigrate.model import SourceFile

BUILD = "import torch\nfrom torch.utils.cpp_extension import ROCM_HOME, CUDAExtension\n{}\nmacros = []\nif {}:\n"
SETS = "    macros += [('OWN_HIP', None)]\nsetup(ext_modules=[CUDAExtension('x', ['a.cu'])])\n"


@pytest.mark.parametrize(
    ("before", "condition", "for_hip"),
    [
        ("", "torch.version.hip", True),
        ("rocm = torch.version.hip is not None", "rocm", True),
        ("rocm = True if torch.version.hip is not None and ROCM_HOME is not None else False", "rocm", True),
        ("def rocm():\n    return torch.version.hip is not None", "rocm()", True),
        ("rocm = torch.version.hip", "rocm and wanted", True),
        ("rocm = torch.version.hip", "rocm or torch.cuda.is_available()", False),
        ("rocm = torch.version.hip", "not rocm", False),
        ("rocm = torch.version.hip is None", "rocm", False),
        ("rocm = False if torch.version.hip else True", "rocm", False),
        ("def rocm():\n    if wanted:\n        return True\n    return torch.version.hip", "rocm()", False),
        ("rocm = os.environ['ROCM']", "rocm", False),
    ],
)
def test_macros_of_a_build_that_asks_pytorch_for_rocm(before: str, condition: str, for_hip: bool) -> None:
    text = BUILD.format(before, condition) + SETS
    found = port_builds.of(SourceFile("setup.py", text.encode(), "python"))
    assert found is not None
    assert [one.name for one in found.macros if one.hip] == (["OWN_HIP"] if for_hip else [])
