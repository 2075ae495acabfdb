"""What the pass for the host leaves out, by macros of a file's own that only the device's pass defines."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.host_pass import leaves_out
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

TAKEN = "#if !defined(__CUDA_ARCH__)\n#undef FAST\n#endif\n"
GIVEN = "#ifdef __CUDA_ARCH__\n#define FAST 1\n#endif\n"


@pytest.mark.parametrize(
    ("head", "asks", "out"),
    [
        ("", "#ifdef __CUDA_ARCH__", True),
        ("", "#ifndef __CUDA_ARCH__", False),
        (f"#define FAST\n{TAKEN}", "#ifdef FAST", True),
        (f"#define FAST\n{TAKEN}", "#ifndef FAST", False),
        (GIVEN, "#ifdef FAST", True),
        (GIVEN, "#if FAST && OTHER", True),
        (GIVEN, "#if FAST || OTHER", False),
        (f"{TAKEN}#define FAST\n", "#ifdef FAST", False),
        (f"#define FAST\n{GIVEN}", "#ifdef FAST", False),
        (f"{GIVEN}#ifdef OTHER\n#define FAST 2\n#endif\n", "#ifdef FAST", False),
        ("#define FAST\n#ifdef OTHER\n#undef FAST\n#endif\n", "#ifdef FAST", False),
        ("", "#ifdef FAST", False),  # a build may define it
    ],
)
def test_branches_that_the_host_never_reads(head: str, asks: str, out: bool) -> None:
    text = f"{head}float f(float v) {{\n{asks}\n    return mark(v);\n#endif\n    return v;\n}}\n"
    parsed = cuda.parse(SourceFile("a.cuh", text.encode(), "cuda"), frozenset())
    assert leaves_out(parsed, text.index("mark")) is out
