"""Conditionals side by side instead of in one chain: `#ifdef __NVCC__ ... #endif #ifdef __HIP__ ... #endif`.

Who writes one right behind the other means each for its own compiler. Were the one for CUDA compiled for HIP too, it
would come before what is written for HIP, or declare the same a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re

if TYPE_CHECKING:  # which asks this module
    from cudamigrate.cuda.preprocessor import Branch

_BETWEEN = re.compile(
    rb"#[ \t]*endif[^\n]*\n(?:\s|//[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*#[ \t]*if(?:[^\n\\]|\\.|\\\r?\n)*",
    re.DOTALL,
)
"""The end of one conditional and the first line of the next, with comments alone between them."""


def settled(found: Sequence[Branch], data: bytes, asks: Callable[[bytes], bool]) -> list[Branch]:
    """The branches, in order, with those for CUDA right beside one for HIP alone as never compiled for HIP.

    `asks` tells whether a condition asks for CUDA. Branches of longer chains are settled by their own.
    """
    result, lone = list(found), [at for at, one in enumerate(found) if len(one.conditions) == 1]
    for_hip = [found[at] for at in lone if found[at].hip is True]
    for at in lone if for_hip else ():
        one = found[at]
        if one.hip is None and asks(one.conditions[0]):
            pairs = ((one, other) if one.end < other.start else (other, one) for other in for_hip)
            if any(a.depth == b.depth and _BETWEEN.fullmatch(data, a.end, b.start) for a, b in pairs):
                result[at] = replace(one, hip=False)
    return result
