"""What the emulations share."""

from __future__ import annotations

import shutil

import pytest
from runtime.emulated import EMULATION, compiled


@pytest.fixture(scope="module")
def compiler() -> str:
    """A host C++ compiler."""
    found = shutil.which("g++") or shutil.which("clang++")
    if found is None:
        pytest.skip("there is no host C++ compiler to run the emulation with")
    return found


@pytest.fixture(scope="module")
def wavefront(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The emulated wavefront, compiled once."""
    folder = tmp_path_factory.mktemp("wavefront")
    made = {name: str(folder / f"{name}.o") for name in ("wavefront", "fibers")}
    for name, path in made.items():
        compiled(compiler, ["-Werror", "-c", str(EMULATION / f"{name}.cpp"), "-o", path])
    return list(made.values())
