"""A member of a base that rests on a template's parameter, which clang only finds behind `this->`."""

from __future__ import annotations

import pytest

from cudamigrate.cuda import lexer
from cudamigrate.verification import dependent_bases

BASE = b"template <class T> class Base { protected: int _order; T *_keys[2]; void run(); };\n"
MIDDLE = b"template <class T, int n> class Middle : public Base<T> {\n};\n"
SORT = b"template <class T> class Sort : public Middle<T, 3> {\n  int f() { return NAME; }\n  int g();\n};\n"
METHOD = b"template <class T> int Sort<T>::g() {\n  return NAME;\n}\n"
PLAIN = b"class Plain {\n  int f() { return NAME; }\n};\n"


def advice(text: bytes, line: int, name: str = "_order", base: bytes = BASE) -> str:
    files = {"base.h": base + MIDDLE, "a.cu": text.replace(b"NAME", name.encode())}
    message = f"use of undeclared identifier '{name}'"
    return dependent_bases.Bases(lambda path: files.get(path, b""), list(files)).advice(message, "a.cu", line)


@pytest.mark.parametrize(
    ("text", "line", "name"), [(SORT, 2, "_order"), (SORT, 2, "_keys"), (SORT + METHOD, 6, "_keys")]
)
def test_a_member_of_such_a_base_is_named_with_this(text: bytes, line: int, name: str) -> None:
    assert f"`this->{name}`" in advice(text, line, name)


@pytest.mark.parametrize(
    ("text", "line", "name", "base"),
    [
        (SORT, 2, "order", BASE),
        (SORT + PLAIN, 6, "_order", BASE),
        (SORT, 2, "_order", BASE.replace(b"_order", b"_other")),
        (SORT.replace(b"public Middle<T, 3>", b"public Other"), 2, "_order", BASE),
        (SORT, 2, "_order", BASE.replace(b"int _order;", b"void f() { g(_order); }")),
    ],
)
def test_another_name_is_left(text: bytes, line: int, name: str, base: bytes) -> None:
    assert advice(text, line, name, base) == ""


def test_another_complaint_is_left() -> None:
    assert dependent_bases.Bases(lambda path: SORT, ["a.cu"]).advice("unknown type name '_order'", "a.cu", 2) == ""


def test_a_file_is_read_once_for_all_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[bytes]()
    monkeypatch.setattr(dependent_bases, "lex", lambda data: read.append(data) or lexer.lex(data))
    files = {"base.h": BASE + MIDDLE, "a.cu": SORT}
    bases = dependent_bases.Bases(lambda path: files[path], list(files))
    for _ in range(3):
        assert bases.advice("use of undeclared identifier '_order'", "a.cu", 2)
    assert sorted(read) == sorted(files.values())
