"""Characters of bytes in any encoding: encoded again, they are as long."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.syntax import utf8


@given(st.binary(max_size=40))
def test_every_beginning_is_as_long_as_its_bytes(data: bytes) -> None:
    assert len(utf8.text(data).encode()) == len(data)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_utf8_is_read_as_it_is(text: str) -> None:
    assert utf8.text(text.encode()) == text
