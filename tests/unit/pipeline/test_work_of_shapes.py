"""Shapes of code whose cost once grew with the square of the text: the work on four times the text is counted.

The bench of growth takes the time of long texts; here short ones tell what would be slow there.
"""

from __future__ import annotations

import pytest
from work import STEPS, calls

from cudamigrate.pipeline.rule_tests import find_in_text
from tests.bench.growth import SHAPES

FEW, MANY = 60, 240


@pytest.mark.exhaustive
@pytest.mark.parametrize("shape", SHAPES)
def test_the_work_grows_with_the_text(shape: str) -> None:
    path, text = SHAPES[shape]
    find_in_text(text(FEW), path, None)  # modules are imported, and patterns compiled
    few, many = (calls(lambda count=count: find_in_text(text(count), path, None)) for count in (FEW, MANY))
    assert many < STEPS * few
