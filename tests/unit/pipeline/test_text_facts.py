"""What was said of a text in an earlier run is said again without a look at it, as long as nothing of it is another."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Inventory, SourceFile
from cudamigrate.pipeline import cached_work
from cudamigrate.pipeline.cached_work import Cache
from cudamigrate.pipeline.read_again import ReadAgain, asked, spelled_includes
from cudamigrate.pipeline.result_store import Store
from cudamigrate.pipeline.text_facts import NEVER, TextFacts
from cudamigrate.project import discovery

TEXT = b'#include "b.h"\nint x;\n'
told = list[str]()


def size(source: SourceFile) -> tuple[int, str]:
    """Plain values, as all answers are."""
    told.append(source.path)
    return len(source.data), source.language


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cached_work, "_LEAST", 0)
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.cu").write_bytes(TEXT)
    (tmp_path / "tree" / "b.h").write_bytes(b"int y;\n")
    (tmp_path / "tree" / "bad.h").write_bytes(b"\0")
    told.clear()
    return tmp_path / "tree"


def opened(tree: Path, change: object = None) -> tuple[ReadAgain, TextFacts]:
    """A run: its inventory, the contents as it saw them first, and what earlier runs were told."""
    inventory: Inventory = discovery.discover(tree, Config(), known_files())
    if change is not None:
        inventory = replace(inventory, entries=tuple(replace(one, language=change) for one in inventory.entries))
    cache = Cache(tree, inventory.entries, Store(tree.parent / "store"))
    cache.whole(lambda: (), inventory.entries)
    facts = TextFacts.of(cache, tree)
    assert facts is not None
    return ReadAgain(inventory, facts=facts), facts


def test_an_answer_is_given_again_and_nobody_is_asked(tree: Path) -> None:
    first, _ = opened(tree)
    assert asked(first, "a.cu", size) == asked(first, "a.cu", size) == (len(TEXT), "cuda")
    first.keep()
    again, _ = opened(tree)
    assert asked(again, "a.cu", size) == (len(TEXT), "cuda") and told == ["a.cu"]
    assert asked(again, "a.cu", spelled_includes) == ("b.h",)  # another question


def test_a_source_that_was_read_before_counts_too(tree: Path) -> None:
    first, _ = opened(tree)
    assert first("a.cu") is not None
    asked(first, "a.cu", size)
    first.keep()
    asked(opened(tree)[0], "a.cu", size)
    assert told == ["a.cu"]


def test_other_bytes_and_another_language_are_asked_anew(tree: Path) -> None:
    first, _ = opened(tree)
    asked(first, "a.cu", size)
    first.keep()
    (tree / "a.cu").write_bytes(TEXT + b"//\n")
    assert asked(opened(tree)[0], "a.cu", size) == (len(TEXT) + 3, "cuda")
    (tree / "a.cu").write_bytes(TEXT)
    assert asked(opened(tree, "cxx")[0], "a.cu", size) == (len(TEXT), "cxx")
    assert len(told) == 3


def test_bytes_that_the_run_has_not_seen_before_are_not_kept(tree: Path) -> None:
    first, facts = opened(tree)
    (tree / "a.cu").write_bytes(b"")
    assert asked(first, "a.cu", size) == (0, "cuda")
    first.keep()
    (tree / "a.cu").write_bytes(TEXT)
    again, facts = opened(tree)
    assert facts.answer(size, "a.cu", "cuda") is NEVER
    assert asked(again, "a.cu", size) == (len(TEXT), "cuda")


def test_what_cannot_be_read_has_no_answer(tree: Path) -> None:
    read, facts = opened(tree)
    assert asked(read, "bad.h", size) is None and asked(read, "none.h", size) is None and not told
    facts.record(size, SourceFile("none.h", b"", "cxx"), 1)
    assert facts.answer(size, "none.h", "cxx") is NEVER


def test_files_that_are_gone_are_forgotten(tree: Path) -> None:
    first, _ = opened(tree)
    asked(first, "a.cu", size), asked(first, "b.h", size)
    first.keep()
    (tree / "b.h").unlink()
    (tree / "a.cu").write_bytes(b"int z;\n")
    second, _ = opened(tree)
    asked(second, "a.cu", size)
    second.keep()
    (tree / "b.h").write_bytes(b"int y;\n")
    _, facts = opened(tree)
    assert facts.answer(size, "b.h", "cxx") is NEVER and facts.answer(size, "a.cu", "cuda") == (7, "cuda")


@pytest.mark.parametrize("row", [b"no pickle", pickle.dumps([1]), pickle.dumps(NEVER.__class__)])
def test_a_row_that_is_not_understood_is_none(tree: Path, row: bytes) -> None:
    _, facts = opened(tree)
    Store(tree.parent / "store").put({facts._key: row})
    assert asked(opened(tree)[0], "a.cu", size) == (len(TEXT), "cuda") and told == ["a.cu"]


def test_a_run_without_kept_results_and_any_other_function_ask_each_time(tree: Path) -> None:
    inventory = discovery.discover(tree, Config(), known_files())
    assert TextFacts.of(Cache(tree, inventory.entries, None), tree) is None
    assert asked(ReadAgain(inventory), "a.cu", size) == (len(TEXT), "cuda")
    assert asked(lambda path: SourceFile(path, b"ab", "cxx"), "a.cu", size) == (2, "cxx")
    assert asked(lambda path: None, "a.cu", size) is None
    assert len(told) == 2


def test_what_another_process_was_told_is_kept(tree: Path) -> None:
    other, _ = opened(tree)
    asked(other, "b.h", size)
    answers = other.watched()
    asked(other, "a.cu", size)
    first, _ = opened(tree)
    first.learn(answers)
    first.keep()
    again, _ = opened(tree)
    assert asked(again, "a.cu", size) == (len(TEXT), "cuda") and told == ["b.h", "a.cu"]
    assert asked(again, "b.h", size) is not None and told == ["b.h", "a.cu", "b.h"]
