"""CUDA_VISIBLE_DEVICES is honoured by HIP; reported where HIP's own variable is set beside it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax.project_file import ProjectFile

_NEAR = 3
_OWN = re.compile(rb"\b(?P<name>HIP|ROCR)_VISIBLE_DEVICES[ \t]*[=:][ \t]*(?P<value>[^\s;&]*)")
"""AMD's own variable being set, in a shell or in YAML: `HIP_VISIBLE_DEVICES=0`, `ROCR_VISIBLE_DEVICES: 0`."""
_VALUE = re.compile(rb"[ \t]*[=:][ \t]*(?P<value>[^\s;&]*)")


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """Whether both are set within a few lines: further away they may be for other machines.

    HIP's own variable with the same value is the same choice once more: HIP reads one of the two.
    """
    data = parsed.data
    start, end = data.rfind(b"\n", 0, use.span.start), data.find(b"\n", use.span.end)
    for _ in range(_NEAR):
        start = data.rfind(b"\n", 0, max(0, start))
        end = data.find(b"\n", end + 1) if end >= 0 else -1
    near = data[max(0, start) : end if end >= 0 else len(data)]
    if use.extent == use.span:
        return False
    given = _VALUE.match(data, use.span.end)
    value = given["value"].strip(b"\"'") if given is not None else None
    return any(one["name"] == b"ROCR" or one["value"].strip(b"\"'") != value for one in _OWN.finditer(near))


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """None: which of the two to keep is the reader's choice."""
    return []
