"""Where C++ needs a place in memory, and a number cannot be written for a member."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

DECLARED = """#include <cuda_runtime.h>
#define GROW(x) ((x) += 1)
#define SHOWN(x) ((x) + 1)
void take(int &x); void look(const int &x); void get(int x); void at(int *x);
template <class T> void any(T &x); template <class T> void pass(T &&x);
struct Kept { int &r; Kept(int &x) : r(x) {} };
struct Copied { const int &r; int n; };
"""
NEEDED = (
    "int &q = {};",
    "auto &q = {};",
    "volatile const int &q = {};",
    "int &q({});",
    "int &q{{{}}};",
    "int *q = &{};",
    "int *q = &({});",
    "int *q = std::addressof({});",
    "take({});",
    "any({});",
    "at(&{});",
    "{}++;",
    "--{};",
    "({}) = 6;",
    "std::swap({}, r);",
    "std::tie({}, r) = two();",
    "auto q = std::ref({});",
    "Kept q({});",
    "Kept q{{{}}};",
    "use(Kept({}));",
    "auto q = [&x = {}] {{ return x; }};",
    "auto f = [](int &x) {{ x = 1; }}; f({});",
    "int &q = r ? {} : r;",
    "int &q = (r, {});",
    "using Q = decltype(({}));",
    "std::cin >> {};",
    "static_cast<int &>({}) = 3;",
    "((int &){}) = 3;",
    "GROW({});",
    "for (int &x = {}; x < 3; ++x) use(x);",
    "std::reference_wrapper<int> q = {};",
    'asm("" : "=r"({}));',
    "auto f = [&]() -> int & {{ return {}; }};",
    "auto f = [&]() -> decltype(auto) {{ return ({}); }};",
)
NUMBERS = (
    "const int &q = {};",
    "int const &q = {};",
    "const auto &q = {};",
    "auto &&q = {};",
    "int q = {};",
    "int q{{{}}};",
    "look({});",
    "get({});",
    "pass({});",
    "Copied q{{{}, 1}};",
    "auto q = [x = {}] {{ return x; }};",
    "int q = r ? {} : r;",
    "int q[2] = {{{}, 1}};",
    "int q = std::max({}, 5);",
    "std::pair<int, int> q({}, 1);",
    "use(SHOWN({}));",
    "use(r >= {});",
    "auto f = [&]() -> int {{ return {}; }};",
    "unsigned q = static_cast<unsigned>({});",
    "use(sizeof {});",
    "unseen({});",
)
KERNEL = "__global__ void k(int *a) { a[0] = __shfl_sync(0xffffffff, a[0], 1); }\n"


def rewritten(statement: str) -> bool:
    body = statement.format("prop.warpSize")
    text = f"{DECLARED}{KERNEL}void f(int r) {{ cudaDeviceProp prop; int r0; {body} }}\n"
    found = find_in_text(text, "a.cu", None).findings
    (one,) = [one for one in found if one.rule == "warp/queried-size"]
    return one.fix is not None


@pytest.mark.parametrize("statement", NEEDED)
def test_no_number_is_written_where_a_place_is_needed(statement: str) -> None:
    assert not rewritten(statement)


@pytest.mark.parametrize("statement", NUMBERS)
def test_one_is_where_a_value_is_read(statement: str) -> None:
    assert rewritten(statement)
