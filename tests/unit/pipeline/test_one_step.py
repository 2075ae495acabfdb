"""One package in the include path is one finding, however many files include its headers."""

from __future__ import annotations

from pathlib import Path

from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "api/shared-libcudacxx-headers"


def said(root: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1, cache=False))
    return [(one.path, one.position.line, one.message) for one in report.findings if one.rule == RULE]


def test_headers_of_one_package_are_one_finding_that_counts_them(tmp_path: Path) -> None:
    two = "#include <cuda/atomic>\n#include <cuda/std/span>\n"
    ((path, line, message),) = said(tmp_path, {"b.cu": two, "a.cu": f"\n{two}"})
    assert (path, line) == ("a.cu", 2)
    assert message.endswith("4 includes in 2 files need it.")


def test_a_single_include_counts_nothing_and_other_rules_keep_all_their_findings(tmp_path: Path) -> None:
    used = "cuda::barrier<cuda::thread_scope_block> *b;\n"
    lone = f"#include <cuda/atomic>\n#include <cuda/barrier>\n{used}"
    found = said(tmp_path, {"a.cu": lone, "b.cu": f"#include <cuda/barrier>\n{used}"})
    assert [(path, line) for path, line, _ in found] == [("a.cu", 1)] and "need it" not in found[0][2]
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    assert [one.path for one in report.findings if one.rule == "api/thread-synchronization-headers"] == ["a.cu", "b.cu"]
