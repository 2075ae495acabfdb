"""HIP's header behind the condition that a project reads no stand-in for CUDA of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

FAKE = "#pragma once\n#ifdef WITH_GPU\n#error\n#endif\nusing cudaStream_t = int *;\n"
FAKE += "struct Dim { int x; };\nstatic Dim threadIdx;\n"
USES = "#pragma once\n@\nstruct Context { cudaStream_t stream; };\n"
PLAIN = "#include <hip/hip_runtime.h>\n"
BEHIND = "#ifdef WITH_GPU\n#include <hip/hip_runtime.h>\n#endif\n"


def added(tmp_path: Path, files: dict[str, str]) -> dict[str, str]:
    """What the fixes of HIP's header write, by path."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    found = (one for one in report.findings if one.rule == "build/implicit-runtime-header" and one.fix is not None)
    return {one.path: one.fix.edits[0].replacement.decode() for one in found if one.fix is not None}


@pytest.mark.parametrize(
    ("include", "text"),
    [
        ('#ifndef WITH_GPU\n#include "fake.h"\n#endif', BEHIND),
        ('#if !defined(WITH_GPU)\n#include "fake.h"\n#endif', BEHIND),
        ('#ifdef WITH_GPU\n#define ON\n#else\n#include "fake.h"\n#endif', BEHIND),
        ('#ifndef WITH_GPU\n#include "sizes.h"\n#endif', PLAIN),  # it declares nothing of CUDA's
        ('#ifndef WITH_GPU\n#include "absent.h"\n#endif', PLAIN),
        ('#ifndef __CUDACC__\n#include "fake.h"\n#endif', PLAIN),  # HIP's compiler defines no such macro
        ('#ifdef WITHOUT_GPU\n#include "fake.h"\n#endif', PLAIN),  # it says not what is set for CUDA
    ],
)
def test_what_reads_a_stand_in_includes_hips_header_behind_the_opposite_condition(
    tmp_path: Path, include: str, text: str
) -> None:
    files = {
        "fake.h": FAKE,
        "sizes.h": "#pragma once\nusing size = int;\n",
        "context.h": USES.replace("@", include),
        "other.h": USES.replace("@\n", ""),
        "reads.cuh": '#pragma once\n#include "context.h"\n__device__ int twice(int a);\n',
        "a.cu": '#include "reads.cuh"\n#include "other.h"\n__device__ int twice(int a) { return 2 * a; }\n',
    }
    found = added(tmp_path, files)
    assert (found["context.h"], found["other.h"]) == (text, PLAIN)
    assert found.get("reads.cuh", text) == text and ("fake.h" in found) == (text == PLAIN)
