"""The edit engine: order, overlap, nesting, and bytes that stay."""

from dataclasses import replace

from cudamigrate.edits import Offsets, apply
from cudamigrate.model import Edit, Fix, Span


def fix(*edits: tuple[int, int, bytes]) -> Fix:
    return Fix(tuple(Edit(Span(start, end), new) for start, end, new in edits), "safe")


def test_no_fixes_is_identity() -> None:
    assert apply(b"\xef\xbb\xbfa\r\n\xe9", []).data == b"\xef\xbb\xbfa\r\n\xe9"


def test_fixes_apply_left_to_right_whatever_their_order() -> None:
    fixes = [fix((4, 5, b"E")), fix((0, 1, b"AA"))]
    assert apply(b"abcde", fixes).data == b"AAbcdE"


def test_overlapping_fix_is_skipped_whole() -> None:
    first, second = fix((0, 3, b"x")), fix((2, 4, b"y"), (6, 7, b"z"))
    result = apply(b"abcdefgh", [second, first])
    assert result.data == b"xdefgh"
    assert result.rejected == (second,)


def test_touching_fixes_both_apply() -> None:
    assert apply(b"abcd", [fix((0, 2, b"x")), fix((2, 4, b"y"))]).data == b"xy"


def test_identical_edits_count_once() -> None:
    line = (0, 0, b"#include <h>\n")
    assert apply(b"ab", [fix((0, 1, b"x"), line), fix((1, 2, b"y"), line)]).data == b"#include <h>\nxy"


def test_insertion_inside_a_replaced_range_is_rejected() -> None:
    inner = fix((2, 2, b"("))
    assert apply(b"abcd", [fix((0, 4, b"x")), inner]).rejected == (inner,)


def test_insertion_beside_a_replacement_comes_first() -> None:
    assert apply(b"f(a)", [fix((0, 1, b"g"), (2, 2, b"W("), (3, 3, b")")), fix((2, 3, b"b"))]).data == b"g(W(b))"


def test_nested_wraps_close_inside_out() -> None:
    # f(g(a)): f wraps its argument, g wraps its own.
    outer = fix((0, 1, b"F"), (2, 2, b"<"), (6, 6, b">"))
    inner = fix((2, 3, b"G"), (4, 4, b"["), (5, 5, b"]"))
    assert apply(b"f(g(a))", [inner, outer]).data == b"F(<G([a])>)"


def test_insertions_at_one_offset_nest() -> None:
    outer = fix((0, 0, b"("), (3, 3, b")"))
    inner = fix((1, 1, b"["), (3, 3, b"]"))
    assert apply(b"abc", [outer, inner]).data == b"(a[bc])"


def test_applied_fixes_are_reported_in_file_order() -> None:
    first, second = fix((0, 1, b"x")), fix((2, 3, b"y"))
    assert apply(b"abc", [second, first]).applied == (first, second)


def test_many_fixes_in_one_file() -> None:
    data = b"ab" * 20_000
    fixes = [fix((at, at + 1, b"x")) for at in range(0, len(data), 2)]
    assert apply(data, fixes).data == b"xb" * 20_000


def test_a_group_is_applied_whole_or_not_at_all() -> None:
    first = fix((0, 3, b"x"))
    inside, outside = (replace(f, group="k") for f in (fix((2, 4, b"y")), fix((6, 7, b"z"))))
    freed = fix((3, 5, b"w"))
    result = apply(b"abcdefgh", [first, inside, outside, freed])
    assert result.data == b"xwfgh"
    assert result.rejected == (inside, outside)


def test_places_are_found_again_before_and_after() -> None:
    replaced, taken, added = Edit(Span(2, 4), b"XYZ"), Edit(Span(6, 8), b""), Edit(Span(8, 8), b"+")
    fixes = [Fix((edit,), "safe") for edit in (replaced, taken, added)]
    offsets = Offsets(fixes)
    assert apply(b"0123456789", fixes).data == b"01XYZ45+89"
    assert [offsets.moved(at) for at in range(11)] == [0, 1, 2, 2, 5, 6, 7, 7, 8, 9, 10]
    assert [offsets.origin(at) for at in range(11)] == [0, 1, 2, 2, 2, 4, 5, 8, 8, 9, 10]
