"""Code that need not be looked at closely: loops that count on what they ask, and expressions that do nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.expressions import does_nothing, doing
from cudamigrate.warp.waiting_loops import counts_only, waits

SOURCES = sorted((Path(__file__).parents[3] / "fixtures" / "lanes").rglob("*.cu"))
LOOPS = tree_sitter_nodes.Kinds("cuda", "for_statement")
VALUES = tree_sitter_nodes.Kinds("cuda", "init_declarator")


def _loop(text):
    root = tree_sitter_nodes.parse("cuda", text.encode()).root_node
    return LOOPS.below(root)[0], root


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < n; ++i) s += p[i];",
        "for (int i = 0; i < n; i += 32) { if (p[i]) s = q(i); }",
        "for (int i = n; i > 0; i >>= 1) { __syncthreads(); s += p[i]; }",
    ],
)
def test_a_loop_that_counts_on_what_it_asks_ends_by_itself(loop):
    node, root = _loop(f"__device__ void f(int* p, int n, int s) {{ {loop} }}")
    assert counts_only(node, root)
    assert waits(node, lambda *_: True) is None


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < n; ++i) { if (p[0]) break; }",
        "for (int i = 0; i < n; ++i) { if (p[0]) return; }",
        "for (int i = 0; i < n; ++i) { if (!p[0]) i = 0; }",
        "for (int i = 0; i < n; ++i) { n = p[0]; }",
        "for (int i = 0; i < n; i = p[0]) s += i;",
        "for (int i = 0; p[0] == 0; ++i) ;",
        "for (int i = 0; i < n && p[0]; ++i) ;",
        "for (int i = 0; i < n; ) i += p[0];",
        "for (;; ++n) if (p[0]) goto out;",
    ],
)
def test_any_other_loop_is_looked_at(loop):
    node, root = _loop(f"__device__ void f(int* p, int n, int s) {{ {loop} out: ; }}")
    assert not counts_only(node, root)


def test_no_loop_that_is_passed_over_waits():
    passed = 0
    for path in SOURCES:
        root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
        for loop in LOOPS.below(root):
            if counts_only(loop, root):
                assert waits(loop, lambda *_: True) is None, (path, loop.start_point)
                passed += 1
    assert passed


@pytest.mark.parametrize(
    ("value", "nothing"),
    [
        ("a[i] + 2 * (b - c.x)", True),
        ("a + f(i)", False),
        ("a[i++] + b", False),
        ("a + (b ? c : d)", False),
        ("a + *p", False),
        ("(a = b) + c", False),
        ("a + [] { return 1; }()", False),
        ("f(i)", False),
        ("a + ", False),
    ],
)
def test_an_expression_does_nothing_that_calls_changes_and_chooses_nothing(value, nothing):
    root = tree_sitter_nodes.parse("cuda", f"void g() {{ int v = {value}; h(v); }}".encode()).root_node
    held = VALUES.below(root)
    node = held[0].child_by_field_name("value") if held else root
    assert does_nothing(node, doing(root)) is nothing
