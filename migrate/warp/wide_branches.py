"""Lane calls in branches that are compiled for waves of 64 lanes alone: code that knows both sizes of the wave.

CUDA never compiles `#if WS == 64`, whatever `WS` is called and wherever it is defined: what is in it is a step that
only a wave of 64 lanes takes. Groups of 32 lanes are not what the function around works with there.
"""

from __future__ import annotations

from collections.abc import Set

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_WIDE = re.compile(rb"(?<![\w.])(?P<name>[A-Za-z_]\w*)\)?\s*(?:==\s*64|>=\s*64|>\s*(?:32|63))(?!\w)")
"""A condition that a constant is 64, or more than 32."""


def obstacle(parsed: ParsedFile, span: Span, calls: Set[str]) -> str:
    """Why a function or macro with such a branch is not converted, empty where it has none; `calls` are lane calls."""
    for branch in parsed.branches:
        if not (span.start <= branch.start and branch.end <= span.end and branch.conditions):
            continue
        asked = _WIDE.search(branch.conditions[-1])
        inside = (one for one in parsed.uses if branch.start <= one.span.start < branch.end)
        if asked is not None and any(one.name in calls for one in inside):
            condition = " ".join(asked[0].decode("utf-8", "replace").replace(")", " ").split())
            return f"it has steps for waves of 64 lanes, behind `{condition}`, so it knows both sizes"
    return ""
