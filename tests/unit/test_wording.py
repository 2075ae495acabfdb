from __future__ import annotations

import pytest

from cudamigrate.wording import count_of


@pytest.mark.parametrize(
    ("number", "thing", "said"),
    [(0, "file", "0 files"), (1, "fix", "1 fix"), (2, "fix", "2 fixes"), (12345, "more rule", "12,345 more rules")],
)
def test_a_number_with_what_it_counts(number, thing, said):
    assert count_of(number, thing) == said
