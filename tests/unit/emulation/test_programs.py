"""Which sources of a tree are built for the emulation."""

from __future__ import annotations

from pathlib import Path

from cudamigrate.emulation import programs
from cudamigrate.model.verification import Flags


def test_a_file_alone_is_copied_and_finds_headers_beside_it(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    (tmp_path / "before/common.h").write_text("#pragma once\n")
    main = tmp_path / "before/main.cu"
    main.write_text('#include "common.h"\nint main() { return 0; }\n')
    (tmp_path / "copy").mkdir()
    tree = programs.copied(main, tmp_path / "copy", "cuda", Flags(""))
    assert sorted(tree.sources) == ["main.cu"] and programs.mains(tree) == ["main.cu"]
    assert (tmp_path / "copy/main.cu").is_file()
    assert str(tmp_path / "before") in tree.flags("main.cu").includes
