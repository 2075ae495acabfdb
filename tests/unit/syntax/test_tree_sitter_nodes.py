"""Finding nodes of some kinds: walked or searched, they are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.syntax import tree_sitter_nodes

SOURCES = sorted((Path(__file__).parents[3] / "fixtures" / "lanes").rglob("*.cu"))[:20]


KINDS = [("call_expression",), ("function_definition", "struct_specifier"), ("declaration",)]


def _listed(nodes):
    return [(node.type, node.start_byte, node.end_byte) for node in nodes]


def _found(kinds, path, walked, monkeypatch):
    """The nodes of a file that a walk finds, or the parser's own search."""
    monkeypatch.setitem(tree_sitter_nodes.Kinds._walked, "cuda", 0 if walked else 10**9)
    root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
    return _listed(tree_sitter_nodes.Kinds("cuda", *kinds).below(root))


@pytest.mark.parametrize("kinds", KINDS)
def test_walking_and_the_parsers_search_find_the_same(kinds, monkeypatch):
    number = 0
    for path in SOURCES:
        found = _found(kinds, path, True, monkeypatch)
        assert found == _found(kinds, path, False, monkeypatch)
        number += len(found)
    assert number


@pytest.mark.parametrize("kinds", KINDS)
def test_nodes_of_a_part_are_the_same_whether_the_tree_or_the_part_is_gone_through(kinds):
    wanted, number = tree_sitter_nodes.Kinds("cuda", *kinds), 0
    functions = tree_sitter_nodes.Kinds("cuda", "function_definition")
    for path in SOURCES:
        root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
        for function in functions.below(root):
            found = _listed(wanted.within(root, function))
            assert found == _listed(wanted.below(function))
            number += len(found)
    assert number


def test_trees_are_told_apart():
    kinds = tree_sitter_nodes.Kinds("python", "call")
    roots = [tree_sitter_nodes.parse("python", b"f(1)\n" * number).root_node for number in range(1, 6)]
    assert [len(kinds.below(root)) for root in (*roots, *roots)] == [1, 2, 3, 4, 5] * 2


def test_the_search_is_prepared_once_much_was_walked(monkeypatch):
    monkeypatch.setitem(tree_sitter_nodes.Kinds._walked, "python", 0)
    kinds, made = tree_sitter_nodes.Kinds("python", "call"), []
    search = tree_sitter_nodes._query
    monkeypatch.setattr(tree_sitter_nodes, "_query", lambda *words: made.append(words) or search(*words))
    assert len(kinds.below(tree_sitter_nodes.parse("python", b"f(1)\n" * 40).root_node)) == 40 and not made
    for number in (4000, 4001):
        assert len(kinds.below(tree_sitter_nodes.parse("python", b"f(1)\n" * number).root_node)) == number
    assert len(set(made)) == 1


def test_trees_deeper_than_the_parsers_search_can_count_are_walked(monkeypatch):
    monkeypatch.setitem(tree_sitter_nodes.Kinds._walked, "cuda", 10**9)
    monkeypatch.setattr(tree_sitter_nodes, "_query", lambda *words: pytest.fail("searched"))
    depth = 20_000
    text = b"void f() { " + b"if (n) { g(n); " * depth + b"}" * depth + b" }"
    root = tree_sitter_nodes.parse("cuda", text).root_node
    assert len(tree_sitter_nodes.Kinds("cuda", "call_expression").below(root)) == depth


def test_long_trees_that_are_not_deep_are_searched(monkeypatch):
    monkeypatch.setitem(tree_sitter_nodes.Kinds._walked, "cuda", 10**9)
    made, search = [], tree_sitter_nodes._query
    monkeypatch.setattr(tree_sitter_nodes, "_query", lambda *words: made.append(words) or search(*words))
    root = tree_sitter_nodes.parse("cuda", b"void f() { g(1); }\n" * 5_000).root_node
    assert len(tree_sitter_nodes.Kinds("cuda", "call_expression").below(root)) == 5_000 and made
