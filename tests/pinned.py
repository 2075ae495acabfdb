"""The target and style that goldens are made for: a new release of ROCm must not change them."""

from __future__ import annotations

from typing import Any

from cudamigrate.config import Config

ROCM = "10.1"


def config(**settings: Any) -> Config:
    """The configuration of a golden: the pinned release unless another is asked for."""
    return Config(**{"rocm": ROCM, "style": "hip", **settings})
