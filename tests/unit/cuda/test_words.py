"""The words of a text: what is looked up in them is what is in the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.words import longest_word, vocabulary

TEXT = st.text(alphabet="aB_1.x<>/* \n\"'\xe9", max_size=60).map(lambda text: text.encode("latin-1"))


@given(data=TEXT)
def test_words_are_those_that_a_pattern_finds(data):
    found = re.findall(rb"\w+", data)
    assert vocabulary(data) == set(found)
    assert sorted(at for places in lex(data).index.values() for at in places) == [
        match.start() for match in re.finditer(rb"\w+", data)
    ]


@given(data=TEXT, part=TEXT)
def test_a_part_is_held_where_it_is_in_the_text(data, part):
    lexed = lex(data)
    assert lexed.holds(part) is (part in data)
    assert lexed.holds(part.lower(), any_case=True) is (part.lower() in data.lower())
    assert lexed.index is not None and lexed.holds(part) is (part in data), "the same when the words were read"


@pytest.mark.parametrize(
    ("part", "word"), [(b"mma.sync", b"sync"), (b"<<", b""), (b"raft/", b"raft"), (b"dali ::", b"dali")]
)
def test_the_longest_word_of_a_part_is_looked_up_first(part, word):
    assert longest_word(part) == word
