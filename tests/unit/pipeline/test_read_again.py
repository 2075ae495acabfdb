"""Files that several passes read are read and tokenized once, up to a bound, and are what they are without that."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.cuda.include_paths import spelled
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Inventory, SourceFile
from cudamigrate.pipeline.read_again import ReadAgain, include_paths, included, lexed, once
from cudamigrate.project import discovery

TEXT = b'#include "b.h"\n#include <cuda.h>\n// a comment\nint x;\n'


def inventory(root: Path) -> Inventory:
    (root / "a.cu").write_bytes(TEXT)
    (root / "b.h").write_bytes(b"int y;\n")
    (root / "bad.h").write_bytes(b"\0")
    return discovery.discover(root, Config(), known_files())


def test_what_was_found_out_is_kept_with_the_source(tmp_path: Path) -> None:
    read = ReadAgain(inventory(tmp_path))
    first = read("a.cu")
    assert first is not None and read("a.cu") is first
    assert (first.path, first.data, first.language) == ("a.cu", TEXT, "cuda")
    assert lexed(first) is lexed(first) and lexed(first).data == TEXT
    assert included(first) is included(first) and list(included(first)) == list(spelled(TEXT))


def test_a_copy_with_another_text_has_tokens_of_its_own(tmp_path: Path) -> None:
    first = ReadAgain(inventory(tmp_path))("a.cu")
    assert first is not None and len(lexed(first).directives) == 2 and len(included(first)) == 2
    other = replace(first, data=b"int z;\n")
    assert lexed(other).directives == [] and included(other) == ()


def test_beyond_the_bound_files_are_read_each_time(tmp_path: Path) -> None:
    read = ReadAgain(inventory(tmp_path), bound=2_000 + len(TEXT))
    assert read("a.cu") is read("a.cu")
    assert read("b.h") is not read("b.h") and read("b.h") == SourceFile("b.h", b"int y;\n", "cxx")
    (tmp_path / "b.h").write_bytes(b"int z;\n")
    later = read("b.h")
    assert later is not None and later.data == b"int z;\n"


def test_what_cannot_be_read_is_nothing(tmp_path: Path) -> None:
    read = ReadAgain(inventory(tmp_path))
    assert read("bad.h") is None and read("c.h") is None and read("") is None and read("z") is None


def test_a_question_is_asked_once_of_a_source_that_is_kept_and_anew_of_a_copy(tmp_path: Path) -> None:
    asked = []

    def size(source: SourceFile) -> int:
        asked.append(source.path)
        return len(source.data)

    first = ReadAgain(inventory(tmp_path))("a.cu")
    assert first is not None and once(first, size) == once(first, size) == len(TEXT)
    assert asked == ["a.cu"]
    assert once(replace(first, data=b"x"), size) == 1 and once(SourceFile("c.h", b"ab", "cxx"), size) == 2


def test_include_paths_are_shared_by_passes_that_ask_for_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = ReadAgain(inventory(tmp_path))
    shared = include_paths(read, ("a.cu", "b.h"))
    assert shared.nearest("a.cu", "b.h") == ["b.h"] and include_paths(read, ("b.h", "a.cu")) is shared
    assert include_paths(read, ("a.cu",)).nearest("a.cu", "b.h") == []
    monkeypatch.setattr("cudamigrate.pipeline.read_again.MANY", 1)
    assert include_paths(read, ("a.cu", "b.h")) is not include_paths(read, ("a.cu", "b.h"))
