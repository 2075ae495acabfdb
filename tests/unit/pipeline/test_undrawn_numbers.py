"""Seeds of cuRAND are spoken of where some file of the repository draws numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SEEDS = "#include <curand_kernel.h>\n__global__ void seed(curandState *s) { curand_init(1, threadIdx.x, 0, s); }\n"


@pytest.mark.parametrize(
    ("line", "spoken"),
    [
        ("*a = curand_uniform(s);", True),
        ("*a = curand(s);", True),
        ("// *a = curand_normal(s);", False),
        ("curandState mine = *s;", False),
    ],
)
def test_states_that_nobody_draws_from_have_no_sequence(line: str, spoken: bool, tmp_path: Path) -> None:
    draw = f"#include <curand_kernel.h>\n__global__ void draw(curandState *s, float *a) {{\n{line}\n}}\n"
    written(tmp_path, {"seed.cu": SEEDS, "draw.cu": draw})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert ("math/random-sequence" in {one.rule for each in report.files for one in each.findings}) is spoken
