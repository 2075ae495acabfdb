"""Which conversions to 32 bits lose lanes."""

from __future__ import annotations

import pytest

from cudamigrate.model.verification import Place
from cudamigrate.verification.mask_truncation import is_cut


def at(text: str, word: str) -> bool:
    data = text.encode()
    offset = data.rindex(word.encode())
    line = data.count(b"\n", 0, offset) + 1
    return is_cut(data, Place("a.cu", line, offset - (data.rfind(b"\n", 0, offset) + 1) + 1))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("unsigned m = __ballot(p);", "__ballot"),
        ("unsigned m = (__activemask() & x);", "__activemask"),
        ("auto m = __ballot(p);\nif (q) m &= 7;\nm = __ballot(q);\nf(__popc(m));", "m)"),
        ("uint64_t m{0};\nm = __match_any_sync(all, v);\nreturn m;", "m;"),
    ],
)
def test_a_vote_cut_to_32_bits(text: str, word: str) -> None:
    assert at(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("int i = n;", "n;"),
        ("int i = size, j = __popcll(__ballot(p));", "size"),
        ("auto m = __ballot(p);\nm = sizes[3];\nint i = m;", "m;"),
        ("f(n, __ballot(p));", "n,"),
        ("bool e = a == __ballot(p); int i = a;", "a;"),
    ],
)
def test_other_conversions_are_harmless(text: str, word: str) -> None:
    assert not at(text, word)


def test_a_place_outside_the_file_is_no_cut() -> None:
    assert not is_cut(b"int a;", Place("a.cu", 9, 1))
