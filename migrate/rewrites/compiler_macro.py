"""Let a test for an nvcc macro hold under HIP too: `defined(__CUDACC__)` also asks for `__HIPCC__`.

`__CUDA_ARCH__` asks for the device pass, which HIP marks with `__HIP_DEVICE_COMPILE__`.
"""

from __future__ import annotations

from collections.abc import Sequence

from migrate.model import Edit, Use
from migrate.parsed import ParsedFile

_TWINS = {"__CUDACC__": b"__HIPCC__", "__NVCC__": b"__HIPCC__", "__CUDA_ARCH__": b"__HIP_DEVICE_COMPILE__"}


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Widen the test in place; `#ifdef` and `#ifndef` become `#if` so that they can ask for two macros."""
    name, twin = use.name.encode(), _TWINS[use.name]
    test = b"defined(" + name + b") || defined(" + twin + b")"
    text = parsed.data[use.extent.start : use.extent.end]
    if not text.startswith(b"#"):
        return [Edit(use.extent, b"(" + test + b")")]
    head = text[: text.index(name)]
    keyword = head.lstrip(b"# \t").split()[0]
    changed = {b"ifdef": b"if ", b"ifndef": b"if !", b"elifdef": b"elif ", b"elifndef": b"elif !"}[keyword]
    negated = changed.endswith(b"!")
    new = head[: head.index(keyword)] + changed + (b"(" + test + b")" if negated else test)
    return [Edit(use.extent, new)]
