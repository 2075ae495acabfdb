"""What tests on the emulated GPU share."""

from __future__ import annotations

import pytest
from runtime.emulated import objects

from cudamigrate.emulation import build


@pytest.fixture(scope="module")
def compiler() -> str:
    """A host C++ compiler."""
    found = build.compiler()
    if found is None:
        pytest.skip("there is no host C++ compiler to run the emulation with")
    return found.program


@pytest.fixture(scope="module")
def wavefront(compiler: str) -> list[str]:
    """The emulated GPU."""
    return objects()
