"""Finding nodes of some kinds: as the parser's own search finds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tree_sitter import Query, QueryCursor
from work import STEPS, calls

from cudamigrate.syntax import tree_sitter_nodes

SOURCES = sorted((Path(__file__).parents[3] / "fixtures" / "lanes").rglob("*.cu"))[:20]


KINDS = [("call_expression",), ("function_definition", "struct_specifier"), ("declaration",)]


def _listed(nodes):
    return [(node.type, node.start_byte, node.end_byte) for node in nodes]


def _searched(kinds, root):
    """What the parser's own search finds, in the order of the file."""
    query = Query(tree_sitter_nodes.grammar("cuda"), " ".join(f"({kind}) @{kind}" for kind in kinds))
    found = QueryCursor(query).captures(root)
    return sorted(_listed(node for nodes in found.values() for node in nodes), key=lambda one: (one[1], -one[2]))


@pytest.mark.parametrize("kinds", KINDS)
def test_the_nodes_are_those_of_the_parsers_own_search(kinds):
    number = 0
    for path in SOURCES:
        root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
        found = _listed(tree_sitter_nodes.Kinds("cuda", *kinds).below(root))
        assert found == _searched(kinds, root)
        number += len(found)
    assert number


def test_a_word_of_the_language_is_no_node_of_that_kind():
    root = tree_sitter_nodes.parse("python", b"lambda: 1\nif x: pass\n").root_node
    assert _listed(tree_sitter_nodes.Kinds("python", "lambda", "if").below(root)) == [("lambda", 0, 9)]


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


def test_deep_trees_are_walked_to_their_end():
    depth = 20_000
    text = b"void f() { " + b"if (n) { g(n); " * depth + b"}" * depth + b" }"
    root = tree_sitter_nodes.parse("cuda", text).root_node
    assert len(tree_sitter_nodes.Kinds("cuda", "call_expression").below(root)) == depth


def test_what_is_around_a_node_deep_in_a_tree_is_what_its_parents_are():
    calls = tree_sitter_nodes.Kinds("cuda", "call_expression")
    root = tree_sitter_nodes.parse("cuda", b"void f() { " + b"if (n) { g(n); " * 40 + b"}" * 40 + b" }").root_node
    for node in (*calls.below(root), root):
        around, parents = node, []
        while (around := around.parent) is not None:
            parents.append(around)
        assert list(tree_sitter_nodes.ancestors(node)) == parents
    assert len(parents) == 0


def test_what_is_around_a_node_is_known_of_a_tree_that_nobody_looked_through():
    node = tree_sitter_nodes.parse("cuda", b"int x = " + b"(" * 30 + b"1" + b")" * 30 + b";").root_node
    while node.named_child_count:
        node = node.named_children[-1]
    assert [one.type for one in tree_sitter_nodes.ancestors(node)][-2:] == ["declaration", "translation_unit"]


@pytest.mark.parametrize("words", [1, 3, 100])
def test_a_text_with_some_words_left_out_is_read_as_if_it_was_the_first(words):
    text = b"int first();\n" + b"LIB_API void f(int n) { g(n); }\n" * words + b"int last();\n"
    changed = text.replace(b"LIB_API", b" " * 7)
    spans = [(at, at + 7) for at in range(len(text)) if text.startswith(b"LIB_API", at)]
    before = tree_sitter_nodes.parse("cuda", text)
    as_it_was = str(before.root_node)
    again = tree_sitter_nodes.parse_again("cuda", before, text, changed, spans)
    fresh = tree_sitter_nodes.parse("cuda", changed)
    assert str(again.root_node) == str(fresh.root_node) != as_it_was == str(before.root_node)
    kinds = tree_sitter_nodes.Kinds("cuda", "function_definition", "call_expression")
    assert _listed(kinds.below(again.root_node)) == _listed(kinds.below(fresh.root_node))
    assert [node.start_point for node in kinds.below(again.root_node)] == [
        node.start_point for node in kinds.below(fresh.root_node)
    ]


def test_a_kind_that_is_looked_for_later_is_in_its_place_among_those_before():
    root = tree_sitter_nodes.parse("cuda", b"struct A { int a; }; enum B { b }; struct C { int c; };").root_node
    first = tree_sitter_nodes.Kinds("cuda", "struct_specifier")
    assert [start for _, start, _ in _listed(first.below(root))] == [0, 35]
    both = tree_sitter_nodes.Kinds("cuda", "enum_specifier", "struct_specifier", "concept_definition")
    assert [start for _, start, _ in _listed(both.below(root))] == [0, 21, 35]
    assert list(both.starts(root)) == [0, 21, 35]
    assert _listed(first.within(root, both.below(root)[2])) == [("struct_specifier", 35, 54)]


def test_a_sign_of_several_words_hides_nothing():
    root = tree_sitter_nodes.parse("python", b"a is not f(b) and g(c) not in h(d)\n").root_node
    assert len(tree_sitter_nodes.Kinds("python", "call").below(root)) == 3


@pytest.mark.parametrize("kinds", [*KINDS, ("if_statement", "compound_statement")])
def test_what_is_around_a_node_is_what_a_climb_finds(kinds):
    number = 0
    for path in SOURCES:
        root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
        known = tree_sitter_nodes.Kinds("cuda", *kinds)
        for node in tree_sitter_nodes.Kinds("cuda", "identifier", *kinds).below(root):
            climbed = [one for one in tree_sitter_nodes.ancestors(node) if one.type in kinds]
            assert list(known.around(root, node)) == climbed
            number += len(climbed)
    assert number


def _every_node(root):
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(node.children)


def test_the_node_around_one_is_its_parent_in_every_tree_that_was_looked_through_and_in_others():
    kinds, number = tree_sitter_nodes.Kinds("cuda", "call_expression"), 0
    text = b"LIB_API void f(int n) { if (n) { g(n, (n)); } else ; }\n" * 3
    spans = [(at, at + 7) for at in range(len(text)) if text.startswith(b"LIB_API", at)]
    first = tree_sitter_nodes.parse("cuda", text)
    again = tree_sitter_nodes.parse_again("cuda", first, text, text.replace(b"LIB_API", b" " * 7), spans)
    other = tree_sitter_nodes.parse("cuda", text)
    kinds.below(first.root_node)
    kinds.below(again.root_node)
    for tree in (first, again, other, first):  # two of them share nodes, the third was not looked through
        for node in _every_node(tree.root_node):
            assert tree_sitter_nodes.parent(node) == node.parent
            number += node.parent is not None
    assert number
    for path in SOURCES[:5]:
        root = tree_sitter_nodes.parse("cuda", path.read_bytes()).root_node
        kinds.below(root)
        assert all(tree_sitter_nodes.parent(node) == node.parent for node in _every_node(root))


def test_the_nodes_around_many_deep_ones_are_found_from_what_is_near():
    wanted, work = tree_sitter_nodes.Kinds("cuda", "call_expression"), []
    for depth in (50, 200):
        text = b"void f() { " + b"if (n) { g(n); " * depth + b"}" * depth + b" }"
        root = tree_sitter_nodes.parse("cuda", text).root_node
        found = wanted.below(root)
        work.append(calls(lambda nodes=found: [tree_sitter_nodes.parent(node) for node in nodes]))
        parents = [tree_sitter_nodes.parent(node) for node in found]
        assert [node.type for node in parents] == ["expression_statement"] * depth
    assert work[1] < STEPS * work[0]
