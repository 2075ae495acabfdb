"""Names of one file that mean a constant of another one which is 64 for HIP and 32 for CUDA.

What a file sees is worked out before it is read: `ParsedFile.waves` has the spellings, `kWarp` or `lib::kWarp`.
"""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

_OWNER = re.compile(rb"(?:::)?(?:[A-Za-z_]\w*(?:<[^<>;]*>)?::)*\Z")
"""What qualifies the name behind it: `lib::`, `Traits<T>::`; matches nothing at all, too."""
_NEAR = 200
"""How many bytes before a name are looked at."""


def last(name: bytes) -> bytes:
    """The last part of a qualified name."""
    return name.rpartition(b"::")[2]


def means(parsed: ParsedFile, word: bytes) -> bool:
    """Whether a name, maybe qualified, means such a constant."""
    owner, _, name = word.rpartition(b"::")
    space = last(owner).partition(b"<")[0]
    if not space:
        return name in parsed.waves
    return any(space in one.split(b"::")[:-1] for one in parsed.waves if last(one) == name)


def means_at(parsed: ParsedFile, name: bytes, start: int) -> bool:
    """The same for a name at an offset, with what qualifies it there."""
    owner = _OWNER.search(parsed.data, max(0, start - _NEAR), start)
    return means(parsed, (owner[0] if owner is not None else b"") + name)
