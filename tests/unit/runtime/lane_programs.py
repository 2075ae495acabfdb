"""Converts programs that attack the repair of warp-level code, and runs them on the emulated GPU with either wave.

A program is a folder under `fixtures/lanes/programs` with what it prints on NVIDIA's GPUs, `expected.txt`.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from runtime.emulated import ran

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import build, programs
from cudamigrate.model.verification import Flags

PROGRAMS = Path(__file__).parents[3] / "fixtures" / "lanes" / "programs"
QUIET = frozenset(("launch/half-wave", "api/CUDART_VERSION", "memory/managed-memory"))
"""Rules that say nothing of results: a program with these alone is not reported."""


@dataclass(frozen=True)
class Converted:
    """What the tool makes of a program: its files, and the rules of what it leaves to a reader."""

    files: Mapping[str, bytes]
    reported: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A number for both: what was seen of one run holds for the next with the same."""
        parts = [f"{name}\0".encode() + data for name, data in sorted(self.files.items())]
        return hashlib.sha256(b"\0".join([*parts, *(rule.encode() for rule in self.reported)])).hexdigest()[:16]


def convert(name: str, programs: Path = PROGRAMS) -> Converted:
    """Scan and apply with the defaults; of `programs` outside a repository, git is not asked for each."""
    root = programs / name
    applied = pipeline.apply(root, Config(jobs=1))
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path.name != "expected.txt"
    }
    files |= {one.path: one.after for one in applied.conversions}
    open_ = (f for f in applied.report.findings if f.outcome != "fine" and (f.fix is None or f.support != "full"))
    left = {finding.rule for finding in open_} - QUIET
    return Converted({**files, **applied.added}, tuple(sorted(left)))


def outcome(name: str, made: Converted, folder: Path) -> str:
    """`right` where both waves print what is expected, `reported` where a finding says what is left, else `silent`.

    What the emulation does not run as it is written is `not run` where nothing is reported: no proof, and no fault.
    """
    expected = PROGRAMS / name / "expected.txt"
    if not expected.exists():
        return "reported" if made.reported else "not run"
    if all(_printed(made.files, "hip", wave, folder / str(wave)) == expected.read_text() for wave in (64, 32)):
        return "right"
    if made.reported:
        return "reported"
    root = PROGRAMS / name
    original = {
        one.relative_to(root).as_posix(): one.read_bytes()
        for one in root.rglob("*")
        if one.is_file() and one.name != "expected.txt"
    }
    return "silent" if _printed(original, "cuda", 32, folder / "cuda") == expected.read_text() else "not run"


def _printed(files: Mapping[str, bytes], vendor: Literal["cuda", "hip"], wave: int, folder: Path) -> str:
    """What a program prints; a word for one that does not build, hangs or fails."""
    chosen = build.compiler()
    assert chosen is not None
    for path, data in files.items():
        (folder / "in" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / path).write_bytes(data)
    tree = programs.copied(folder / "in", folder / "made", vendor, Flags("17"))
    try:
        done = ran(programs.program(tree, programs.mains(tree)[0], wave, chosen), wave)
    except (build.BuildError, IndexError) as error:
        return f"not built: {error}"
    except subprocess.TimeoutExpired:
        return "hang"
    return done.stdout if not done.returncode else f"exit code {done.returncode}"
