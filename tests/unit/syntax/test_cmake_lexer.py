"""CMake's tokens and commands, as `cmake-language(7)` has them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.syntax import cmake, cmake_lexer


def arguments(text: str) -> list[str]:
    (command,) = cmake.read(text.encode())
    return command.words()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set(A b c)", ["A", "b", "c"]),
        ("set(A\n  b # a comment\n  c)", ["A", "b", "c"]),
        ("set(A #[[ a (comment ]] c)", ["A", "c"]),
        ('set(A "b (c) # d")', ["A", "b (c) # d"]),
        ('set(A "b \\" c")', ["A", 'b \\" c']),
        ("set(A [=[ b ]] ) ]=] [[]])", ["A", " b ]] ) ", ""]),
        ("set(A b;c ;d)", ["A", "b;c", ";d"]),
        ("set(A \\( \\))", ["A", "\\(", "\\)"]),
        ('add_definitions(-DNAME="a b")', ['-DNAME="a b"']),
        ("link(-L$(DIR) b)", ["-L$(DIR)", "b"]),
        ("if((A AND (B)) OR C)", ["A", "AND", "B", "OR", "C"]),
        ('set(A "b""c")', ["A", "b", "c"]),
        ("set(A $<$<CONFIG:Debug>:-G>)", ["A", "$<$<CONFIG:Debug>:-G>"]),
        ("set (A)", ["A"]),
        ("set()", []),
    ],
)
def test_arguments(text: str, expected: list[str]) -> None:
    assert arguments(text) == expected
    assert cmake_lexer.read(text.encode())[1] == 0


def test_commands_have_their_places() -> None:
    data = b'# set(not)\nIF(A)\n  Set(B "c")\nendif()\n'
    found = cmake.read(data)
    assert [one.name for one in found] == ["if", "set", "endif"]
    assert data[found[1].span.start : found[1].span.end] == b'Set(B "c")'
    assert [(one.quoted, data[one.span.start : one.span.end]) for one in found[1].args] == [(False, b"B"), (True, b"c")]


@pytest.mark.parametrize(
    ("text", "names", "stray"),
    [
        ("@INIT@\nset(A)", ["set"], 6),
        ("set(A\nset(B)", ["set"], 5),
        ("set(A))", ["set"], 1),
        ('set(A "b)\nset(C)', ["set", "set"], 1),
        ("set\n(A)", [], 6),
        ("set[[A]](B)", [], 11),
    ],
)
def test_what_fits_nothing_is_counted_and_the_rest_is_read(text: str, names: list[str], stray: int) -> None:
    assert [one.name for one in cmake.read(text.encode())] == names
    assert cmake_lexer.read(text.encode())[1] == stray


@given(st.lists(st.sampled_from([b"set", b"(", b")", b'"', b"[[", b"]]", b"#", b"\\", b" ", b"\n", b"$(", b"\xff"])))
def test_any_bytes_are_read_and_tokens_do_not_overlap(parts: list[bytes]) -> None:
    data = b"".join(parts)
    tokens = list(cmake_lexer.tokens(data))
    assert all(one.start < one.end for one in tokens)
    assert all(one.end <= other.start for one, other in itertools.pairwise(tokens))
    commands, stray = cmake_lexer.read(data)
    assert 0 <= stray <= len(data)
    assert all(one.span.end <= other.span.start for one, other in itertools.pairwise(commands))


def test_commands_that_are_kept_are_those_of_the_file_whatever_was_done_with_them():
    data = b"project(a CUDA)\n" + b"set(x 1)\n" * 3
    first = cmake.read(data)
    first.clear()
    assert [one.name for one in cmake.read(data)] == ["project", "set", "set", "set"]
    for number in range(40):  # more than is kept
        assert len(cmake.read(b"# %d\n" % number + b"set(a b)\n" * 1000)) == 1000
    assert [one.name for one in cmake.read(data)] == ["project", "set", "set", "set"]
