"""A macro of a header that follows the pass, by which other files qualify variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

MACRO = "#pragma once\n#ifdef __CUDA_ARCH__\n#define ON_BOTH __device__\n#else\n#define ON_BOTH\n#endif\n"
KERNEL = '#include "all.h"\n{}__global__ void k(int *a) {{ a[0] = 1; }}\n'
TABLE = "static const int ON_BOTH primes[2] = {2, 3};\n"
FUNCTION = "ON_BOTH inline int twice(int a) { return a + a; }\n"
IN_PASS, IN_BOTH = "defined(__HIP_DEVICE_COMPILE__)", "#if defined(__CUDA_ARCH__) || defined(__HIPCC__)"


@pytest.mark.parametrize(
    ("code", "test", "rules"),
    [
        (TABLE, IN_PASS, []),
        (TABLE + FUNCTION, IN_PASS, ["build/mixed-qualifier"]),
        (FUNCTION, IN_BOTH, ["build/pass-qualifier"]),
    ],
)
def test_what_other_files_qualify(tmp_path: Path, code: str, test: str, rules: list[str]) -> None:
    files = {"a.cu": KERNEL.format(code), "all.h": '#include "macro.h"\n', "macro.h": MACRO}
    made = pipeline.apply(written(tmp_path, files), Config(jobs=1))
    text = {one.path: one.after.decode() for one in made.conversions}["macro.h"]
    assert test in text
    assert ("__host__ __device__" in text) == (test == IN_BOTH)
    found = [one for one in made.report.findings if one.rule.endswith("-qualifier")]
    assert [one.rule for one in found] == rules


def test_a_file_that_does_not_include_it_counts_for_nothing(tmp_path: Path) -> None:
    own = (
        MACRO.removeprefix("#pragma once\n")
        .replace("__device__", "__constant__")
        .replace("ON_BOTH\n#endif", "ON_BOTH const\n#endif")
    )
    files = {"a.cu": KERNEL.format(FUNCTION), "all.h": '#include "macro.h"\n', "macro.h": MACRO}
    files["b.cu"] = own + TABLE + "__global__ void l(int *a) { a[0] = 1; }\n"
    made = pipeline.apply(written(tmp_path, files), Config(jobs=1))
    assert IN_BOTH in {one.path: one.after.decode() for one in made.conversions}["macro.h"]
