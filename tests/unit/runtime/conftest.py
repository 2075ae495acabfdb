"""What the emulations share."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture(scope="module")
def compiler() -> str:
    """A host C++ compiler."""
    found = shutil.which("g++") or shutil.which("clang++")
    if found is None:
        pytest.skip("there is no host C++ compiler to run the emulation with")
    return found
