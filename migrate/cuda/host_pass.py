"""What the pass for the host leaves out of a file: branches that ask for the device's pass, or for a macro of the
file's own that is defined in that pass alone.

`#ifndef __CUDA_ARCH__`, `#undef FAST`, `#endif` leaves `FAST` to the device; so does a `#define` that only it reads.
"""

from __future__ import annotations

from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.lazy_re import re

_OF_DEVICE = frozenset((b"__CUDA_ARCH__", b"__HIP_DEVICE_COMPILE__"))
"""Macros that are defined in the device's pass alone."""
_WORD = re.compile(rb"[A-Za-z_]\w*")


def leaves_out(parsed: ParsedFile, offset: int) -> bool:
    """Whether a branch around a place is compiled in no pass for the host, as the file itself shows."""
    around = [one for one in parsed.branches_around(offset) if one.conditions]
    if not around:
        return False
    asked = {word for branch in around for text in branch.conditions for word in _WORD.findall(text)}
    unset = _OF_DEVICE.union(_undefined(parsed, frozenset(asked), offset))
    return any(_holds(branch, unset) is False for branch in around)


def _undefined(parsed: ParsedFile, asked: frozenset[bytes], offset: int) -> set[bytes]:
    """Those of some macros that are not defined in a pass for the host, as the file is read up to a place.

    A macro that the file defines for the device's pass alone is none that a build defines.
    """
    found, seen = set[bytes](), set[bytes]()
    for line in parsed.lexed.directives:
        if line.start >= offset:
            break
        named = _WORD.match(line.argument(parsed.data)) if line.name in ("define", "undef") else None
        if named is None or named[0] not in asked:
            continue
        around = [one for one in parsed.branches_around(line.start) if one.conditions]
        read = [_holds(one, _OF_DEVICE | found) for one in around]
        is_first = named[0] not in seen
        seen.add(named[0])
        if False in read:
            found |= {named[0]} if is_first and line.name == "define" else set()
        elif line.name == "define":
            found.discard(named[0])
        elif all(read):
            found.add(named[0])
    return found


def _holds(branch: Branch, unset: frozenset[bytes] | set[bytes]) -> bool | None:
    """Whether a branch is compiled where some macros are not defined; None where others decide."""
    known = frozenset(unset)
    earlier = [value_with(one, known, False) for one in branch.conditions[:-1]]
    own = value_with(branch.conditions[-1], known, False)
    if own is False or True in earlier:
        return False
    return True if own and all(one is False for one in earlier) else None
