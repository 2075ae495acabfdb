"""Patterns for names of sources in build files: where they begin is said, so that long words are read once."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.analysis import port_reach

_ANYWHERE = re.compile(port_reach._PATTERN.pattern.removeprefix(rb"(?<![\w.+-])"))
"""The same, tried from every place of a word: time grows with the square of the word."""


@given(st.text("ab.*\0/- \"'\n),", max_size=20).map(str.encode))
def test_a_pattern_begins_where_its_word_begins(text: bytes) -> None:
    assert _ANYWHERE.pattern != port_reach._PATTERN.pattern
    assert [m.span() for m in port_reach._PATTERN.finditer(text)] == [m.span() for m in _ANYWHERE.finditer(text)]
