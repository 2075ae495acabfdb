"""The address of an index of PyTorch's CUDA wheels becomes that of its ROCm wheels."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.environment.torch_wheels import index
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_INDEX = re.compile(r"[^/]+/whl/(?:test/)?(cu\d+)")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The last part of the address, where an index for ROCm has the torch that the file asks for."""
    match = _INDEX.fullmatch(use.name)
    new = index(parsed, use.span.start)
    if match is None or not new:
        return []
    start = use.span.start + match.start(1)
    return [Edit(Span(start, start + len(match[1])), new.encode())]
