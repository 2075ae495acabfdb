"""What a macro at the heads of declarations qualifies."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.qualified_declarations import kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("static const int Q k[4] = {1};", "variable"),
        ("Q const float s = 1.f;", "variable"),
        ("extern Q int n;", "variable"),
        ("Q int n{3};", "variable"),
        ("Q Point p(1, 2);", "variable"),
        ("Q Table<int, (1 > 0)> t;", "variable"),
        ("Q __align__(16) float4 v[2];", "variable"),
        ("__align__(16) Q float4 v[2];", "variable"),
        ("Q int (*chosen)(int) = nullptr;", "variable"),
        ("Q int f(int a);", "function"),
        ("static Q int *f() { return 0; }", "function"),
        ("template <class T> Q T f(T (*g)(int)) { return g(1); }", "function"),
        ("struct S { Q bool operator==(S other) const; Q S() {} };", "function"),
        ("Q S &operator[](int at);", "function"),
        ("auto f = [=] Q (int a) { return a; };", "function"),
        ("Q __attribute__((noinline)) int f() { return 1; }", "function"),
        ("int f() Q { return 1; }", "function"),
        ("struct Q S { int a; };", None),
        ("// Q int n;", None),
        ("#define R Q int n;", None),
        ("Q", None),
    ],
)
def test_kinds(text: str, kind: str | None) -> None:
    assert kinds(lex(f"{text}\n".encode()), b"Q") == ({kind} if kind else frozenset())
