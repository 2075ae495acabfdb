"""Answers are kept by all that they rest on, and a cache that fails is no failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cudamigrate.compilation.answer_cache import Store, stamp


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.h").write_text("one")
    return folder


def store(tree: Path) -> Store:
    return Store("kind", str(tree), lambda path: (tree / path).read_bytes())


def test_an_entry_is_given_back_while_its_files_are_as_they_were(tree: Path) -> None:
    store(tree).put(["a", "b"], [f"{tree}/a.h", "/usr/include/stdio.h"], {"answer": 5})
    found = store(tree).get(["a", "b"])
    assert found is not None and found["answer"] == 5 and list(found["read"]) == ["a.h"]
    assert store(tree).get(["a", "c"]) is None
    (tree / "a.h").write_text("two")
    assert store(tree).get(["a", "b"]) is None


def test_an_entry_kept_before_a_time_is_none(tree: Path, tmp_path: Path) -> None:
    store(tree).put(["a"], [], {"answer": 5})
    (file,) = (tmp_path / "cache").rglob("*.json")
    os.utime(file, (1_000, 1_000))
    late, early = (Store("kind", str(tree), lambda path: b"", since) for since in (1_001.0, 999.0))
    assert late.get(["a"]) is None and early.get(["a"]) is not None


def test_words_do_not_run_together(tree: Path) -> None:
    store(tree).put(["ab", "c"], [], {})
    assert store(tree).get(["a", "bc"]) is None


@pytest.mark.parametrize("text", ["", "[]", '{"read": 5}', '{"other": {}}'])
def test_a_broken_entry_is_none(tree: Path, tmp_path: Path, text: str) -> None:
    store(tree).put(["a"], [], {})
    (file,) = (tmp_path / "cache").rglob("*.json")
    file.write_text(text)
    assert store(tree).get(["a"]) is None


def test_a_folder_that_cannot_be_written_is_no_failure(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file is where the folder would")
    store(tree).put(["a"], [], {})
    assert store(tree).get(["a"]) is None


def test_a_stamp_changes_with_any_file_below(tree: Path) -> None:
    before = stamp(tree)
    os.utime(tree / "a.h", ns=(1, 1 << 62))
    after = stamp(tree)
    assert after != before
    (tree / "old.h").write_text("of an older release")
    os.utime(tree / "old.h", ns=(1, 1))
    more = stamp(tree)
    assert more != after
    (tree / "old.h").unlink()
    assert stamp(tree) == after


def test_what_python_compiles_beside_a_program_does_not_change_its_stamp(tree: Path) -> None:
    before = stamp(tree)
    (tree / "__pycache__").mkdir()
    (tree / "__pycache__" / "a.pyc").write_bytes(b"")
    assert stamp(tree) == before
