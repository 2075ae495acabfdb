"""Whether code asks for the release of a library before it uses a name that not all releases have.

`#if THRUST_VERSION < 200600` around `thrust::not1`, and `thrust::not_fn` in its `#else`: rocThrust defines that macro
too, so each release compiles the branch whose names it has.
"""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Rule, Use

_VERSION = b"THRUST_VERSION"
_COMPARED = re.compile(rb"\bTHRUST_VERSION\s*(?:<|<=|>|>=)\s*(?:(\d+)|[A-Za-z_]\w*)")
"""A comparison of the release with a number, or with a macro that has one."""
_CLEARED = 300_000
"""The release of Thrust, 3.0, without the names that were removed. Source: CCCL's migration guide from 2.x to 3.0."""


def chosen(parsed: ParsedFile, use: Use, rule: Rule) -> bool:
    """Whether a name that some releases of Thrust lack is in a branch that the release decides on.

    A comparison with a release after that of the change decides nothing.
    """
    if rule.outcome != "compile-error" or not use.name.startswith("thrust::") or not parsed.lexed.holds(_VERSION):
        return False
    start = use.span.start
    asked = (text for one in parsed.branches if one.start <= start < one.end for text in one.conditions)
    found = [match for text in asked for match in _COMPARED.finditer(text)]
    return any(match[1] is None or int(match[1]) <= _CLEARED for match in found)
