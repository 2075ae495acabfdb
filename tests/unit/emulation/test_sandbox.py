"""What a program that is run for proof cannot do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cudamigrate.emulation import sandbox


def ended(code: str, folder: Path, limits: sandbox.Limits | None = None) -> sandbox.Ended:
    """The end of a Python program in the sandbox."""
    (folder / "work").mkdir()
    return sandbox.run([sys.executable, "-I", "-c", code], folder / "work", {}, limits or sandbox.Limits())


def test_a_program_works_in_a_folder_of_its_own_and_sees_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    code = (
        "import os; print(os.getcwd(), os.environ['HOME'], 'SECRET_TOKEN' in os.environ); open('made', 'w').write('x')"
    )
    done = ended(code, tmp_path)
    work = str(tmp_path / "work")
    assert done.code == 0 and done.output.decode().split() == [work, work, "False"]
    assert (tmp_path / "work" / "made").read_text() == "x"


def test_a_program_has_no_network(tmp_path: Path) -> None:
    if not sandbox.isolation():
        pytest.skip("this system grants no namespace without network")
    code = "import socket; print(socket.socket().connect_ex(('127.0.0.1', 9)), socket.if_nameindex())"
    done = ended(code, tmp_path)
    number, _, interfaces = done.output.decode().partition(" ")
    assert number != "0" and "eth" not in interfaces and "'lo'" in interfaces
    assert sandbox.described().startswith("without network")


def test_time_and_memory_end(tmp_path: Path) -> None:
    (tmp_path / "time").mkdir()
    assert ended("while True: pass", tmp_path / "time", sandbox.Limits(seconds=1)).code is None
    (tmp_path / "memory").mkdir()
    done = ended("bytearray(1 << 30)", tmp_path / "memory", sandbox.Limits(memory=256 << 20))
    assert done.code == 1 and b"MemoryError" in done.errors


def test_a_program_that_sleeps_for_ever_ends_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 1)
    assert ended("import time; time.sleep(600)", tmp_path, sandbox.Limits(seconds=1)).code is None


def test_what_it_writes_is_limited(tmp_path: Path) -> None:
    done = ended("open('big', 'wb').truncate(1 << 40)", tmp_path)
    assert done.code != 0 and (tmp_path / "work" / "big").stat().st_size == 0
