"""The Python interface: `scan`, `apply`, `check` and `verify`, with the types of what they return.

The package itself offers these names (`from cudamigrate import scan`) and imports this module when one is first used.
Nothing is printed, and only `write` writes. Paths may be strings. Every expected
failure is a `MigrateError`, whose text says what is wrong and what to do.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Literal

from cudamigrate import plugins
from cudamigrate.config import Config, load, with_options
from cudamigrate.errors import InputError, MigrateError
from cudamigrate.handover import commits
from cudamigrate.handover.result import Result
from cudamigrate.model import Conversion, Finding, Fix, Report
from cudamigrate.model.verification import Verdict, Verification
from cudamigrate.pipeline import Applied, prove, run
from cudamigrate.pipeline import check as checking
from cudamigrate.pipeline.check import Checked
from cudamigrate.pipeline.lookup import explained
from cudamigrate.rulebase import explain as pages

__all__ = [
    "Applied",
    "Checked",
    "Config",
    "Conversion",
    "Finding",
    "Fix",
    "MigrateError",
    "Report",
    "Verdict",
    "Verification",
    "apply",
    "check",
    "explain",
    "render",
    "scan",
    "settings",
    "verify",
    "write",
]

StrPath = str | PathLike[str]
"""A path, as text or as an object."""


def settings(path: StrPath = ".", **options: object) -> Config:
    """The configuration of the project around `path`, with `options` in place of what its file says.

    Options are called as the fields of `Config`; one that is None changes nothing. Raises MigrateError for a file or
    a value that does not fit.
    """
    return with_options(load(Path(fspath(path))), **options)


def scan(path: StrPath = ".", config: Config | None = None) -> Report:
    """What is CUDA in a repository or in one file, what of it `apply` can move, and an estimate of the rest.

    Without `config`, the project's own configuration holds. Raises MigrateError.
    """
    return run.scan(Path(fspath(path)), config or settings(path))


def apply(path: StrPath = ".", config: Config | None = None, *, unsafe: bool = False, verified: bool = True) -> Applied:
    """The converted files of a repository, in memory; `write` puts them somewhere.

    `unsafe` makes the fixes that need review too. `verified` type-checks the result, if the packages for that are
    installed, and takes back repairs that do not compile. Raises MigrateError.
    """
    chosen = config or settings(path)
    applied = run.apply(Path(fspath(path)), chosen, unsafe, resolve=verified)
    return prove.verify_applied(applied, chosen)[0] if verified and applied.conversions else applied


def write(
    applied: Applied, place: StrPath, kind: Literal["branch", "folder", "patch"] = "folder", *, force: bool = False
) -> str:
    """Write what `apply` made to a branch, a folder or a patch; one line that says what was written.

    `force` replaces an earlier result of ours. The sources stay as they are. Raises MigrateError.
    """
    root = Path(applied.report.repository.root)
    module = plugins.load("cudamigrate.output")[kind]
    made = Result(applied.report, applied.conversions, applied.added, applied.rejected, by_build=applied.by_build)
    series = commits.of(made) if kind == "branch" else ()
    return str(module.write(root, applied.conversions, applied.added, fspath(place), force, series))


def check(
    path: StrPath = ".",
    config: Config | None = None,
    *,
    since: str = "",
    patch: bytes | None = None,
    everything: bool = False,
) -> Checked:
    """The problems of new code: of the lines staged in git, new since the commit `since`, or added by `patch`.

    `everything` checks whole files instead. `path` is the folder of a work tree, or one file. Raises MigrateError.
    """
    chosen, root = config or settings(path), Path(fspath(path))
    if not root.exists():
        raise InputError(f"{path} does not exist; give a repository folder or a source file")
    if root.is_dir() and not everything:
        return checking.check(checking.items(root, checking.CheckRequest((), since, patch), chosen), chosen, root)
    request = checking.CheckRequest((fspath(path),), since, patch, everything)
    return checking.check(checking.items(Path("."), request, chosen), chosen, Path("."))


def verify(path: StrPath = ".", config: Config | None = None, *, engine: str = "auto") -> Verification:
    """Whether each HIP file of a tree compiles for AMD, judged without a GPU.

    `absent` of the result says why nothing could be judged; it is empty otherwise. Raises MigrateError.
    """
    return prove.verify(Path(fspath(path)), config or settings(path), engine)


def explain(name: str, config: Config | None = None) -> str:
    """What a CUDA name is on AMD, or what a rule means, as text; empty where no rule knows the name."""
    found = explained(name, config or settings())
    return pages.render_rules(name, found) if found else ""


def render(report: Report, kind: str = "markdown") -> str:
    """A report as text in a format of `cudamigrate scan --format`. Raises InputError for one that is not known."""
    names = plugins.names("cudamigrate.reporting.formats")
    if kind not in names:
        raise InputError(f"no report format is called {kind!r}; formats: {', '.join(names)}")
    module = plugins.one("cudamigrate.reporting.formats", kind)
    assert module is not None
    return str(module.render(report))
