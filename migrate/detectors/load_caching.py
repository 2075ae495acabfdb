"""Options for NVIDIA's assembler that keep plain loads out of the L1 cache: without them, loads may be stale."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile

_ASSEMBLING = ("-Xptxas", "--ptxas-options", "-po")
_PAST_L1 = re.compile(r"(?:-dlcm|--def-load-cache)[=\s](?P<how>c[gv])\b")
"""Loads that are cached in L2 alone, or nowhere. Source: NVIDIA, "CUDA Compiler Driver NVCC", ptxas options."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each such option, with what it passes on."""
    for use in parsed.uses:
        if use.kind != "option" or use.name.partition("=")[0].partition(" ")[0] not in _ASSEMBLING:
            continue
        found = _PAST_L1.search(compiler_options.value(use, parsed.data))
        if found is not None:
            said = Use("name", f"-dlcm={found['how']}", use.span, use.span, certainty="syntax")
            yield Hit("build/load-caching", said, {"how": found["how"]})
