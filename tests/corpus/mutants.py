"""Converted programs with one repair of warp-level code undone: whether running them on 64 lanes shows it.

A mutant keeps the renames and all other repairs. Where HIP refuses a mask of 32 bits, the mask is widened, as somebody
does who casts until the code compiles.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.emulation import build, compare, programs, run
from cudamigrate.model import Finding, SourceFile
from cudamigrate.model.verification import Flags
from cudamigrate.pipeline import inspect_file
from cudamigrate.pipeline import run as pipeline

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"


@dataclass(frozen=True)
class Mutant:
    """A program, the rule and line of the repair that is undone, and what the run showed."""

    program: str
    rule: str
    line: int
    outcome: str
    said: str


def _repairs(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Findings whose repairs belong together; each repair of warp-level code on its own otherwise."""
    seen: set[str] = set()
    for finding in findings:
        if finding.fix is None or not finding.rule.startswith("warp/"):
            continue
        group = finding.fix.group
        if group in seen:
            continue
        if group:
            seen.add(group)
        yield [one for one in findings if one is finding or (group and one.fix and one.fix.group == group)]


def mutants(path: Path, limit: int = 1000) -> Iterator[Mutant]:
    """The mutants of a program of one source file."""
    chosen = build.compiler()
    assert chosen is not None, build.INSTALL
    name = path.stem
    source = SourceFile(path.name, path.read_bytes(), "cuda")
    found = inspect_file.inspect(source, pipeline.rules(pipeline.target(Config()))).findings
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        options = run.Options()
        (work / "before").mkdir()
        (work / "before" / path.name).write_bytes(source.data)
        original = programs.copied(work / "before", work / "original", "cuda", Flags(""))
        built = programs.program(original, path.name, 32, chosen)
        first = run.run_once(original, built, work, options, 32)
        again = run.run_once(original, built, work, replace(options, schedule="random", seed=2), 32)
        for number, undone in enumerate(_repairs(found)):
            if number >= limit:
                return
            left = [finding for finding in found if finding not in undone]
            made = pipeline.convert(source, left).after
            yield _judged(name, undone[0], made, work / str(number), first, again, chosen)


def _judged(
    name: str, undone: Finding, made: bytes, work: Path, first: compare.Ran, again: compare.Ran, chosen: build.Compiler
) -> Mutant:
    work.mkdir()
    (work / "tree").mkdir()
    (work / "tree" / f"{name}.cu").write_bytes(made)
    tree = programs.copied(work / "tree", work / "copy", "hip", Flags("", ("MASKS_WIDENED",)))
    outcome, said = "same", ""
    try:
        program = programs.program(tree, f"{name}.cu", 64, chosen)
    except build.BuildError as error:
        return Mutant(name, undone.rule, undone.position.line, "does not build", str(error))
    for order in run.SCHEDULES[:2]:
        seen = run.run_once(tree, program, work, replace(run.Options(), schedule=order), 64)
        difference = compare.compare(first, again, seen).difference
        known = {fault.kind for fault in first.record.faults} | run.NOTES
        faults = [fault.detail for fault in seen.record.faults if fault.kind not in known]
        if difference or faults:
            outcome, said = "differs", difference or faults[0]
            break
    return Mutant(name, undone.rule, undone.position.line, outcome, said)


def sources() -> list[Path]:
    """Programs that show what each lane gets, and the projects that are one CUDA source with a main function."""
    projects = [path / "before" / f"{path.name}.cu" for path in sorted(PROJECTS.iterdir())]
    return [*sorted((Path(__file__).parent / "programs").glob("*.cu")), *(path for path in projects if path.exists())]


def table(limit: int = 1000) -> Iterator[str]:
    """A line for each mutant, and the totals."""
    counts: dict[str, int] = {}
    for path in sources():
        try:
            for mutant in mutants(path, limit):
                counts[mutant.outcome] = counts.get(mutant.outcome, 0) + 1
                yield f"{mutant.program}:{mutant.line} {mutant.rule}: {mutant.outcome} {mutant.said[:110]}"
        except build.BuildError as error:
            yield f"{path.stem}: not run: {error}"
    yield str(counts)


if __name__ == "__main__":
    for row in table():
        print(row, flush=True)
