"""The host compiler: which one is taken, what it is called, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cudamigrate.emulation import build, run, text


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """The answer is kept for a process."""
    build.compiler.cache_clear()
    yield
    build.compiler.cache_clear()


def installed(folder: Path, name: str, title: str) -> str:
    """A program that tells its version."""
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{title}'\n")
    program.chmod(0o755)
    return str(program)


def test_compilers_are_found_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    clang = installed(tmp_path, "clang++-15", "Some clang version 15.0.6")
    assert build.compiler() == build.Compiler(clang, True, "Some clang version 15.0.6")
    build.compiler.cache_clear()
    gcc = installed(tmp_path, "g++", "g++ (Some) 12.2.0")
    assert build.compiler() == build.Compiler(gcc, False, "g++ (Some) 12.2.0")
    build.compiler.cache_clear()
    monkeypatch.setenv("CXX", "clang++-15 -O1")
    assert build.compiler() == build.Compiler(clang, True, "Some clang version 15.0.6")
    build.compiler.cache_clear()
    cache = installed(tmp_path, "ccache", "ccache version 4.8")
    monkeypatch.setenv("CXX", f"{cache} clang++-15")
    assert build.compiler() == build.Compiler(clang, True, "Some clang version 15.0.6")


def test_without_a_compiler_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    ran = run.run(tmp_path, None, run.Options())
    assert ran.verdicts == () and not ran.differs
    said = text.render_text(ran)
    assert said.count("\n") == 1 and "install g++ 11 or later, or clang++" in said
