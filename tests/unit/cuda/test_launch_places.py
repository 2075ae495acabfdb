"""Launches as the tokens show them: where the signs are, and what closes them."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.launch_places import launch_places
from cudamigrate.cuda.lexer import lex


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        (b"void f() { k<<<1, 2>>>(p); m<int><<<g(1), 2>>>(p); }", [b"<<<1, 2>>>", b"<<<g(1), 2>>>"]),
        (b"#define GO k<< <1, 2> >>(p)\n", [b"<< <1, 2> >>"]),
        (b'// k<<<1, 2>>>(p);\nconst char *s = "k<<<1, 2>>>(p)";', []),
        (b"k<<<1, 2;\nint a = b >> 1;", []),  # nothing closes it
        (b"int a = 1 << 2; v<<<1, 2>>> + 1;", []),  # no arguments follow
    ],
)
def test_a_launch_is_opened_and_closed_in_code(text: bytes, signs: list[bytes]) -> None:
    found = list(launch_places(lex(text)))
    assert [text[opening.start : closed] for opening, closed in found] == signs
    assert all(text[opening.start : opening.end].replace(b" ", b"") == b"<<<" for opening, _ in found)
