"""`__restrict__` ahead of types that other files declare: the word goes where they are values."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

TYPES = "#pragma once\n#ifdef WIDE\ntypedef double real_t;\n#else\ntypedef float real_t;\n#endif\nstruct Point;\n"
KERNEL = "__global__ void k(const __restrict__ {0} *a, __restrict__ {0} *b, {0} *__restrict__ c) {{ b[0] = a[0]; }}\n"


def converted(tmp_path: Path, files: dict[str, str], path: str) -> str:
    made = pipeline.apply(written(tmp_path, files), Config(jobs=1))
    return next((one.after.decode() for one in made.conversions if one.path == path), "")


@pytest.mark.parametrize("kind", ["real_t", "Point", "cuFloatComplex"])
def test_the_word_goes_ahead_of_a_value(kind: str, tmp_path: Path) -> None:
    files = {"types.h": TYPES, "a.cu": '#include "types.h"\n#include <cuComplex.h>\n' + KERNEL.format(kind)}
    after = converted(tmp_path, files, "a.cu")
    assert after.count("__restrict__") == 1 and "*__restrict__ c" in after


def test_a_header_sees_what_is_included_ahead_of_it(tmp_path: Path) -> None:
    files = {"types.h": TYPES, "k.cuh": KERNEL.format("real_t"), "a.cu": '#include "types.h"\n#include "k.cuh"\n'}
    assert converted(tmp_path, files, "k.cuh").count("__restrict__") == 1


@pytest.mark.parametrize(
    ("types", "include"),
    [
        (TYPES.replace("float real_t", "float *real_t"), "types.h"),
        (TYPES + "using real_t = float *;\n", "types.h"),
        (TYPES, "other.h"),
    ],
)
def test_the_word_stays_ahead_of_what_may_be_a_pointer(types: str, include: str, tmp_path: Path) -> None:
    files = {"types.h": types, "other.h": "#pragma once\n"}
    files["a.cu"] = f'#include <cuda_runtime.h>\n#include "{include}"\n' + KERNEL.format("real_t")
    assert converted(tmp_path, files, "a.cu").count("__restrict__") == 3


def test_a_parameter_of_a_template_hides_the_type(tmp_path: Path) -> None:
    code = '#include <cuda_runtime.h>\n#include "types.h"\ntemplate <class real_t> ' + KERNEL.format("real_t")
    assert converted(tmp_path, {"types.h": TYPES, "a.cu": code}, "a.cu").count("__restrict__") == 3
