"""A shift by a constant of another file is too wide where all files give that constant one number that makes it so."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

USE = """#include "sizes.h"
__device__ unsigned before(unsigned votes, unsigned at) {
  return __popc(votes << (LANES - (at % LANES)));
}
"""


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"sizes.h": "#define LANES 32\n"}, [("use.cu", 3)]),
        ({"sizes.h": "constexpr unsigned LANES = 32;\n"}, [("use.cu", 3)]),
        ({"sizes.h": "#define LANES 16\n"}, []),
        ({"sizes.h": "#ifdef WIDE\n#define LANES 64\n#else\n#define LANES 32\n#endif\n"}, []),
        ({"sizes.h": "#define LANES (1 << BITS)\n"}, []),
        ({"other.h": "// #define LANES 32\n"}, []),
        ({"sizes.h": "#  define /* lanes */ \\\n  LANES 32\n"}, [("use.cu", 3)]),
        ({"sizes.h": "#define LANES 32\n", "other.h": "#undef LANES\n"}, []),
        (
            {"sizes.h": "#define LANES 32\n", "other.h": "int LANES_SEEN = 64; // LANES, and define: another word\n"},
            [("use.cu", 3)],
        ),
    ],
)
def test_the_number_is_that_of_the_tree(files: dict[str, str], told: list[tuple[str, int]], tmp_path: Path) -> None:
    written(tmp_path, {"use.cu": USE, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    found = [one for one in findings if one.rule == "warp/wide-shift"]
    assert [(one.path, one.position.line) for one in found] == told
    assert all(USE[one.span.start : one.span.end].startswith("votes << (") for one in found)
    assert all([step.path for step in one.trace] == ["sizes.h"] for one in found)
