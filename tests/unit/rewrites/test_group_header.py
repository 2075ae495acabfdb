"""Which includes of cooperative groups become our header, release by release."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <hip/hip_runtime.h>\n"
SOURCE = """#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>  // sums
#include <cooperative_groups/memcpy_async.h>
"""
OURS = '#include "cudamigrate_groups.h"'


@pytest.mark.parametrize(
    ("rocm", "lines"),
    [
        ("7.1", [OURS, "// sums"]),
        ("7.13", ["#include <hip/cooperative_groups/hip_reduce.h>", f"{OURS}  // sums"]),
        (
            "7.14",
            [
                "#include <hip/cooperative_groups/hip_reduce.h>",
                "#include <hip/cooperative_groups/hip_scan.h>  // sums",
                OURS,
            ],
        ),
        (
            "10.0",
            [
                "#include <hip/cooperative_groups/hip_reduce.h>",
                "#include <hip/cooperative_groups/hip_scan.h>  // sums",
                "#include <hip/hip_cooperative_groups.h>",
            ],
        ),
    ],
)
def test_one_include_of_ours_represents_what_the_release_lacks(rocm: str, lines: list[str]) -> None:
    after = find_in_text(HEAD + SOURCE, config=Config(rocm=rocm), unsafe=True).after
    assert [line.strip() for line in after.removeprefix(HEAD).splitlines()] == lines


def test_conditional_include_is_replaced_where_it_is() -> None:
    source = HEAD + "#ifdef FAST\n#include <cooperative_groups/reduce.h>\n#endif\n"
    after = find_in_text(source, "src/a.cu", Config(rocm="7.1"), unsafe=True).after
    assert after == source.replace("<cooperative_groups/reduce.h>", '"../cudamigrate_groups.h"')


def test_headers_are_replaced_unasked_and_never_for_the_full_wavefront() -> None:
    unasked, asked = (
        find_in_text(HEAD + SOURCE, config=Config(rocm="7.1"), unsafe=word).after for word in (False, True)
    )
    assert [line for line in unasked.splitlines() if "#include" in line] == [
        line for line in asked.splitlines() if "#include" in line
    ]
    assert find_in_text(HEAD + SOURCE, config=Config(rocm="7.1", wave="native"), unsafe=True).after == HEAD + SOURCE
