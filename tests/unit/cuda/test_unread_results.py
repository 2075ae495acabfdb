"""Which calls are statements whose result nobody reads."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.unread_results import unread


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("{ f(a, (b)); }", True),
        ("{ g(); ::f(); }", True),
        ("{ a::b::f(1); }", True),
        ("if (x) f(); else g();", True),
        ("if (x) g(); else f();", True),
        ("for (;;) f();", True),
        ("switch (x) { case 1: f(); }", True),
        ("(void)f();", False),
        ("{ e = x ? g() : f(); }", False),
        ("{ static_cast<void>(f()); }", False),
        ("{ auto e = f(); }", False),
        ("{ return f(); }", False),
        ("{ check(f()); }", False),
        ("{ f() == 0; }", False),
        ("{ f(a), g(); }", False),
        ("int f(int);", False),
        ("{ a.f(); }", False),
        ("#define run f();\n", False),
        ("{ if (f()) {} }", False),
    ],
)
def test_a_call_is_unread_where_it_is_a_statement(code: str, found: bool) -> None:
    lexed = lex(code.encode())
    assert bool(list(unread(lexed, lexed.words(frozenset((b"f",)))))) is found
