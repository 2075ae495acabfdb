"""The words of a text: what is looked up in them is what is in the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.words import PartsOfWords, every_word, longest_word, vocabulary, whole_words

TEXT = st.text(alphabet="aB_1.x<>/* \n\"'\xe9", max_size=60).map(lambda text: text.encode("latin-1"))


@given(data=TEXT)
def test_words_are_those_that_a_pattern_finds(data):
    found = re.findall(rb"\w+", data)
    assert vocabulary(data) == set(found)
    assert sorted(at for places in every_word(data).values() for at in places) == [
        match.start() for match in re.finditer(rb"\w+", data)
    ]


@given(data=TEXT, part=TEXT)
def test_a_part_is_held_where_it_is_in_the_text(data, part):
    lexed = lex(data)
    assert lexed.holds(part) is (part in data)
    assert lexed.held(PartsOfWords((part, b"none of it"))) == {one for one in (part, b"none of it") if one in data}
    assert lexed.holds(part.lower(), any_case=True) is (part.lower() in data.lower())


@given(files=st.lists(TEXT, max_size=4), part=TEXT)
def test_a_part_is_held_whatever_files_came_before(files, part):
    parts = PartsOfWords((part, b"B", b"x.x"))
    for data in (*files, *files):
        assert lex(data).held(parts) == {one for one in (part, b"B", b"x.x") if one in data}


@given(data=TEXT)
def test_a_word_is_found_alone_as_it_is_among_all_words(data):
    listed = every_word(data)
    assert {word: whole_words(data, word) for word in listed} == listed
    assert lex(data).spellings == listed.keys()


def test_words_are_found_one_by_one_and_all_at_once_alike():
    data = b" ".join(b"w%d x" % number for number in range(200))
    lexed = lex(data)
    assert {word: lexed.places(word) for word in sorted(lexed.spellings)} == every_word(data)
    assert lexed.places(b"w") == ()
    assert lexed.words(frozenset(), (b"w19",)) == [data.index(b"w%d " % n) for n in (19, *range(190, 200))]


@pytest.mark.parametrize(
    ("part", "word"), [(b"mma.sync", b"sync"), (b"<<", b""), (b"raft/", b"raft"), (b"dali ::", b"dali")]
)
def test_the_longest_word_of_a_part_is_looked_up_first(part, word):
    assert longest_word(part) == word
