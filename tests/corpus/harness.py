"""Fetching projects, and judging what becomes of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import tomli

from cudamigrate.config import Config
from cudamigrate.frontends import project_front_end
from cudamigrate.model import FileEntry, Finding, Report, SourceFile
from cudamigrate.model.verification import Verification
from cudamigrate.pipeline import Applied, convert_file, prove
from cudamigrate.project import discovery

HERE = Path(__file__).parent
RELEASE = "7.1"
"""The ROCm release aimed at: its headers are those that the Triton wheel carries."""

PARTS = ("python", "triton", "build", "packages", "environment")
"""Groups of findings in build, package and environment files."""


@dataclass(frozen=True)
class Project:
    """A pinned source distribution.

    `defines` are macros that only its build computes; `sound` is how many files check at least, `asm` how many asm
    statements are seen at least. `include` and `exclude` are globs of the files to read, where not all are; `judged` is
    false for what is read for its asm statements only.
    """

    name: str
    version: str
    sha256: str
    defines: tuple[str, ...] = ()
    sound: int = 0
    asm: int = 0
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    judged: bool = True
    large: bool = False
    vendored: bool = False


def projects() -> list[Project]:
    """The pinned projects."""
    table = tomli.loads((HERE / "projects.toml").read_text())
    lists = ("defines", "include", "exclude")
    return [
        Project(name, **{key: tuple(value) if key in lists else value for key, value in entry.items()})
        for name, entry in table.items()
    ]


def cache() -> Path:
    """Where archives and trees are kept between runs, outside the checkout."""
    base = os.environ.get("CUDAMIGRATE_CORPUS") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "cudamigrate", "corpus"
    )
    return Path(base)


def unpacked(project: Project) -> Path | str:
    """Root of the project's unpacked source, fetched when it is not cached; a string says why it cannot be had."""
    folder = cache() / f"{project.name}-{project.version}"
    if folder.is_dir():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    archive = folder.with_name(folder.name + ".tar.gz")
    if not archive.exists():
        command = [sys.executable, str(HERE / "fetch.py"), project.name, project.version, project.sha256, str(archive)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["pip could not fetch it"])[-1]
    staging = folder.with_name(folder.name + f".{os.getpid()}.part")
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(staging, filter="data")
        else:
            tar.extractall(staging)
    (top,) = staging.iterdir()
    top.rename(folder)
    staging.rmdir()
    return folder


def fetch() -> None:
    """Fetch what the tests read that nobody asks for all of, so that they need not wait for it."""
    from tests.corpus import label

    for project in projects():
        if project.judged and (not project.large or project.name in label.PROJECTS):
            place = unpacked(project)
            if isinstance(place, str):
                print(f"{project.name} {project.version} cannot be fetched: {place}")
                return  # the tests ask for each and say what is missing


def settings(project: Project) -> Config:
    """How a project is read, converted to HIP sources and judged: for the release whose headers the engine brings."""
    return Config(
        include=project.include,
        exclude=project.exclude,
        enter_vendored=project.vendored,
        submodules=project.vendored,
        defines=project.defines,
        rocm=RELEASE,
        style="hip",
    )


def plain(applied: Applied) -> Applied:
    """The same project with names and headers changed and nothing repaired, as a tool that renames would do it."""
    report = applied.report
    entries = {result.path: FileEntry(result.path, result.language, result.size) for result in report.files}
    renames: dict[str, list[Finding]] = {}
    for finding in report.findings:
        if finding.automatic and report.rules[finding.rule].change.kind in ("rename", "include"):
            renames.setdefault(finding.path, []).append(finding)
    conversions = []
    for path, findings in renames.items():
        source = discovery.read(Path(report.repository.root), entries[path])
        if isinstance(source, SourceFile):
            conversions.append(convert_file.convert(source, findings))
    return replace(applied, conversions=tuple(conversions), added={})


def parts(report: Report) -> list[str]:
    """Cells of the table `parts`: findings of each part, those that are automatic, and all."""
    languages = {result.path: result.language for result in report.files}
    found = [finding for finding in report.findings if project_front_end(languages[finding.path]) is not None]
    counts = Counter(finding.group for finding in found)
    return [*(str(counts[group]) for group in PARTS), str(sum(one.automatic for one in found)), str(len(found))]


def judged(applied: Applied, project: Project, engine: str = "clang") -> Verification:
    """The verdicts on what `apply` made, repairs that do not type-check taken back."""
    return prove.verify_applied(applied, settings(project), engine)[1]


def sound(verification: Verification) -> int:
    """How many files check, against declarations or not."""
    return sum(verdict.word in ("checked", "declarations") for verdict in verification.verdicts)


def complaints(verification: Verification) -> Counter[str]:
    """What is said of the files that fail, each message counted once a file."""
    said: Counter[str] = Counter()
    for verdict in verification.verdicts:
        if verdict.word == "failed":
            said.update(
                {f"{_kind(entry.message)}{'' if entry.foreseen else ' (MISS)'}" for entry in verdict.diagnostics}
            )
    return said


def _kind(message: str) -> str:
    return message if len(message) < 110 else message[:107] + "..."


if __name__ == "__main__":
    fetch()
