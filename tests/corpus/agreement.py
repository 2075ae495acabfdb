"""The verdict of the embedded engine beside that of a real compiler, on units of public programs drawn with a seed.

Usage: python -m tests.corpus.agreement [--clang PROGRAM] [--headers DIR] [--units N] [--each K] [--seed S] [--rocm R]
       [--arch GFX] [--include DIR] FOLDER...
Each folder is a repository at hand, converted for the release given. Of each, K units at most are drawn. Both engines
get the same text and the same flags, and the compiler generates code for the GPU and the host. It is this machine's
hipcc; or with --clang that program, as hipcc would call it, with the HIP headers of the Triton wheel. With --headers
it reads that folder, a whole ROCm's, where the embedded engine has what it would have without an installed ROCm.
Answers are kept between runs. The exit code is 1 where fewer than 99 % of the units that both judged agree. An error of
an hipcc that is older than the embedded engine's headers is set apart where all it says is that a name is not there.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Verdict
from cudamigrate.pipeline import Applied, prove
from tests.corpus import harness

_PASSES = ("checked", "declarations")
_ENOUGH = 0.99
_ERRORS_SHOWN = 2
_LACKS = ("undeclared", "unknown type name", "no member named", "no type named", "no matching", "file not found")
_HIPCC = """#!/bin/sh
for side in device host; do
    "{clang}" -nogpulib -nogpuinc -D__HIP_PLATFORM_AMD__=1 {macros} -include __clang_hip_runtime_wrapper.h \\
        -isystem "{include}" "$@" --cuda-$side-only -S || exit 1
done
"""
"""What hipcc adds of itself, without a link step: assembly is made, for which no library of the device is needed."""
_OLDER_CLANG = "-D__AMDGCN_WAVEFRONT_SIZE=64 -D__AMDGCN_WAVEFRONT_SIZE__=64"
"""What clang defined of itself before release 22, and the headers of ROCm 6 need; of a GPU with 64 lanes."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What both engines say of a unit: `passes`, `fails` or `not judged`, and the verdicts themselves."""

    name: str
    ours: Verdict
    theirs: Verdict

    @property
    def words(self) -> tuple[str, str]:
        """The two words, the embedded engine's first."""
        return word(self.ours), word(self.theirs)

    @property
    def is_judged(self) -> bool:
        """Whether both say something of the unit."""
        return "not judged" not in self.words and not self.is_older

    @property
    def is_older(self) -> bool:
        """Whether all that the compiler says is that its older headers lack something."""
        said = [entry.message for entry in self.theirs.diagnostics if entry.kind == "error"]
        lacks = bool(said) and all(any(part in text for part in _LACKS) for text in said)
        return lacks and self.words == ("passes", "fails")

    @property
    def differs(self) -> bool:
        """Whether both judged the unit, and not alike."""
        return self.is_judged and len(set(self.words)) > 1


def word(verdict: Verdict) -> str:
    """A verdict in the words of a compiler."""
    return "passes" if verdict.word in _PASSES else "not judged" if verdict.word == "unresolved" else "fails"


def drawn(applied: Applied, most: int, draw: random.Random) -> Applied:
    """What was applied, with no more files to judge than were drawn."""
    units = [file for file in applied.report.files if file.cuda and file.path.endswith(".cu")]
    some = draw.sample(units, min(most, len(units)))
    return replace(applied, report=replace(applied.report, files=tuple(sorted(some, key=lambda file: file.path))))


def judged(root: Path, given: argparse.Namespace, most: int, draw: random.Random) -> Iterator[Pair]:
    """The units drawn of one repository, as both engines judge them."""
    folders = tuple(str(folder.resolve()) for folder in given.include or ())
    config = Config(arch=(given.arch,), rocm=given.rocm, style="hip", include_dirs=folders, jobs=given.jobs)
    some = drawn(pipeline.apply(root, config, unsafe=True), most, draw)
    converted, embedded = prove.verify_applied(some, config, "clang")
    with rocm_at(given.installed):
        _, compiled = prove.verify_applied(converted, config, "hipcc")
    if embedded.absent or compiled.absent:
        sys.exit(embedded.absent or compiled.absent)
    theirs = {verdict.path: verdict for verdict in compiled.verdicts}
    for verdict in embedded.verdicts:
        if verdict.path in theirs:
            yield Pair(f"{root.name}/{verdict.path}", verdict, theirs[verdict.path])


def pairs(given: argparse.Namespace) -> Iterator[Pair]:
    """Units of all folders, drawn by the seed, until there are enough that both engines judge."""
    left = given.units
    for root in sorted(given.folders):
        if left <= 0:
            return
        draw = random.Random(f"{given.seed} {root.name}")  # what is drawn of one does not depend on the others
        for pair in judged(root.resolve(), given, given.each, draw):
            left -= pair.is_judged
            yield pair


def table(found: Sequence[Pair]) -> Iterator[str]:
    """How many units have which pair of words, and each that differs with what the one that refuses it says."""
    counts = Counter(pair.words for pair in found)
    yield f"{'embedded':12}{'compiler':12}units"
    yield from (f"{ours:12}{theirs:12}{count}" for (ours, theirs), count in sorted(counts.items()))
    for pair in (one for one in found if one.differs):
        failed = pair.ours if pair.words[0] == "fails" else pair.theirs
        yield f"{pair.name}: embedded {pair.words[0]}, compiler {pair.words[1]}"
        errors = [entry for entry in failed.diagnostics if entry.kind == "error"][:_ERRORS_SHOWN]
        yield from (f"    {entry.place.path}:{entry.place.line}: {entry.message}" for entry in errors)


@contextmanager
def rocm_at(folder: Path | None) -> Iterator[None]:
    """That folder is the installed ROCm meanwhile, if one is given."""
    before = os.environ.get("ROCM_PATH")
    if folder:
        os.environ["ROCM_PATH"] = str(folder)
    yield
    if folder and before is None:
        del os.environ["ROCM_PATH"]
    elif folder and before is not None:
        os.environ["ROCM_PATH"] = before


def installed(clang: str, headers: Path | None) -> Path:
    """Make clang look like an installed ROCm: `bin/hipcc`, and HIP's headers as `include`. The folder is returned.

    It stays, so that answers kept from another run count.
    """
    include = headers or Path(str(distribution("triton").locate_file("triton/backends/amd/include")))
    program = harness.cache() / ("clang-with-rocm" if headers else "clang-as-rocm") / "bin" / "hipcc"
    program.parent.mkdir(parents=True, exist_ok=True)
    macros = _OLDER_CLANG if headers else ""
    text = _HIPCC.format(clang=shutil.which(clang) or clang, include=include.resolve(), macros=macros)
    if not program.is_file() or program.read_text() != text:
        program.write_text(text)
        program.chmod(0o755)
    link = program.parent.parent / "include"
    link.unlink(missing_ok=True)
    link.symlink_to(include.resolve())
    return program.parent.parent


def main() -> int:
    """Print each unit as it is judged, then the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang")
    parser.add_argument("--headers", type=Path)
    parser.add_argument("--units", type=int, default=150)
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rocm", default=harness.RELEASE)
    parser.add_argument("--arch", default="gfx90a")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--include", type=Path, action="append")
    parser.add_argument("folders", type=Path, nargs="+")
    given, found = parser.parse_args(), []
    given.installed = installed(given.clang, given.headers) if given.clang else None
    if given.installed and not given.headers:
        os.environ["ROCM_PATH"] = str(given.installed)  # both engines read the same headers
    for pair in pairs(given):
        found.append(pair)
        why = "older headers" if pair.is_older else ", ".join(pair.ours.headers)[:60]
        print(f"{pair.name:80} {pair.words[0]:12}{pair.words[1]:12}{why}", flush=True)
    print("\n".join(table(found)))
    both = [pair for pair in found if pair.is_judged]
    alike = sum(not pair.differs for pair in both)
    print(f"{alike} of {len(both)} units that both judged agree")
    return 0 if both and alike >= _ENOUGH * len(both) else 1


if __name__ == "__main__":
    sys.exit(main())
