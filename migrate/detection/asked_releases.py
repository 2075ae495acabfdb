"""Whether code asks for a release so that each answer is right: before a name that not all have, or for CUDA's.

`#if THRUST_VERSION < 200600` around `thrust::not1`, and `thrust::not_fn` in its `#else`: rocThrust defines that macro
too, so each release compiles the branch whose names it has. `#if CUDA_VERSION == 9000`: HIP, which reads 0, takes the
branch of CUDA's newest release.
"""

from __future__ import annotations

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.conditions import at_version
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Rule, Use

_VERSION = b"THRUST_VERSION"
_COMPARED = re.compile(rb"\bTHRUST_VERSION\s*(?:<|<=|>|>=)\s*(?:(\d+)|[A-Za-z_]\w*)")
"""A comparison of the release with a number, or with a macro that has one."""
_CLEARED = 300_000
"""The release of Thrust, 3.0, without the names that were removed. Source: CCCL's migration guide from 2.x to 3.0."""


_OF_CUDA = (b"CUDA_VERSION", b"CUDART_VERSION")


def chosen(parsed: ParsedFile, use: Use, rule: Rule) -> bool:
    """Whether a name that some releases of Thrust lack is in a branch that the release decides on.

    A name of CUDA's release is so where HIP takes the branch of CUDA's newest. A comparison with a release after that
    of the change decides nothing.
    """
    if use.name.encode() in _OF_CUDA:
        return _is_same(parsed, use)
    if rule.outcome != "compile-error" or not use.name.startswith("thrust::") or not parsed.lexed.holds(_VERSION):
        return False
    start = use.span.start
    asked = (text for one in parsed.branches if one.start <= start < one.end for text in one.conditions)
    found = [match for text in asked for match in _COMPARED.finditer(text)]
    return any(match[1] is None or int(match[1]) <= _CLEARED for match in found)


def _is_same(parsed: ParsedFile, use: Use) -> bool:
    """Whether a condition has one value: without CUDA's macros, for the release that the source is for, and the newest.

    One that names HIP's macros was written for both vendors.
    """
    directive = parsed.lexed.directive_at(use.span.start)
    if directive is None or directive.name not in ("if", "elif"):
        return False
    text = directive.argument(parsed.data)
    if names_hip(text, parsed.unset):
        return True
    text = expanded(text, macros(parsed))
    major, _, minor = parsed.target.cuda.partition(".")
    known = at_version(text, 0), at_version(text, int(major) * 1000 + int(minor or 0) * 10), at_version(text, None)
    return known[0] is not None and known.count(known[0]) == len(known)
