"""Addresses of wheels that were built for CUDA, as their names say."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit
from cudamigrate.syntax.project_file import ProjectFile

RULE = "packages/wheel-address"
_WHEEL = re.compile(r"/[^/]*(?:\+|%2B|[-_.])cu(?:da)?1\d{1,2}[^/]*\.whl(?:#.*)?", re.I)
"""A wheel's address that names CUDA: `/torch-2.1+cu121-x.whl`; `%2B` is an escaped `+`, and `#` begins its checksum."""
_INDEX = re.compile(r"[^/]+/whl/(?:test/|nightly/)?cu\d")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Wheels whose file names hold a release of CUDA; those of PyTorch's own index have a rule of their own."""
    for use in parsed.uses:
        if use.kind == "name" and _WHEEL.search(use.name) and not _INDEX.match(use.name):
            yield Hit(RULE, use)
