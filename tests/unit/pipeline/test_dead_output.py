"""Output that a constant condition leaves out costs nothing; any other call of the function does."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

KERNEL = """#include "settings.h"
__global__ void k(int *a, int n) {
  if (CONDITION) { printf("%d\\n", a[0]); }
  LAST
  a[1] = n;
}
"""
TRUE = "static constexpr bool RELEASE{true};\n"


@pytest.mark.parametrize(
    ("settings", "condition", "last", "is_found"),
    [
        (TRUE, "!RELEASE", "", False),
        (TRUE, "!RELEASE && n > 3", "", False),
        ("constexpr bool RELEASE = true;\n", "n && !(RELEASE)", "", False),
        ("constexpr static int TALKS = 0;\n", "TALKS", "", False),
        (TRUE, "RELEASE", "", True),
        (TRUE, "!RELEASE || n > 3", "", True),
        (TRUE, "n > 3", "", True),
        (TRUE.replace("constexpr ", ""), "!RELEASE", "", True),  # somebody may set it
        (TRUE.replace("true", "false"), "!RELEASE", "", True),
        ("#ifdef A\n" + TRUE + "#else\n" + TRUE.replace("true", "false") + "#endif\n", "!RELEASE", "", True),
        (TRUE + "struct S { bool RELEASE; };\n", "!RELEASE", "", True),  # another thing of the name
        (TRUE, "!RELEASE", 'printf("%d\\n", n);', True),
        (TRUE, "!RELEASE", 'if (!RELEASE) { n = 2; } else { printf("%d\\n", n); }', True),
    ],
)
def test_output_that_never_runs(tmp_path: Path, settings: str, condition: str, last: str, is_found: bool) -> None:
    code = KERNEL.replace("CONDITION", condition).replace("LAST", last)
    found = scanned(tmp_path, {"settings.h": "#pragma once\n" + settings, "k.cu": code}).findings
    assert any(one.rule == "launch/device-output" for one in found) == is_found
