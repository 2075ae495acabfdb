"""Control files of Debian's packages name what a package depends on, in folded fields and among alternatives."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import debian
from cudamigrate.model import SourceFile


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Package: a\nDepends: nvidia-cuda-toolkit (>= 9.1), libc6\n", ["nvidia-cuda-toolkit", "libc6"]),
        ("Source: a\nBuild-Depends-Arch:\n debhelper,\n# cuda,\n bb:any | cc (= ${v})\n", ["debhelper", "bb", "cc"]),
        ("Package: a\nDepends: hipcc | nvidia-cuda-toolkit, ${shlibs:Depends}\n", []),
        ("Package: a\nConflicts: nvidia-cuda-toolkit\nDescription: x\n Depends: y\n", []),
        ("Depends: nvidia-cuda-toolkit\n", []),
    ],
)
def test_packages(text: str, found: list[str]) -> None:
    data = text.encode()
    uses = debian.parse(SourceFile("debian/control", data, "debian")).uses
    assert [data[use.span.start : use.span.end].decode() for use in uses] == found


def test_code_of_that_name_stays_code(tmp_path: Path) -> None:
    written(tmp_path, {"control.cu": KERNEL, "deb/control.templ": "Package: a\nDepends: nvidia-cuda-toolkit\n"})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert {one.path: one.language for one in report.files}["control.cu"] == "cuda"
    assert [one.path for one in report.findings if one.rule == "environment/cuda-package"] == ["deb/control.templ"]
