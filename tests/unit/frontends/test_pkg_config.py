"""Files of pkg-config: what users of a library are given of CUDA."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import pkg_config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text

TEXT = """prefix=/usr/local
cuda=/usr/local/cuda
Name: grid
Requires.private: cusparse-12.4, zlib
Libs: -L${prefix}/lib -lgrid \\
  -L/usr/local/cuda-12.4/lib64/stubs -lcublas
Cflags: -I/usr/local/cuda/include
"""


def test_options_and_folders_become_hips() -> None:
    made = find_in_text(TEXT, "grid.pc").after
    assert "cuda=/opt/rocm\n" in made
    assert "-L/opt/rocm/lib -lhipblas\n" in made
    assert "Cflags: -I/opt/rocm/include -D__HIP_PLATFORM_AMD__\n" in made


def test_packages_are_reported() -> None:
    found = find_in_text(TEXT, "grid.pc.in").findings
    assert [one.name for one in found if one.rule == "build/pkg-config-package"] == ["package of CUDA"]


@pytest.mark.parametrize(
    "text",
    ["Libs: -L/opt/cuda-math -lcurl\n", "Description: cublas in /usr/local/cuda/include\n", "Name: cuda\n", "\\"],
)
def test_other_words_stay(text: str) -> None:
    found = find_in_text(text, "grid.pc")
    assert (found.after, list(found.findings)) == (text, [])


def test_lines_that_are_none_count_as_broken() -> None:
    assert pkg_config.broken(b"# note\n@SET_MAKE@\n\na=b\nLibs: -lx\n") == 0
    assert pkg_config.broken(b"a b c\n") == 5
    assert pkg_config.parse(SourceFile("a.pc", b"\xff\x00=", "pkgconfig")).uses == []
