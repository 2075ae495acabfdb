"""Finding nodes of some kinds: walked or searched, they are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.syntax import tree_sitter_nodes

SOURCES = sorted((Path(__file__).parents[3] / "fixtures" / "lanes").rglob("*.cu"))[:20]


@pytest.mark.parametrize("kinds", [("call_expression",), ("function_definition", "struct_specifier"), ("declaration",)])
def test_walking_and_the_parsers_search_find_the_same(kinds, monkeypatch):
    walked = tree_sitter_nodes.Kinds("cuda", *kinds)
    searched = tree_sitter_nodes.Kinds("cuda", *kinds)
    searched._walked = 10**9
    number = 0
    for path in SOURCES:
        root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
        walked._walked = 0
        found = [(node.type, node.start_byte, node.end_byte) for node in walked.below(root)]
        assert found == [(node.type, node.start_byte, node.end_byte) for node in searched.below(root)]
        number += len(found)
    assert number and walked._query is None and searched._query is not None


def test_the_search_is_prepared_once_much_was_walked():
    kinds = tree_sitter_nodes.Kinds("python", "call")
    root = tree_sitter_nodes.parse("python", b"f(1)\n" * 4000).root_node
    assert [len(kinds.below(root)) for _ in range(3)] == [4000] * 3
    assert kinds._query is not None
