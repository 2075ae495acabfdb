"""`torch==2.12.0+cu130` becomes `torch==2.12.0+rocm7.2`; a torch of no kind is reported once in a file."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import FAMILY, index, requirements
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.rulebase.rocm_releases import has_torch, torch_clauses
from cudamigrate.syntax.project_file import ProjectFile

_INDEX = re.compile(rb"/whl/(?:nightly/|test/)?(?:cu\d|rocm|cpu|xpu)|\+rocm\d|pytorch-rocm")
"""A file says which build it wants: `/whl/cu128`, `/whl/nightly/rocm7.2`, `+rocm7.2`, `pytorch-rocm`."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """A wheel for CUDA by its name, or the first of its family in a file that says nothing of where it comes from."""
    found = requirements(parsed)
    item = found.get(use.span.start)
    if item is None:
        return True
    text = parsed.data[item.local.start : item.local.end]
    if text:
        return text.startswith(b"+cu")
    first = min((at for at, other in found.items() if other.name in FAMILY and not other.local.end), default=-1)
    return use.span.start == first and _INDEX.search(parsed.data) is None


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The local part of the version, where an index for ROCm has that version."""
    item = requirements(parsed).get(use.span.start)
    if item is None or not item.local.end or not item.pin:
        return []
    new = index(parsed, use.span.start)
    if not new or not has_torch(new.removeprefix("rocm"), torch_clauses(item.name, item.clauses)):
        return []
    return [Edit(item.local, b"+" + new.encode())]
