"""Notes keep what a person did in them when they are made anew."""

from __future__ import annotations

from cudamigrate.handover.notes_merge import merged

BASE = b"""# Notes

- [ ] `a.cu:1` `warp/x`: do y
- [ ] `a.cu:2` `warp/x`: do z
- [ ] `b.cu:3` `warp/x`: do y

## End
"""
MOVED = BASE.replace(b"a.cu:1", b"a.cu:11").replace(b"a.cu:2", b"a.cu:12, 15").replace(b"b.cu:3", b"c.cu:3")


def test_unchanged_notes_are_the_new_ones() -> None:
    assert merged(BASE, BASE, MOVED) == MOVED


def test_ticks_follow_their_items_to_new_lines() -> None:
    mine = BASE.replace(b"- [ ] `a.cu:2`", b"- [x] `a.cu:2`").replace(b"- [ ] `b.cu:3`", b"- [x] `b.cu:3`")
    assert merged(BASE, mine, MOVED) == MOVED.replace(b"- [ ] `a.cu:12", b"- [x] `a.cu:12")


def test_added_lines_stay_behind_their_line_and_removed_items_stay_out() -> None:
    mine = BASE.replace(b"do y\n- [ ] `a.cu:2`", b"do y\n  Ada does it.\n- [ ] `a.cu:2`").replace(
        b"- [ ] `b.cu:3` `warp/x`: do y\n", b""
    )
    new = merged(BASE, mine, BASE.replace(b":1`", b":9`"))
    assert new == mine.replace(b":1`", b":9`")


def test_lines_without_a_place_go_to_the_end() -> None:
    mine = BASE.replace(b"`b.cu:3` `warp/x`: do y\n", b"`b.cu:3` `warp/x`: do y\n  Asked on the list.\n")
    assert merged(BASE, mine, MOVED) == MOVED + b"\n## Notes kept\n\n  Asked on the list.\n"


def test_bytes_that_are_not_utf8_are_kept() -> None:
    assert b"\xff\n" in merged(BASE, BASE + b"\xff\n", MOVED)
