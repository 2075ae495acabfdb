from __future__ import annotations

import pytest

from cudamigrate.wording import count_of, vendored_files


@pytest.mark.parametrize(
    ("number", "thing", "said"),
    [(0, "file", "0 files"), (1, "fix", "1 fix"), (2, "fix", "2 fixes"), (12345, "more rule", "12,345 more rules")],
)
def test_a_number_with_what_it_counts(number, thing, said):
    assert count_of(number, thing) == said


def test_folders_of_others_are_named_by_how_much_they_hold():
    assert vendored_files({}) == ""
    assert (
        vendored_files({"a": 1, "b/c": 2})
        == "3 files in vendored folders skipped: b/c/ 2, a/ 1 (--vendored enters them)"
    )
    many = {f"d{number}": number for number in range(1, 8)}
    assert vendored_files(many).endswith("d4/ 4, d3/ 3 and 2 more (--vendored enters them)")
