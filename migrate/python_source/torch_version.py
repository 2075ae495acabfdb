"""What Python makes of `torch.version.cuda` as a string, which is None with PyTorch for ROCm."""

from __future__ import annotations

from cudamigrate.lazy_re import re

PARSED = re.compile(
    rb"version\s*\.\s*cuda\s*(?:\.\s*\w|\[)|\b(?:\w*Version|parse|int|float)\(\s*(?:\w+\s*\.\s*)*version\s*\.\s*cuda\s*\)"
)
"""The version taken apart: `torch.version.cuda.split(`, `torch.version.cuda[:2]`, `Version(torch.version.cuda)`."""
