"""Member templates of objects whose type a template leaves open."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULE = "build/dependent-template"


def found(text: str) -> list[str]:
    """What is found in a file."""
    return [one.excerpt for one in find_in_text(text, "a.cu").findings if one.rule == RULE]


@pytest.mark.parametrize(
    "body",
    [
        "S(temp).run<2>(1);",
        "S{}.run<2>(1);",
        "S s; s.run<2>(1);",
        "T *t = a; t->run<int>(1);",
        "T all[2]; all[0].run<2>(1);",
        "Block<int, N>(temp).run<2>(1);",
        "T t; t.inner.run<2>(1);",
        "T t; t.next().run<2>(1);",
        "auto f = [](auto x) { return x.run<2>(1); };",
        "typedef S Again; Again(temp).run<2>(1);",
        "constexpr int M = N * 2; constexpr int P = M + 1; Block<int, P> s; s.run<2>(1);",
        "const bool B = sizeof(T) == 4; Block<int, B>(temp).run<2>(1);",
        "constexpr int M = N; Block<int, M> s(temp); s.run<M>(1);",
        "S s(temp, a); s.run<2>(1);",
        "auto s = S(temp); s.run<2>(1);",
        "T t; const auto &s = t.inner; s.run<2>(1);",
    ],
)
def test_objects_of_open_types(body: str) -> None:
    text = f"template <class T, int N> __global__ void k(T *a) {{ using S = Block<int, N>; {body} }}\n"
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "members",
    [
        "static constexpr int M = N / 2; void f() { Block<int, M> s; s.run<2>(1); }",
        "enum { M = N / 2 }; void f() { Block<int, M> s; s.run<2>(1); }",
        "Block<int, N> s; void f() { s.run<2>(1); }",
        "void f() { this->s.run<2>(1); } Block<int, N> s;",
    ],
)
def test_members_of_class_templates(members: str) -> None:
    assert len(found(f"template <int N> struct A {{ {members} }};\n")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "template <class T, int N> __global__ void k(T *a) { Known s; s.run<N>(1); }\n",
        "template <class T, int N> __global__ void k(T *a) { int T2; Block<int, 4>(temp).run<N>(1); }\n",
        "template <class T, int N> __global__ void k(T *a) { T t; t.template run<2>(1); }\n",
        "template <class T, int N> __global__ void k(T *a) { T t; bool b = t.size < N && N > (2); }\n",
        "template <class T> struct A { template <int N> void run(); void f(A<T> o) { o.run<2>(); this->run<1>(); } };",
        "template <> __global__ void k<int>(int *a) { S s; s.run<2>(1); }\n",
        "__global__ void k(S *a) { a->run<2>(1); }\n",
        "template <class T> __global__ void k(T *a) { auto s = make(); s.run<2>(1); }\n",
        "template <int N> __global__ void k(int *a) { constexpr int M = 4; Block<int, M> s; s.run<N>(1); }\n",
        "template <int N> __global__ void k(int *a) { Block<int, 4> s(temp); s.run<N>(1); }\n",
        "template <int N> __global__ void k(int *a) { int M = N; Known s(M); s.run<N>(1); }\n",
        "template <int N> struct A { enum { M = 4 }; Block<int, M> s; void f() { this->s.run<N>(1); } };\n",
        "template <int N> struct A { A<N> *next; void f() { next->run<2>(1); this->next->run<2>(1); } };\n",
    ],
)
def test_objects_of_known_types(text: str) -> None:
    assert found(text) == []
