"""Places and text of a source file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.model import SourceFile, Span

TEXTS = st.lists(st.sampled_from(["a", "\u00e9", "  ", "\n", "\t" * 90, "word"]), max_size=60).map("".join)


@given(TEXTS, st.integers(1, 20), st.integers(0, 9))
def test_the_first_characters_are_those_of_the_whole(text: str, most: int, start: int) -> None:
    data = text.encode()
    start = len(text[:start].encode())
    source = SourceFile("a.cu", data, "cuda")
    assert source.brief(Span(start, len(data)), most) == " ".join(data[start:].decode().split())[:most]


@given(
    st.lists(st.sampled_from([b"a", b"\xc3\xa9", b"\xff", b"\n", b"\xef\xbb\xbf", b"word " * 9]), max_size=30),
    st.data(),
)
def test_a_column_is_the_same_whatever_was_asked_before(parts: list[bytes], draw: st.DataObject) -> None:
    data = b"".join(parts) + b"."
    source = SourceFile("a.cu", data, "cuda")
    for offset in draw.draw(st.lists(st.integers(0, len(data) - 1), max_size=8)):
        assert source.position(offset) == SourceFile("a.cu", data, "cuda").position(offset)
