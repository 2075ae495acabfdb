"""A header that is included behind a test which fails on AMD is not judged for that test, which is named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.include_closure import IncludeResolver, headers
from cudamigrate.model.verification import Verdict
from cudamigrate.verification import causes, gated_includes

GATE = '#if defined(__CUDA_ARCH__)\n  #if __CUDA_ARCH__ < 700\n  #define OLD\n  #endif\n#include "dev.h"\n#endif\n'
DEEP = {"dev.h": '#include "deep.h"\n', "deep.h": "wrong_type a;\n"}


def reasons(root: Path, files: Mapping[str, str], read: tuple[str, ...] = ("a.h",)) -> Mapping[str, str]:
    for name, text in files.items():
        (root / name).write_text(text)
    text = lambda path: (root / path).read_bytes() if (root / path).exists() else b""  # noqa: E731
    tree = IncludeResolver(str(root), build_flags.read(root), ("/usr/include",), text, paths=headers(root))
    return gated_includes.reasons(read, {"dev.h", "deep.h"}, tree)


def test_the_test_is_named_for_all_that_the_header_includes(tmp_path: Path) -> None:
    said = "included behind `defined(__CUDA_ARCH__)` in a.h:1, which does not hold on AMD"
    assert reasons(tmp_path, {"a.h": GATE, **DEEP}) == {"dev.h": said, "deep.h": said}


@pytest.mark.parametrize(
    "gate",
    [
        '#include "dev.h"\n',
        '#if defined(FAST)\n#include "dev.h"\n#endif\n',
        '#if __CUDA_ARCH__ < 700\n#include "dev.h"\n#endif\n',  # AMD has no number, which is less
        '#if defined(__CUDA_ARCH__) || defined(__HIPCC__)\n#include "dev.h"\n#endif\n',
        "#if defined(__CUDA_ARCH__)\n#endif\n",
        '#if defined(__CUDA_ARCH__)\n#include "absent.h"\n#endif\n',
    ],
)
def test_a_header_that_another_reason_leaves_out_has_none(tmp_path: Path, gate: str) -> None:
    assert reasons(tmp_path, {"a.h": gate, **DEEP}) == {}


def test_a_file_that_no_unit_reads_gives_no_reason(tmp_path: Path) -> None:
    assert reasons(tmp_path, {"a.h": GATE, "b.h": "", **DEEP}, ("b.h",)) == {}


def test_a_verdict_says_so() -> None:
    gate = "included behind `X` in a.h:1" + gated_includes.FAILS
    assert causes.lone(Verdict("dev.h", "failed"), gate).headers == (gate,)
    assert causes.lone(Verdict("dev.h", "failed")).headers == ("a header that no judged file includes",)
    assert causes.lone(Verdict("dev.h", "checked"), gate).headers == ()
