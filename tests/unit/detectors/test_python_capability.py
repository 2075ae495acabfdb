"""Compute capabilities that a build gives to the code as a macro."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

SETUP = """\
import torch
from torch.utils.cpp_extension import CUDAExtension
major, minor = torch.cuda.get_device_capability()
arch = major * 10 + minor
other = 3
CUDAExtension("a", ["a.cu"], extra_compile_args={"nvcc": [%s]})
"""


@pytest.mark.parametrize(
    ("option", "found"),
    [
        ('f"-DARCH={arch}"', True),
        ('"-DARCH=" + str(arch)', True),
        ('"-DARCH={}".format(arch)', True),
        ('"-DARCH=%d" % arch', True),
        ('f"-DARCH={torch.cuda.get_device_capability()[0]}"', True),
        ('"-DARCH=80"', False),
        ('f"-DARCH={other}"', False),
        ('"-Darch=1", str(other)', False),
        ('f"--name={arch}"', False),
    ],
)
def test_capability_that_becomes_a_macro_is_reported(option: str, found: bool) -> None:
    rules = {one.rule for one in find_in_text(SETUP % option, "setup.py").findings}
    assert ("python/compute-capability-macro" in rules) is found
