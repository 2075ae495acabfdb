"""A call that gets a name in a namespace is told from a declaration of that name by the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (
            "void f(nvtxEventAttributes_t a) {\n  a.version = 1;\n#ifdef WITH_MARKS\n  nvtxMarkEx(&a);\n#endif\n}\n",
            True,
        ),
        ("void f(nvtxEventAttributes_t a) {\n#if WITH_MARKS\n  return nvtxMarkEx(&a);\n#endif\n}\n", True),
        ("#ifdef WITH_MARKS\nint nvtxMarkEx(const nvtxEventAttributes_t *a);\n#endif\n", False),
        ("void f(nvtxEventAttributes_t a) {\n  made nvtxMarkEx(a);\n}\n", False),
    ],
)
def test_a_word_of_a_directive_before_a_call_is_no_type(text: str, called: bool, tmp_path: Path) -> None:
    written(tmp_path, {"a.cu": "#include <nvToolsExt.h>\n" + text})
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert ("api/nvtxMarkEx" in rules) is called


@pytest.mark.parametrize(
    ("text", "written_as"),
    [
        ("cuuint64_t most = (cuuint64_t)-1;\n", "uint64_t most = (uint64_t)-1;\n"),
        ("cuuint32_t box[2];\n", "uint32_t box[2];\n"),
        ("int cuuint64_t_size;\n", "int cuuint64_t_size;\n"),
    ],
)
def test_the_drivers_integers_are_those_of_c(text: str, written_as: str, tmp_path: Path) -> None:
    written(tmp_path, {"a.cu": "#include <cuda.h>\nint n = cuInit(0);\n" + text})
    (made,) = pipeline.apply(tmp_path, Config(jobs=1)).conversions
    assert made.after.decode().endswith(written_as)
