"""What build files name of sources: words, and patterns, which are found by their `*` and read back from there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.analysis import port_reach

_PATTERN = re.compile(rb"[\w.+-]*[*\x00][\w.*+\x00-]*(?=[\s\"');,\]]|$)")
"""The same, tried from every place of a word: time grows with the square of the word."""


@given(st.text("ac.*\0/- \"'\n),", max_size=20).map(str.encode))
def test_a_pattern_is_read_back_from_its_star_to_where_its_word_begins(text: bytes) -> None:
    expected = [match[0] for match in _PATTERN.finditer(text) if match[0][-1:] in b"*\0c"]
    found = [one for one in expected if one.strip(b"\0*.")]
    assert list(port_reach._patterns(text)) == [one.replace(b"\0", b"*").decode() for one in found]


@pytest.mark.parametrize(
    ("text", "words", "patterns"),
    [
        (b"add(a.cu)\n", {b"a"}, set[str]()),
        (b"add(x-a.cu)\n", set[bytes](), set[str]()),
        (b"add(b.cu) # a.cu *.cu\n", {b"b"}, set[str]()),
        (b"add(b#a.cu)\n", {b"a", b"b"}, set[str]()),
        (b"glob('test_*.c*')\n", set[bytes](), {"test_*.c*"}),
        (b"glob('test_*.py')\n", set[bytes](), set[str]()),
    ],
)
def test_a_build_file_names_sources_outside_of_comments(text: bytes, words: set[bytes], patterns: set[str]) -> None:
    asked = frozenset((b"a", b"b"))
    near = port_reach.named("src/CMakeLists.txt", text, asked, port_reach.folders(["src/a.cu", "setup.py"]))
    far = port_reach.named("docs/CMakeLists.txt", text, asked, port_reach.folders(["src/a.cu", "setup.py"]))
    assert (set(near.words), set(near.patterns)) == (words, patterns)
    assert (set(far.words), set(far.patterns)) == (words, set())
