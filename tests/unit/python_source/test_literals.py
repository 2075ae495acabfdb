"""What is in string literals, and where each byte of it is written."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate.python_source import source
from cudamigrate.python_source.literals import decoded, plain
from tests.draws import examples


def first(text: str, kind: str = "string") -> tuple[source.PySource, object]:
    data = text.encode()
    py = source.read(data, data, "a.py")
    if kind == "string":
        return py, py.kind("string")[0]
    value = py.kind("assignment")[-1].child_by_field_name("right")
    return py, value


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize(
    "text", [r'"a\nb\t\\\"\x41\101é\u00e9"', r"r'a\n'", '"""a\nb"""', "'a\\\nb'", r"'\q\''", "b'\\x00ab'", "u'x'"]
)
def test_literal_is_what_python_makes_of_it(text: str) -> None:
    py, node = first(text)
    got = decoded(py, node)  # type: ignore[arg-type]
    value = ast.literal_eval(text)
    assert got is not None
    assert got.text == (value if isinstance(value, bytes) else value.encode())
    assert len(got.text) == len(got.starts) == len(got.ends)


@pytest.mark.parametrize(
    "text",
    [
        "x = 'a' 'b'",
        "x = ('a'\n 'b')",
        "x = 'ab'.strip()",
        "y = 'ab'\nx = y",
        "x = dedent('ab')",
        "x = textwrap.dedent('ab').strip()",
        "y = 'ab'\nx = y.encode('utf-8')",
    ],
)
def test_parts_and_harmless_calls_are_read_through(text: str) -> None:
    py, node = first(text, "value")
    got = decoded(py, node)  # type: ignore[arg-type]
    assert got is not None and got.text == b"ab"
    assert [py.text[a:b] for a, b in zip(got.starts, got.ends, strict=True)] == [b"a", b"b"]


@pytest.mark.parametrize(
    "text",
    [
        "x = f'a{b}'",
        "x = 'a' + b",
        "x = 'a%s' % b",
        "x = 'a'.format(b)",
        "y = 'a'\ny = 'b'\nx = y",
        "x = made.encode('utf-8')",  # the text is what is encoded
        "x = open('a').read().strip()",
    ],
)
def test_what_a_run_decides_is_not_read(text: str) -> None:
    py, node = first(text, "value")
    assert decoded(py, node) is None  # type: ignore[arg-type]


def test_a_text_that_doubles_in_every_line_is_left_to_the_run() -> None:
    doubled = "".join(f"x{n + 1} = x{n} + x{n}\n" for n in range(5))
    py, node = first(f"x0 = '{'a' * (1 << 14)}'\n{doubled}", "value")
    assert decoded(py, node) is None  # type: ignore[arg-type]


def test_plain_literal_has_no_escapes() -> None:
    assert plain(*first("'a'")) == "a"  # type: ignore[arg-type]
    assert plain(*first("''")) == ""  # type: ignore[arg-type]
    assert plain(*first(r"'a\n'")) is None  # type: ignore[arg-type]
    assert plain(*first("f'{a}'")) is None  # type: ignore[arg-type]


@settings(deadline=None, max_examples=examples(150))
@given(st.text(alphabet="ab\\nx0'\"4é\n\t{}", max_size=12))
def test_every_string_that_python_writes_is_read_back(text: str) -> None:
    py, node = first(repr(text))
    got = decoded(py, node)  # type: ignore[arg-type]
    assert got is not None and got.text == text.encode()


@pytest.mark.parametrize("doublings", [18, 30, 200])
def test_a_variable_that_is_doubled_often_is_no_literal(doublings: int) -> None:
    lines = "".join(f"a{n} = a{n - 1} + a{n - 1} + a{n - 1} + a{n - 1}\n" for n in range(1, doublings))
    py, node = first(f"a0 = 'text'\n{lines}k = a{doublings - 1} + 'x'\n", "variable")
    assert decoded(py, node) is None  # type: ignore[arg-type]


def test_a_variable_that_is_doubled_a_few_times_is_the_whole_text() -> None:
    py, node = first("a = 'x'\nb = a + a\nc = b + b\nd = c + c", "variable")
    got = decoded(py, node)  # type: ignore[arg-type]
    assert got is not None and got.text == b"x" * 8 and set(got.starts) == {5}
