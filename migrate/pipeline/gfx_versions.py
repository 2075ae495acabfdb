"""What a comparison of a GPU's `major` and `minor` yields on AMD, where they are the GFX version.

A port that compiles has such tests for CUDA. One that is answered alike on every GPU of AMD, as an old GPU of NVIDIA's
is asked for or a particular one, leaves AMD on the way that all newer GPUs take: nothing is missing there.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import Finding

RULE = "memory/device-major"
_LOWEST = 9
"""The lowest major GFX version of current GPUs: gfx900 to gfx950. Source: LLVM's user guide for the AMDGPU target."""
_FEATURES = 7
"""From this compute capability on, GPUs of NVIDIA's have tensor cores and what AMD's have in other forms or not."""
_TEST = re.compile(r"(?:\.|->)(major|minor)\s*(<=|>=|[!=]=|<|>)\s*(\d+)$")
_JOINED = re.compile(r"(?:\.|->)major\s*==\s*(\d+)\s*&&[^|?;]*(?:\.|->)minor")
"""A version that is asked for as a whole: `p.major == 5 && p.minor >= 3`."""


def is_settled(finding: Finding) -> bool:
    """Whether every GPU of AMD answers a test alike, and the answer takes it on no way that is NVIDIA's alone."""
    text = finding.message.partition("`")[2].partition("`")[0]
    match = _TEST.search(text) if finding.rule == RULE else None
    if match is None:
        return False
    if match[1] == "minor":
        whole = _JOINED.search(finding.excerpt)
        return whole is not None and int(whole[1]) < _LOWEST
    number = int(match[3])
    if match[2] in ("==", "!="):
        return number < _LOWEST
    if match[2] in (">=", ">"):
        return number + (match[2] == ">") < _FEATURES
    return number + (match[2] == "<=") <= _FEATURES
