"""The commands about rules: `explain`, `rules` and `rules test`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from migrate.cli.console import DONE, FOUND, count, fail, note, say
from migrate.cli.options import Releases, grouped, settings

rules_app = typer.Typer(invoke_without_command=True, help="List the rules, or prove a rule file's examples.")


def explain(
    releases: Releases,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule id, a CUDA symbol or a header.")],
    report_format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
) -> None:
    """Say what a CUDA name is on AMD, or what a rule means and what to do."""
    from migrate.pipeline import lookup
    from migrate.rulebase import explain as pages

    formats = {"text": pages.render_rules, "json": pages.render_json}
    if report_format not in formats:
        fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(formats))}")
    config = settings(Path("."), releases)
    found = lookup.explained(name, config)
    if not found:
        near = lookup.nearest(name, config)
        fail(f"no rule or CUDA symbol is called {name!r}" + (f"; did you mean {near!r}?" if near else ""))
    say(formats[report_format](lookup.bare(name), found))


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
    from migrate import pipeline
    from migrate.model import GROUPS
    from migrate.rulebase.explain import render_list

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
    from migrate.pipeline import rule_tests

    config = settings(Path("."), releases)
    if not path.exists():
        fail(f"{path} does not exist; name a rule file or a folder of rule files")
    examples, failures = rule_tests.check_rules(path, config)
    for failure in failures:
        say(failure)
    note(f"{count(examples, 'example')}, {count(len(failures), 'failure')}")
    raise typer.Exit(FOUND if failures else DONE)
