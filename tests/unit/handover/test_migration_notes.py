"""The notes have a name that nobody else's file has, whatever kind of file that is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cudamigrate.handover import migration_notes


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of POSIX")
@pytest.mark.parametrize("kind", ["pipe", "device", "link"])
def test_a_file_that_is_none_is_left_alone(tmp_path: Path, kind: str) -> None:
    (tmp_path / "tree").mkdir()
    assert migration_notes.name(tmp_path / "tree") == "MIGRATION.md"
    place = tmp_path / "tree" / "MIGRATION.md"
    if kind == "pipe":
        os.mkfifo(place)
    else:
        (tmp_path / "other").write_text("<!-- Written by cudamigrate.")
        place.symlink_to("/dev/zero" if kind == "device" else tmp_path / "other")
    assert migration_notes.name(tmp_path / "tree") == "MIGRATION-HIP.md"
