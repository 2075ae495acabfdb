"""Conditionals side by side instead of in one chain: `#ifdef __NVCC__ ... #endif #ifdef __HIP__ ... #endif`.

Who writes one right behind the other means each for its own compiler. Were the one for CUDA compiled for HIP too, it
would come before what is written for HIP, or declare the same a second time.
"""

from __future__ import annotations

from bisect import bisect_right
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
    result, starts = list(found), [one.start for one in found]
    for at, one in enumerate(found):
        behind = bisect_right(
            starts, one.end
        )  # nothing but the end of the one and the line that opens the other between
        if behind == len(found) or one.depth != found[behind].depth:
            continue
        pair = (one, found[behind])
        if any(len(each.conditions) != 1 for each in pair) or not _BETWEEN.fullmatch(data, one.end, pair[1].start):
            continue
        for place, mine, other in ((at, *pair), (behind, *pair[::-1])):
            if mine.hip is None and other.hip is True and asks(mine.conditions[0]):
                result[place] = replace(mine, hip=False)
    return result
