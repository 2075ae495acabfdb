"""`min` and `max` of numbers in host code: CUDA has them for all types, HIP for `int` alone, which it converts to.

That is so of a function for both sides too where the host calls it: the one for `int` is the host's, and taken there.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import extreme_calls, number_types
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.number_types import FLOATING
from cudamigrate.cuda.host_pass import leaves_out
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

WORDS = extreme_calls.NAMES
_USING = re.compile(rb"\busing\s+(?:namespace\s+std\s*;|std\s*::\s*(?:min|max)\b)")
"""What makes the unqualified name that of `std`, which takes two of one type: `using namespace std;`."""
_HELD = ("", "int", "bool", "char", "signed char", "unsigned char", "short", "unsigned short")
"""The types that an `int` holds all of."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such call of two numbers that an `int` does not hold, where nothing makes the name that of `std`."""
    if not parsed.is_for_nvcc:
        return
    is_of_std = _USING.search(parsed.data) is not None
    values = Values.of(parsed)
    for one in extreme_calls.calls(parsed, "host", "both"):
        left, right = (number_types.of(values, node) for node in (one.left, one.right))
        if (is_of_std and left == right) or leaves_out(parsed, one.span.start):
            continue
        if left in FLOATING and right in FLOATING:
            words = {"name": one.name, "type": number_types.common(left, right)}
            yield Hit("math/host-float-min-max", one.use(), words)
        elif left == right and left not in _HELD:
            yield Hit("math/host-min-max", one.use(), {"name": one.name, "type": left})
        elif (kind := extreme_calls.unsigned_of(values, one)) is not None:
            yield Hit("math/host-mixed-min-max", one.use(), {"name": one.name, "type": kind.spelled})
