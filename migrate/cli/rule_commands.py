"""The commands about rules: `explain`, `rules` and `rules test`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cudamigrate.cli.console import DONE, FOUND, fail, note, say
from cudamigrate.cli.options import Releases, grouped, settings, written
from cudamigrate.errors import printable
from cudamigrate.wording import count_of

if TYPE_CHECKING:
    from cudamigrate.config import Config

_BEGINS = (
    *(
        "CMakeLists.txt",
        "Makefile",
        "makefile",
        "GNUmakefile",
        "setup.py",
        "pyproject.toml",
        "configure.ac",
        "configure",
    ),
    *("meson.build", "Cargo.toml", "WORKSPACE", "MODULE.bazel", "SConstruct", ".cudamigrate.toml"),
)
"""What the folder of a project holds."""
rules_app = typer.Typer(invoke_without_command=True, help="List the rules, or prove a rule file's examples.")


def explain(
    releases: Releases,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule id, a CUDA symbol, a header, or FILE:LINE.")],
    report_format: Annotated[str, written("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
) -> None:
    """Say what a CUDA name is on AMD, what a rule means, or what was found in a line and the facts behind it."""
    file, _, line = name.rpartition(":")
    if file and line.isdigit() and Path(file).is_file():
        root = _project_of(Path(file).resolve(), Path.cwd())
        say(_line(Path(file), int(line), root, settings(root, releases)))
        return
    from cudamigrate.pipeline import lookup
    from cudamigrate.rulebase import explain as pages

    formats = {"text": pages.render_rules, "json": pages.render_json}
    if report_format not in formats:
        fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(formats))}")
    config = settings(Path("."), releases)
    found = lookup.explained(name, config)
    if not found:
        near = lookup.nearest(name, config)
        if not near and file and line.isdigit():
            fail(f"{printable(file)} is not a file")
        fail(f"no rule or CUDA symbol is called {name!r}" + (f"; did you mean {near!r}?" if near else ""))
    say(formats[report_format](lookup.bare(name), found))


def _line(file: Path, line: int, root: Path, config: Config) -> str:
    """The findings of one line, each with its chain of facts; its project is read whole, as facts cross files."""
    from cudamigrate import pipeline
    from cudamigrate.rulebase.explain_place import render_findings

    path = file.resolve().relative_to(root).as_posix()
    report = pipeline.scan(root, config)
    found = [one for one in report.findings if one.path == path and one.position.line <= line <= one.end.line]
    units = (
        (unit, function)
        for entry in report.files
        if entry.path == path and entry.lanes is not None
        for unit, function in zip(entry.lanes.units, entry.lane_functions, strict=False)
    )
    text = (root / path).read_bytes()
    last = len(text.splitlines())
    if not 0 < line <= last:
        fail(f"{printable(str(file))} has {count_of(last, 'line')}, and no line {line}")
    places = [one.span.start for one in found] or [len(b"".join(text.splitlines(keepends=True)[: line - 1]))]
    around = [function for unit, function in units if any(unit.start <= at < unit.end for at in places)]

    @cache
    def code(of: str) -> list[str]:
        inside = (root / of).resolve()
        readable = inside.is_relative_to(root.resolve()) and inside.is_file()
        return inside.read_text(encoding="utf-8", errors="replace").splitlines() if readable else []

    def lines(of: str, number: int) -> str:
        return code(of)[number - 1] if 0 < number <= len(code(of)) else ""

    return render_findings(f"{path}:{line}", found, lines, around[-1] if around else None)


def _project_of(file: Path, here: Path) -> Path:
    """The folder of the project that a file is of: the nearest checkout, else the outermost folder with a build.

    Outside of a checkout no folder above `here` is read; where nothing below it begins a project, it is one itself.
    """
    checkout = next((folder for folder in file.parents if (folder / ".git").exists()), None)
    if checkout is not None:
        return checkout
    if not file.is_relative_to(here):
        return file.parent
    inside = [here, *reversed([folder for folder in file.parents if folder != here and folder.is_relative_to(here)])]
    return next((folder for folder in inside if any((folder / name).exists() for name in _BEGINS)), here)


@rules_app.callback()
@grouped
def rules_command(
    context: typer.Context,
    releases: Releases,
    group: Annotated[str | None, typer.Option("--group", metavar="GROUP", help="Only this group.")] = None,
) -> None:
    """List the rules, one line each."""
    if context.invoked_subcommand is not None:
        return
    from cudamigrate import pipeline
    from cudamigrate.model import GROUPS
    from cudamigrate.rulebase.explain import render_list

    if group is not None and group not in GROUPS:
        fail(f"no group is called {group!r}; groups: {', '.join(GROUPS)}")
    config = settings(Path("."), releases)
    goal = pipeline.target(config)
    books = (pipeline.rules(goal, config.rules), pipeline.project_rules(goal, config.rules))
    every = [rule for book in books for rule in book.rules.values()]
    say(render_list([rule for rule in every if group in (None, rule.group)]))


@rules_app.command(name="test")
@grouped
def rules_test(
    releases: Releases,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A rule file, or a folder of them.")],
) -> None:
    """Prove the examples of your own rules: what they find, what they change, and that a second run is quiet."""
    from cudamigrate.pipeline import rule_tests

    config = settings(Path("."), releases)
    if not path.exists():
        fail(f"{path} does not exist; name a rule file or a folder of rule files")
    examples, failures = rule_tests.check_rules(path, config)
    for failure in failures:
        say(failure)
    note(f"{count_of(examples, 'example')}, {count_of(len(failures), 'failure')}")
    raise typer.Exit(FOUND if failures else DONE)
