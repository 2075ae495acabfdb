"""What the compiling engine makes of hipcc's answers, without a hipcc."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation.engines import hipcc
from cudamigrate.model.verification import Flags, Toolchain, Unit

SLOW = """#!/bin/sh
exec sleep 60
"""


def test_a_file_that_is_not_compiled_in_time_is_left_out_and_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "hipcc"
    program.write_text(SLOW)
    program.chmod(0o755)
    monkeypatch.setattr(hipcc, "_LIMIT", 0.05)
    chosen = Toolchain("hipcc", "a slow one", "6.0", (), ("gfx942",), program=str(program))
    done = hipcc.check(Unit("a.hip", str(tmp_path), Flags("c++17"), ("gfx942",)), chosen)
    assert done.diagnostics == () and done.left_out.startswith("left out: not compiled within")


def test_names_with_blanks_in_a_dependency_listing_are_whole(tmp_path: Path) -> None:
    listing = tmp_path / "read.d"
    listing.write_text("out.o: /tree/a.hip /tree/my\\ kernels/b.h \\\n  /tree/c\\#1.h /tree/d$$e.h\n")
    assert hipcc._read(listing) == ("/tree/a.hip", "/tree/my kernels/b.h", "/tree/c#1.h", "/tree/d$e.h")
    assert hipcc._read(tmp_path / "absent.d") == ()


BROKEN = """#!/bin/sh
{
    %s
    echo "clang: error: unable to execute command: Killed"
    echo "clang: error: clang frontend command failed due to signal (use -v to see invocation)"
    echo "clang: note: diagnostic msg: Error generating preprocessed source(s)."
} >&2
exit 1
"""


@pytest.mark.parametrize(
    ("first", "said", "why"),
    [
        ("", [], "left out: the compiler itself ended (Killed)"),
        ('echo "a.hip:3:5: error: no member named x"', ["no member named x"], ""),
    ],
)
def test_a_compiler_that_does_not_survive_a_file_says_nothing_of_it(
    tmp_path: Path, first: str, said: list[str], why: str
) -> None:
    program = tmp_path / "hipcc"
    program.write_text(BROKEN % first)
    program.chmod(0o755)
    chosen = Toolchain("hipcc", "a broken one", "6.0", (), ("gfx942",), program=str(program))
    done = hipcc.check(Unit("a.hip", str(tmp_path), Flags("c++17"), ("gfx942",)), chosen)
    assert ([entry.message for entry in done.diagnostics], done.left_out) == (said, why)
