"""Functions that other files can call by name alone, and the calls of them."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.exported_functions import calls, exported
from cudamigrate.cuda.lexer import lex


@pytest.mark.parametrize(
    "code",
    [
        "void f(int a) { g({a}); }",
        'extern "C" void f(int *a)\n{\n}',
        'extern "C" {\n#ifdef X\nint g(void);\n#endif\nconst char *f(void) { return 0; }\n}',
        "#include <a.h>\nint x[2] = {1, 2};\nstd::vector<int> f() noexcept { return {}; }",
    ],
)
def test_a_definition_with_external_linkage_is_exported(code: str) -> None:
    assert [name for name, _ in exported(lex(code.encode()))] == [b"f"]


@pytest.mark.parametrize(
    "code",
    [
        "static void f() {}",
        "inline int f() { return 1; }",
        "template <class T> void f(T a) {}",
        "__global__ void f() {}",
        "void f(int);",
        'extern "C" void f(int);',
        "namespace a { void f() {} }",
        "struct s { void f() {} };",
        "void s::f() {}",
        "s::s() : f() {}",
        "auto f = [](int a) { return a; };",
        "// void f() {}",
        "#define F void f() {}",
        "void f() {",
    ],
)
def test_what_others_cannot_name_is_not(code: str) -> None:
    assert exported(lex(code.encode())) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("void g() { f(1); }", True),
        ("int g() { return f(1) + 2; }", True),
        ("void g() { if (a) f(1); }", True),
        ("void f(int);", False),
        ("int *f(int);", False),
        ("void g() { a.f(1); b->f(1); c::f(1); }", False),
        ("void g() { h(f); }", False),
        ('void g() { h("f(1)"); } // f(1)', False),
    ],
)
def test_a_call_is_no_declaration_and_no_member(code: str, found: bool) -> None:
    assert bool(list(calls(lex(code.encode()), frozenset((b"f",))))) is found
