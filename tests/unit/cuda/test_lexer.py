"""The lexer: what is code, what is not, and which branches HIP compiles."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.cuda.lexer import CHAR, NUMBER, STRING, include_path, lex


def texts(data: bytes) -> list[bytes]:
    lexed = lex(data)
    return [lexed.text(token) for token in lexed.tokens(0, len(data))]


def backwards(data: bytes) -> list[bytes]:
    lexed, found = lex(data), []
    token = lexed.before(len(data))
    while token is not None:
        found.insert(0, lexed.text(token))
        token = lexed.before(token.start)
    return found


def test_comments_are_not_tokens() -> None:
    assert texts(b"a // b\nc /* d\n e */ f") == [b"a", b"c", b"f"]


def test_line_comment_continues_after_a_backslash() -> None:
    assert texts(b"a // b \\\n still a comment\nc") == [b"a", b"c"]
    assert texts(b"a // b \\\r\n still a comment\r\nc") == [b"a", b"c"]


def test_unterminated_comment_runs_to_the_end() -> None:
    assert texts(b"a /* b c") == [b"a"]


@pytest.mark.parametrize(
    "literal",
    [rb'"cudaMalloc"', rb'"a \" // b"', rb'"x"', rb'R"(a " b)"', b'R"tag(a )" \n b)tag"', rb'LR"(x)"', b'"a \\\n b"'],
)
def test_string_literal_is_one_token(literal: bytes) -> None:
    lexed = lex(b"f(" + literal + b");")
    quote = literal.index(b'"')
    token = lexed.token(2 + quote)
    assert lexed.text(token) == literal[quote:]
    assert token is not None and token.kind == STRING
    assert texts(b"f(" + literal + b");")[-2:] == [b")", b";"]


@pytest.mark.parametrize(("data", "code"), [(b'R"(a " b)" + c', b"R + c"), (b'xR"(a) + c', b"xR")])
def test_a_raw_string_may_begin_a_file_and_a_longer_word_begins_none(data: bytes, code: bytes) -> None:
    lexed = lex(data)
    assert bytes(byte for at, byte in enumerate(data) if lexed.is_code(at)) == code


def test_string_without_an_end_stops_at_the_line() -> None:
    assert texts(b'"abc\ndef') == [b'"abc', b"def"]


def test_character_literals_and_digit_separators_are_distinguished() -> None:
    lexed = lex(b"x = 'a' + 1'000u + '\\'' + 0x1p-3f;")
    kinds = {lexed.text(token): token.kind for token in lexed.tokens(0, len(lexed.data))}
    assert kinds[b"'a'"] == CHAR
    assert kinds[b"'\\''"] == CHAR
    assert kinds[b"1'000u"] == NUMBER
    assert kinds[b"0x1p-3f"] == NUMBER


def test_asked_words_are_found_in_code_only() -> None:
    lexed = lex(b'foo("foo"); // foo\nbarfoo; foo')
    assert lexed.words(frozenset([b"foo"])) == [0, 27]


@pytest.mark.parametrize(
    "data",
    [b"a::b->c ## d", b"x = f(a, 'b', \"c // d\") /* e */ + 1000u; // f\ng", b"a \\\n b", b"T<U<V>>(1)", b""],
)
def test_tokens_read_backwards_are_those_read_forwards(data: bytes) -> None:
    assert backwards(data)[-3:] == texts(data)[-3:]


def test_directive_spans_continued_lines_and_comments() -> None:
    data = b"#define A(x) \\\n  x /* c\n d */ + 1\nint y;"
    (directive,) = lex(data).directives
    assert directive.name == "define"
    assert data[directive.end :] == b"\nint y;"
    assert directive.argument(data) == b"A(x)    x   + 1"


def test_hash_inside_a_line_is_no_directive() -> None:
    lexed = lex(b"#define S(x) #x\n#define T(x) x##1\n")
    assert [d.name for d in lexed.directives] == ["define", "define"]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b"#include <a/b.h>", "a/b.h"),
        (b'#  include "c.h" // why', "c.h"),
        (b"#include MACRO", None),
    ],
)
def test_include_path(line: bytes, path: str | None) -> None:
    found = include_path(line, lex(line).directives[0])
    assert (found[0] if found else None) == path


def test_arguments_split_at_outer_commas_only() -> None:
    data = b"f(a, g(b, c), T<d, e>(1), {h, i}, j < k, l > m)"
    lexed = lex(data)
    ranges = lexed.arguments(1, lexed.closing(1))
    assert [data[start:end] for start, end in ranges] == [
        b"a",
        b"g(b, c)",
        b"T<d, e>(1)",
        b"{h, i}",
        b"j < k, l > m",
    ]


def test_comparison_is_no_template_argument_list() -> None:
    data = b"f(a < b && c, d > e)"
    lexed = lex(data)
    assert len(lexed.arguments(1, lexed.closing(1))) == 2


def test_no_arguments() -> None:
    lexed = lex(b"f()")
    assert lexed.arguments(1, lexed.closing(1)) == []


def test_matches_skips_comments_and_literals() -> None:
    import re

    lexed = lex(b'// x = 1\n"x = 1"; x = 1;')
    assert [m.start() for m in lexed.matches(re.compile(rb"x = 1"))] == [18]


@given(
    st.lists(
        st.sampled_from([b"const", b"constexpr", b"enum", b" ", b"x", b"=", b";", b"//", b"/*", b"*/", b'"', b"\n"])
    )
)
def test_starting_gives_what_matches_gives(pieces: list[bytes]) -> None:
    lexed = lex(b"".join(pieces))
    pattern = re.compile(rb"\b(?:constexpr|const|enum)\b[^=;]*=")
    found = [match.span() for match in lexed.starting(pattern, b"const", b"enum")]
    assert found == [match.span() for match in lexed.matches(pattern)]


def test_starting_takes_no_match_within_another() -> None:
    found = lex(b"const const a = 1; xconst b = 2; const c = 3;").starting(re.compile(rb"\bconst\b[^=]*="), b"const")
    assert [match[0] for match in found] == [b"const const a =", b"const c ="]


@given(st.lists(st.sampled_from([b"#", b"define", b" ", b"\t", b"/*", b"*/", b"x", b"\n", b"\xef\xbb\xbf"])))
def test_a_directive_begins_its_line(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    begins = re.compile(rb"(?:^|(?<=\n))(?:\xef\xbb\xbf)?[ \t\f\v]*(?:/\*[^\n]*?\*/[ \t]*)?#")
    places = {match.end() - 1 for match in begins.finditer(data)}
    lexed = lex(data)
    assert {directive.start for directive in lexed.directives} <= places
    inside = [place for place in places if lexed.is_code(place) and lexed.directive_at(place) is None]
    assert not inside


def test_many_comparisons_in_one_call_are_arguments_each() -> None:
    data = b"f(" + b"a < b, " * 20_000 + b"pair<int, long>(c), d -> e)"
    lexed = lex(data)
    found = lexed.arguments(1, len(data) - 1)
    assert len(found) == 20_002 and data[slice(*found[-2])] == b"pair<int, long>(c)"
