"""A tile's size where the compiler has to know it, which HIP's members do not tell."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\ntemplate <int> struct Of {};\n"
KERNEL = "__global__ void k(int *a) {{ auto t = cg::tiled_partition<8>(cg::this_thread_block()); {} }}\n"
MEMBER = "template <int N> struct S {{ cg::thread_block_tile<N> t; {} }};\n"


def found(text: str) -> list[bool]:
    """Whether each of them has a fix."""
    return [one.fix is not None for one in find_in_text(HEAD + text).findings if "constant-tile" in one.rule]


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.format("int b[t.size() * 2];"),
        KERNEL.format("constexpr unsigned n = t.num_threads();"),
        KERNEL.format("Of<t.size()> one;"),
        KERNEL.format("Of<decltype(t)::size()> one;"),
        KERNEL.format('static_assert(t.size() == 8, "");'),
        KERNEL.format("if constexpr (t.size() > 4) a[0] = 1;"),
        MEMBER.format("static constexpr int n() { return decltype(t)::num_threads(); }"),
    ],
)
def test_the_number_takes_the_place_of_the_call(text: str) -> None:
    assert found(text) == [True]


def test_a_size_that_is_not_seen_is_reported_alone() -> None:
    assert found("template <int N> __device__ void f(cg::thread_block_tile<2 * N> t) { int b[t.size()]; }\n") == [False]


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.format("a[t.size()] = t.num_threads();"),
        KERNEL.format("const int n = t.size(); for (int i = 0; i < t.size(); ++i) a[i] = n;"),
        KERNEL.format("constexpr int n = 4; int b[n]; a[b[0]] = sizeof(t) + t.size();"),
        MEMBER.format("int n() { return decltype(t)::num_threads(); }"),
        "struct Own { static constexpr int size() { return 4; } };\nint f(Own t) { int b[t.size()]; return b[0]; }\n",
    ],
)
def test_what_runs_and_what_is_no_tile_is_not(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("void f(cg::thread_block_tile<8> g) { int a[g.size()]; a[0] = 1; }", True),
        ("constexpr int f(cg::thread_block_tile<8> g) { int n = 0; n += g.size(); return n; }", True),
        ("void f(cg::thread_block_tile<8> g, int n) { for (int i = 0; i < n; i += g.size()) use(i); }", False),
        # A lambda that a macro is given: `path < n` is taken for the beginning of template arguments.
        (
            "void run(int n, int path) {\n  EVAL(c, (auto f = [=] __device__(cg::thread_block_tile<8> g) -> void {\n"
            "    if (path < n) { for (int i = 0; i < n; i += g.size()) use(i); }\n    eval<8, S<int> >(f); }));\n}",
            False,
        ),
    ],
)
def test_only_what_the_compiler_has_to_know_is_told(body: str, found: bool) -> None:
    rules = {one.rule for one in find_in_text(HEAD + "__device__ " + body + "\n", "a.cu", None).findings}
    assert ("cooperative-groups/constant-tile-size" in rules) == found
