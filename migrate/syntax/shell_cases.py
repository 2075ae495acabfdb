"""Patterns of `case` in shell scripts: words that a value is compared with, and that run nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_MARK = re.compile(rb"(?<![\w$-])(?:case[ \t]+(?P<subject>[^\n;]{1,200}?)[ \t]+in\b|esac\b)")
_BEFORE = re.compile(rb"(?:\A|\n|;;|\bin)[ \t]*\(?(?:[^\s|();$`]+[ \t]*\|[ \t]*)*[^\s|();$`]*\Z")
"""What is before a word of a pattern since the branch before: `gcc* | `, nothing that runs or gives."""
_AFTER = re.compile(rb"[^\s|();$`]*[ \t]*[|)]")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Cases:
    """The beginnings and ends of all `case`s of a script, in order, and what the innermost open one then compares."""

    starts: Sequence[int]
    within: Sequence[bytes | None]

    def compared(self, data: bytes, word: Span) -> bytes | None:
        """What the pattern that a word is of is compared with; None where the word is of none."""
        at = bisect_right(self.starts, word.start) - 1
        start = max(0, word.start - _LONGEST)
        if at < 0 or not _AFTER.match(data, word.end) or not _BEFORE.search(data[start : word.start]):
            return None
        return self.within[at]


def read(data: bytes) -> Cases:
    """All `case`s of a script."""
    starts, within, around = list[int](), list[bytes | None](), list[bytes]()
    for match in _MARK.finditer(data):
        if match["subject"] is not None:
            around.append(match["subject"])
        else:
            del around[-1:]
        starts.append(match.start())
        within.append(around[-1] if around else None)
    return Cases(starts, within)
