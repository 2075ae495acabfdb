"""No finding says of a name what to do where another's fix takes the name away."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

READS = """\
#include <cuda_runtime.h>
__global__ void k(cudaSurfaceObject_t s, float *p) {{ surf2Dread(p, s, 4, 5, {mode}); }}
"""


@pytest.mark.parametrize(
    ("mode", "rules"),
    [
        ("cudaBoundaryModeZero", {"texture/surface-zero"}),
        ("cudaBoundaryModeClamp", {"texture/surface-boundary", "api/cudaBoundaryModeClamp"}),
    ],
)
def test_a_name_in_an_argument_that_goes(mode: str, rules: set[str]) -> None:
    found = find_in_text(READS.format(mode=mode)).findings
    assert {one.rule for one in found if "oundary" in one.rule or "zero" in one.rule} == rules
