"""What holds for every test: tests that need a compiler or a GPU are skipped, and say why, where there is none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


def _gpu() -> bool:
    return Path("/dev/kfd").exists() or Path("/dev/nvidia0").exists()


_NEEDS = {
    "rocm": (lambda: shutil.which("hipcc") is not None, "hipcc is not installed"),
    "cuda": (lambda: shutil.which("nvcc") is not None, "nvcc is not installed"),
    "gpu": (_gpu, "this machine has no GPU"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests whose marker names something that this machine lacks."""
    for marker, (present, reason) in _NEEDS.items():
        marked = [item for item in items if item.get_closest_marker(marker)]
        if marked and not present():
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=reason))
