"""A header that is reached by a link is read as it was converted."""

from __future__ import annotations

import os
from pathlib import Path

from cudamigrate.verification import linked_files


def test_a_link_to_a_converted_file_has_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "tree/binding").mkdir(parents=True)
    (tmp_path / "tree/core.h").write_text("before")
    (tmp_path / "tree/other.h").write_text("as it is")
    (tmp_path / "away.h").write_text("of somebody else")
    for name, to in (("core.h", "../core.h"), ("other.h", "../other.h"), ("away.h", "../../away.h"), ("no.h", "no")):
        os.symlink(to, tmp_path / "tree/binding" / name)
    (tmp_path / "tree/binding/copy.h").write_text("before")
    files = {"core.h": b"after", "binding/copy.h": b"a copy"}
    assert linked_files.also(tmp_path / "tree", files) == {**files, "binding/core.h": b"after"}
    assert linked_files.also(tmp_path / "tree", {}) == {}
