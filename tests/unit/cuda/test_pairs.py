"""Brackets: paired all at once, or one after another, they close at the same places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.cuda import lexer
from cudamigrate.cuda.scopes import readable
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

TEXT = st.text(alphabet="([{}])a\"'/* \n", max_size=50).map(str.encode)


@given(data=TEXT)
def test_brackets_close_at_the_same_places_when_all_are_paired(data):
    one, all_ = lexer.lex(data), lexer.lex(data)
    all_._pairs.update(lexer._pairs(all_))
    for at in range(len(data)):
        if data[at : at + 1] in (b"(", b"[", b"{") and one.is_code(at):
            assert all_.closing(at) == one.closing(at)


def test_brackets_are_paired_where_calls_nest_deeply():
    lexed = lexer.lex(b"f(" * 300 + b")" * 300)
    assert [lexed.closing(2 * at + 1) for at in range(300)] == [899 - at for at in range(300)]
    assert lexed._pairs


def test_a_comment_that_is_not_closed_is_blank_to_the_parser():
    assert readable(lexer.lex(b"int a;\n/* b\nc")) == b"int a;\n    \n "
    for data in (b"int a;\n/* b */", b"int a; // b", b"/* b */ int a;"):
        assert readable(lexer.lex(data)) == data


HEADS = b"""\
#if defined(A)
void f(int a) {
#else
void f(long a) {
#endif
  g(a);
}
__global__ void k(int *p) { *p = threadIdx.x; }
"""


def test_of_several_heads_of_a_function_the_first_is_read():
    text = readable(lexer.lex(HEADS))
    assert len(text) == len(HEADS) and text.split() == HEADS.replace(b"#if defined(A)", b"").replace(
        b"#else\nvoid f(long a) {\n#endif", b""
    ).split()  # fmt: skip
    parsed = cuda.parse(SourceFile("a.cu", HEADS + b"void h() { f(1); }\n", "cuda"), frozenset())
    assert [(one.name, one.scope) for one in parsed.functions] == [("f", "host"), ("k", "device"), ("h", "host")]


def test_branches_that_are_no_heads_are_all_read():
    for body in (b"if (a) {", b"int b[] = {", b"g(); {", b"void f(int a);"):
        data = b"#ifdef A\n" + body + b"\n#else\n" + body + b"\n#endif\n"
        assert readable(lexer.lex(data)) == data
