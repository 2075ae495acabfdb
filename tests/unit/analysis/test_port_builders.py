"""Classes in Python that have PyTorch build extensions: which of the sources that they name ROCm's build compiles."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import port_builders, port_builds
from cudamigrate.model import SourceFile

BASE = """
import torch
from torch.utils.cpp_extension import CUDAExtension as Made, load

class Builder:
    _rocm = None

    def is_amd(self):
        rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
        Builder.rocm = rocm
        return Builder.rocm

    def clean(self, items):
        return [one for one in items if one]

    def build(self):
        return Made(name="x", sources=self.clean(self.files()))
"""
OWN = """
from .base import Builder

class Own(Builder):
    def files(self):
        return ["csrc/a.cu", "csrc/b.cpp"]

    def libraries(self):
        return [] if self.is_amd() else ["curand"]
"""
PATHS = frozenset(("csrc/a.cu", "csrc/b.cpp", "csrc/c.cu", "other/c.cu"))


def compiled(*texts: str) -> list[str]:
    """The sources that the classes of some files have built for ROCm."""
    sources = [SourceFile(f"build/{at}.py", text.encode(), "python") for at, text in enumerate(texts)]
    found = [one for source in sources if (one := port_builds.of(source)) is not None]
    return sorted(port_builders.compiled(found, PATHS))


def test_sources_of_a_class_that_another_file_builds() -> None:
    assert compiled(BASE, OWN.replace("curand", "cuda_rand")) == ["csrc/a.cu", "csrc/b.cpp"]


@pytest.mark.parametrize(
    ("imported", "call", "is_built"),
    [
        ("import torch.utils.cpp_extension as ext", "ext.load", True),
        ("import torch.utils.cpp_extension as ext", "ext.CUDAExtension", True),
        ("from torch.utils.cpp_extension import *", "load", True),
        ("import torch.utils.cpp_extension as ext\nimport json", "json.load", False),
    ],
)
def test_pytorch_builds_what_its_own_functions_get(imported: str, call: str, is_built: bool) -> None:
    base = BASE.replace("from torch.utils.cpp_extension import CUDAExtension as Made, load", imported)
    assert bool(compiled(base.replace("Made(", f"{call}("), OWN)) == is_built


@pytest.mark.parametrize(
    "own",
    [
        OWN.replace("def files", "def others"),
        OWN.replace("Own(Builder)", "Own(Thing)"),
        OWN.replace("self.is_amd()", "self.is_big()"),
        OWN.replace("return [] if self.is_amd() else [", "return ["),
        OWN + "\n    def fits(self):\n        if self.is_amd():\n            return False\n        return True\n",
        OWN.replace("csrc/a.cu", "c.cu").replace("csrc/b.cpp", "d.cpp"),
        OWN.replace('return ["csrc/a.cu"', 'if not self.is_amd():\n            return ["csrc/a.cu"'),
    ],
)
def test_what_shows_nothing(own: str) -> None:
    assert compiled(BASE, own) == []


def test_a_question_chooses_nothing_that_is_built() -> None:
    asks = (
        OWN.partition("    def libraries")[0]
        + "    def fits(self):\n        if not self.is_amd():\n            f()\n        return True\n"
    )
    assert compiled(BASE, asks) == []


def test_a_base_that_builds_nothing() -> None:
    assert compiled(BASE.replace("Made(name", "dict(name"), OWN) == []
    assert compiled(BASE.replace("torch.version.hip", "torch.version.cuda").replace('"hip"', '"cuda"'), OWN) == []


def test_a_list_in_a_variable_is_built_at_first_use() -> None:
    base = BASE.replace(
        'return Made(name="x", sources=self.clean(self.files()))',
        'listed = [one for one in self.files()]\n        return load(name="x", sources=self.clean(listed))',
    )
    assert compiled(base, OWN) == ["csrc/a.cu", "csrc/b.cpp"]
