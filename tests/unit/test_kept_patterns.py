"""Compiled patterns of an earlier process: they match as if they were compiled now, and nothing else is taken."""

from __future__ import annotations

import marshal
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import __main__
from cudamigrate.lazy_re import kept
from cudamigrate.lazy_re import re as lazy
from tests.architecture.test_patterns import patterns

MADE = r"""
from cudamigrate.lazy_re import re
WORD = re.compile(r"\b(?P<name>cuda\w+)(?:\((\d+)\))?", re.ASCII)
def made(text): return re.compile(text)
"""


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is kept, newest last."""
    written: list[Any] = []
    monkeypatch.setattr(kept, "_store", [])
    monkeypatch.setattr(kept, "_new", {})
    monkeypatch.setattr(kept, "_known", None)
    kept.use_kept(lambda: written[-1] if written else None, written.append)
    monkeypatch.setattr(kept, "_LEAST", 1)
    return written


def _module() -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(compile(MADE, "made.py", "exec"), found)
    return found


def _again() -> None:
    """Forget what this process knows, as a new one does."""
    kept._new.clear()
    kept._known = None


def test_the_patterns_of_a_module_are_kept_and_found_by_the_next_process(
    store: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "x cudaMalloc(12) cudaFree my_cudaX"
    first = [(one.span(), one.groupdict(), one.groups()) for one in _module()["WORD"].finditer(text)]
    kept.keep()
    assert len(store) == 1 and len(first) == 2
    _again()
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("compiled again"))
    word = _module()["WORD"]
    assert [(one.span(), one.groupdict(), one.groups()) for one in word.finditer(text)] == first
    assert word.flags == re.ASCII and word.groups == 2 and dict(word.groupindex) == {"name": 1}
    kept.keep()
    assert len(store) == 1  # nothing new


def test_what_is_compiled_while_a_program_runs_is_not_kept(store: list[Any]) -> None:
    assert _module()["made"]("secret").search("a secret")
    kept.keep()
    assert not store


@pytest.mark.parametrize(
    "row", [b"", b"nonsense", marshal.dumps((1, 2)), marshal.dumps(("a", 32, b"\xff\0\0\0" * 9, 0, {}, (None,)))]
)
def test_what_is_no_row_of_ours_is_compiled(store: list[Any], row: bytes) -> None:
    _module()["WORD"].search("cuda")
    kept.keep()
    store.append(dict.fromkeys(store[0], row))
    _again()
    assert _module()["WORD"].search("cudaFree")[1] == "cudaFree"


@pytest.mark.parametrize("found", [None, 3, [], {}])
def test_a_store_that_holds_none_is_none(store: list[Any], found: Any) -> None:
    store.append(found)
    assert _module()["WORD"].search("cudaFree")


def test_a_store_that_cannot_be_read_or_written_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise OSError("gone")

    monkeypatch.setattr(kept, "_LEAST", 1)
    monkeypatch.setattr(kept, "_known", None)
    monkeypatch.setattr(kept, "_new", {})
    monkeypatch.setattr(kept, "_store", [(fails, fails)])
    assert _module()["WORD"].search("cudaFree")
    kept.keep()
    assert not kept._new


def test_every_pattern_of_the_package_is_what_it_is_when_it_comes_from_the_store(store: list[Any]) -> None:
    for text, flags in patterns():
        kept.add((text, flags), re.compile(text, flags))
    kept.keep()
    _again()
    assert len(store[0]) > 500
    for text, flags in store[0]:
        found = kept.pattern((text, flags))
        assert found == re.compile(found.pattern, flags), text  # equal patterns have equal code


def test_a_command_leaves_its_patterns_to_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("__global__ void k(int* a) { a[threadIdx.x] = __shfl_sync(-1, 1, 0); }\n")
    command = [sys.executable, "-m", "cudamigrate", "scan", "--no-cache", "-f", "json", str(tmp_path / "src")]
    first = subprocess.run(command, capture_output=True, check=True)
    (file,) = (tmp_path / "cache" / "cudamigrate" / "patterns").glob("patterns-*.marshal")
    assert len(marshal.loads(file.read_bytes())[1]) > 50
    again = subprocess.run(command, capture_output=True, check=True)
    assert again.stdout == first.stdout


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no owners of files")
def test_patterns_that_others_could_have_written_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "cudamigrate" / "patterns"
    __main__._keep_patterns({"a": b"b"})
    assert __main__._kept_patterns() == {"a": b"b"} and folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert __main__._kept_patterns() is None
    __main__._keep_patterns({})
    folder.chmod(0o700)
    assert __main__._kept_patterns() == {"a": b"b"}  # nothing was written


def test_a_library_takes_and_keeps_none() -> None:
    assert isinstance(lazy.compile("a").search("a"), re.Match) and not kept._store
