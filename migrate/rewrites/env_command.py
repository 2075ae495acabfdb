"""Another command takes the place of one of NVIDIA's with its options; what asks AMD's tools too is left alone."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_BOTH = re.compile(rb"\b(?:rocm-smi|amd-smi|rocminfo|rocm_agent_enumerator)\b")
"""AMD's tools: `rocm-smi`, `amd-smi`, `rocminfo`. A file with one of them chooses between vendors already."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False in a file that knows AMD's tools already."""
    return parsed.once(_asks_nobody_else)


def _asks_nobody_else(parsed: ProjectFile) -> bool:
    return _BOTH.search(parsed.data) is None


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The whole command, unless it is not written as one run of words, as in a JSON array."""
    if not words or parsed.data[use.span.start : use.extent.end].split() != use.name.encode().split():
        return []
    return [Edit(Span(use.span.start, use.extent.end), " ".join(words).encode())]
