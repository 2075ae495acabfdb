"""The database of results: what is put in comes out, and nothing that is wrong with it ends a run."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from cudamigrate.pipeline import result_store
from cudamigrate.pipeline.result_store import Store


def rows(count: int, size: int = 10) -> dict[bytes, bytes]:
    return {b"key %d" % number: bytes([number % 251]) * size for number in range(count)}


def test_what_is_put_in_comes_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "results")
    assert store.get([b"key 1"]) == {} and store.info().rows == 0
    store.put(rows(1200))
    assert store.get(list(rows(1300))) == rows(1200)
    assert store.known([b"key 7", b"key 1250"]) == {b"key 7"}
    assert store.info().rows == 1200 and store.info().bytes > 12_000


def test_clear_removes_all(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(rows(10))
    assert store.clear() > 0
    assert list(tmp_path.iterdir()) == []
    assert store.get([b"key 1"]) == {} and store.clear() == 0


def test_rows_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path, limit=10_000)
    monkeypatch.setattr(result_store, "_today", lambda: 100)
    store.put(rows(8, 1000))
    monkeypatch.setattr(result_store, "_today", lambda: 101)
    assert len(store.get([b"key 2", b"key 5"])) == 2
    store.prune()
    assert store.info().rows == 8, "the bound is not reached"
    store.put({b"more": b"x" * 4000})
    store.prune()
    left = store.known([*rows(8), b"more"])
    assert {b"key 2", b"key 5", b"more"} <= left
    assert sum(map(len, store.get(list(left)).values())) <= 8_000


def test_rows_that_nobody_asks_for_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path, days=30)
    monkeypatch.setattr(result_store, "_today", lambda: 100)
    store.put(rows(2))
    monkeypatch.setattr(result_store, "_today", lambda: 120)
    store.get([b"key 1"])
    monkeypatch.setattr(result_store, "_today", lambda: 131)
    store.prune()
    assert store.known(rows(2)) == {b"key 1"}
    assert store.info().days == 11


def test_a_damaged_value_is_no_value(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(rows(2))
    with sqlite3.connect(store.file) as database:
        database.execute("UPDATE results SET value = substr(value, 1, 12) || x'00' WHERE key = ?", (b"key 1",))
    database.close()
    assert store.get(list(rows(2))) == {b"key 0": rows(1)[b"key 0"]}


@pytest.mark.parametrize("data", [b"", b"no database at all" * 400, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_database_is_made_anew(tmp_path: Path, data: bytes) -> None:
    store = Store(tmp_path)
    store.file.write_bytes(data)
    assert store.get([b"key 1"]) == {}
    store.put(rows(3))
    store.put(rows(3))
    assert store.get(list(rows(3))) == rows(3)


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    if not hasattr(os, "getuid"):
        pytest.skip("this system has no owners of files")
    folder = tmp_path / "results"
    folder.mkdir()
    folder.chmod(0o777)
    store = Store(folder)
    store.put(rows(1))
    assert list(folder.iterdir()) == [] and store.get([b"key 0"]) == {}


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "results").symlink_to("real")
    Store(tmp_path / "results").put(rows(1))
    assert list((tmp_path / "real").iterdir()) == []


def test_no_cache_where_none_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "results")
    store.put(rows(1))
    assert store.get([b"key 0"]) == {} and store.info().rows == 0 and store.clear() == 0


WRITER = """
import sys
from pathlib import Path
from cudamigrate.pipeline.result_store import Store
store = Store(Path(sys.argv[1]))
for start in range(0, 300, 20):
    store.put({b"key %d" % n: b"value %d" % n for n in range(start, start + 20)})
    assert all(value == b"value" + key[3:] for key, value in store.get([b"key %d" % n for n in range(300)]).items())
store.prune()
"""


def test_runs_at_the_same_time_share_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [run.communicate()[1] for run in runs] == ["", "", ""]
    assert [run.returncode for run in runs] == [0, 0, 0]
    keys = [b"key %d" % number for number in range(300)]
    assert Store(tmp_path).get(keys) == {key: b"value" + key[3:] for key in keys}
