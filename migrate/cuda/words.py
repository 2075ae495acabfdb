"""Bytes of source -> the words in them: the fastest look at what a file holds, comments and literals included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import cache
from string import ascii_letters, digits

from cudamigrate.lazy_re import re

ASM = frozenset((b"asm", b"__asm__", b"__asm"))
"""The words that begin inline assembly."""
_SEPARATED = bytes(byte if (chr(byte).isalnum() and byte < 128) or byte == 95 else 32 for byte in range(256))
"""Translates all that is in no word into blanks."""
_LETTERS = frozenset(bytes((byte,)) for byte in b"%s%s_" % (ascii_letters.encode(), digits.encode()))
"""What words are made of, byte by byte."""
_WORD = re.compile(rb"\w+")
_KEPT = 200_000
"""Words up to which it is kept what is within each."""
_FEW = 32
"""Words up to which each is looked for by itself: finding out that one is not there takes a thirtieth of a split."""


def every_use(data: bytes) -> list[bytes]:
    """The words of a text one after the other, numbers among them: quicker to go through than to put into a set."""
    return data.translate(_SEPARATED).split()


def vocabulary(data: bytes) -> set[bytes]:
    """The words of a text, numbers among them."""
    return set(every_use(data))


@cache
def longest_word(part: bytes) -> bytes:
    """What of a text is within one word."""
    return max(part.translate(_SEPARATED).split(), key=len, default=b"")


class PartsOfWords:
    """Which of some texts a file may hold, by its words: files of a project share most, each is looked through once."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        self._parts: dict[bytes, list[bytes]] = {}
        for part in parts:
            self._parts.setdefault(longest_word(part), []).append(part)
        self._seen = set[bytes]()
        self._within: dict[bytes, tuple[bytes, ...]] = {}

    def held(self, words: frozenset[bytes], data: bytes) -> set[bytes]:
        """The texts that are in `data`, whose words are `words`."""
        new = words - self._seen
        if new:
            self._learn(new)
        near = {one for word in words & self._within.keys() for one in self._within[word]}
        near.update(one for one in (b"",) if one in self._parts)
        return {part for one in near for part in self._parts[one] if part == one or part in data}

    def _learn(self, new: frozenset[bytes]) -> None:
        """Find out what is within words that no file had before."""
        if len(self._seen) > _KEPT:
            self._seen.clear()
            self._within.clear()
        self._seen |= new
        text = b"\n%b\n" % b"\n".join(new)
        for one in self._parts:
            at = text.find(one) if one else -1
            while at >= 0:
                end = text.index(b"\n", at)
                word = text[text.rindex(b"\n", 0, at) + 1 : end]
                self._within[word] = (*self._within.get(word, ()), one)
                at = text.find(one, end)


def places(data: bytes, word: bytes) -> Iterator[int]:
    """Where a text is, within words too, also where it overlaps itself."""
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


def whole_words(data: bytes, word: bytes) -> list[int]:
    """Where a word is that is no part of a longer one."""
    size = len(word)
    return [
        at for at in places(data, word)
        if data[at - 1 : at] not in _LETTERS and data[at + size : at + size + 1] not in _LETTERS
    ]  # fmt: skip


def begun(data: bytes, pattern: re.Pattern[bytes], words: Iterable[bytes]) -> Iterator[re.Match[bytes]]:
    """Matches of a pattern whose matches all begin with one of some words, which are found much faster."""
    until = 0
    for start in sorted(place for word in words for place in places(data, word)):
        match = pattern.match(data, start) if start >= until else None
        if match is not None:
            until = match.end()
            yield match


def among(data: bytes, words: Set[bytes]) -> Set[bytes]:
    """Those of some words that a text has, as no part of longer ones."""
    if len(words) > _FEW:
        return words & vocabulary(data)
    return {word for word in words if word in data and whole_words(data, word)}


def every_word(data: bytes) -> dict[bytes, list[int]]:
    """Where each word is."""
    index: dict[bytes, list[int]] = {}
    for match in _WORD.finditer(data):
        index.setdefault(match[0], []).append(match.start())
    return index
