"""Headers of submodules that were not fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.verification import submodules

MODULES = """\
[submodule "vec"]
\tpath = third_party/vec
\turl = https://example.org/vec.git
[submodule "there"]
\tpath = third_party/there
\turl = https://example.org/there.git
[submodule "gone"]
\tpath = ext/libgone
\turl = https://example.org/gone.git
"""


def test_the_submodules_with_empty_folders_are_known(tmp_path: Path) -> None:
    assert submodules.absent(tmp_path) == []
    written(tmp_path, {".gitmodules": MODULES, "third_party/there/there.h": "\n"})
    (tmp_path / "third_party" / "vec").mkdir()
    assert submodules.absent(tmp_path) == ["third_party/vec", "ext/libgone"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("vec/vec.hpp", "third_party/vec"),
        ("Vec/Dense", "third_party/vec"),
        ("vec.hpp", "third_party/vec"),
        ("../third_party/vec/src/all.h", "third_party/vec"),
        ("gone/core.h", "ext/libgone"),
        ("ring_buf.cuh", "RingBuf"),
        ("ring_buf_more.cuh", ""),
        ("vector/vec.h", ""),
        ("own/vec/a.h", ""),
        ("there/there.h", ""),
    ],
)
def test_a_header_is_named_with_the_command_that_fetches_it(name: str, found: str) -> None:
    said = f"{name} (git submodule update --init {found})" if found else name
    assert submodules.brought(name, ["third_party/vec", "ext/libgone", "RingBuf"]) == said


def test_a_library_of_boost_is_a_submodule_of_its_own() -> None:
    header = "boost/mp11/list.hpp"
    assert submodules.of(header, ["ext/mp11"]) == "ext/mp11" == submodules.of("boost/mp11.hpp", ["ext/mp11"])
    assert submodules.of(header, ["ext/boost"]) == "ext/boost"
    assert submodules.of(header, ["ext/list"]) is None and submodules.of("other/mp11/list.hpp", ["ext/mp11"]) is None


def test_a_header_of_no_submodule_is_named_with_its_package() -> None:
    assert submodules.brought("hipcub/hipcub.hpp", ["third_party/vec"]) == "hipcub/hipcub.hpp (hipcub-dev)"
