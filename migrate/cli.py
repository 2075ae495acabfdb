"""The command line: options in, exit code out. Stages are imported when a command runs, so that help is instant."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from migrate.errors import MigrateError

if TYPE_CHECKING:
    from migrate.config import Config
    from migrate.model import Report
    from migrate.pipeline import Applied

DONE, FOUND, USAGE, PARTIAL = 0, 1, 2, 3
"""Exit codes: done; `check` found something; wrong usage or configuration; done, but files were left out."""

NOTICES = ("link", "git", "submodule")
"""Kinds of skips that are no file's failure."""

app = typer.Typer(
    name="cudamigrate",
    help="Move CUDA code to AMD GPUs: see what it costs, make the move, keep new CUDA-only code out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_UsageError: Any = typer.BadParameter.__mro__[1]
"""What the command-line parser raises for wrong usage; the library does not export the class by name."""

Include = Annotated[
    list[str] | None, typer.Option("--include", metavar="GLOB", help="Only files that match, vendored ones too.")
]
Exclude = Annotated[list[str] | None, typer.Option("--exclude", metavar="GLOB", help="Leave out files that match.")]
Vendored = Annotated[bool, typer.Option("--vendored", help="Enter vendored and third-party folders too.")]
Submodules = Annotated[bool, typer.Option("--submodules", help="Enter git submodules too.")]
Rocm = Annotated[str | None, typer.Option("--rocm", metavar="VERSION", help="ROCm release aimed at.")]
Cuda = Annotated[str | None, typer.Option("--cuda", metavar="VERSION", help="CUDA release the source is for.")]
Arch = Annotated[list[str] | None, typer.Option("--arch", metavar="GFX", help="GPU architectures aimed at.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", min=0, help="Processes; 0 is one per core.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback for an internal error.")]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"cudamigrate {version('cudamigrate')}")
        raise typer.Exit(DONE)


@app.callback()
def _root(
    wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def scan(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A repository folder or one source file.")] = Path("."),
    report_format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")] = None,
    include: Include = None,
    exclude: Exclude = None,
    vendored: Vendored = False,
    submodules: Submodules = False,
    rocm: Rocm = None,
    cuda: Cuda = None,
    arch: Arch = None,
    jobs: Jobs = None,
    debug: Debug = False,
) -> None:
    """Report what is CUDA in a repository and what of it `apply` can move."""
    from migrate import pipeline

    config = _config(path, include, exclude, vendored, submodules, rocm, cuda, arch, jobs)
    render = _renderer(report_format, output)
    with _progress("Scanning") as progress:
        report = pipeline.scan(path, config, progress, debug)
    _emit(render(report), output)
    raise typer.Exit(_finish(report))


@app.command(name="apply")
def apply_command(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A repository folder or one source file.")] = Path("."),
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="Commit to this branch [default: hip/<current>].")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write a converted copy of the tree.")
    ] = None,
    patch: Annotated[Path | None, typer.Option("--patch", metavar="FILE", help="Write a unified diff.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print the diff and write nothing.")] = False,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Also apply fixes that want a reader.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing branch, folder or patch.")] = False,
    include: Include = None,
    exclude: Exclude = None,
    vendored: Vendored = False,
    submodules: Submodules = False,
    rocm: Rocm = None,
    cuda: Cuda = None,
    arch: Arch = None,
    jobs: Jobs = None,
    debug: Debug = False,
) -> None:
    """Make the move: a branch (default), a folder or a patch with every safe change. Sources stay as they are."""
    from migrate import pipeline

    if sum((branch is not None, output is not None, patch is not None, diff)) > 1:
        _fail("choose one of --branch, --output, --patch and --diff")
    config = _config(path, include, exclude, vendored, submodules, rocm, cuda, arch, jobs)
    with _progress("Converting") as progress:
        applied = pipeline.apply(path, config, unsafe, progress, debug)
    if diff:
        from migrate.targets import patch as patch_target

        root = Path(applied.report.repository.root)
        sys.stdout.buffer.write(patch_target.unified(applied.conversions, applied.added, root))
        sys.stdout.buffer.flush()
    elif not applied.conversions:
        _say("Nothing to change: no safe fix applies.")
    else:
        _say(_write(applied, branch, output, patch, force))
    _summary(applied)
    raise typer.Exit(_finish(applied.report))


def _write(applied: Applied, branch: str | None, output: Path | None, patch: Path | None, force: bool) -> str:
    from migrate import plugins

    name = "folder" if output is not None else "patch" if patch is not None else "branch"
    place = str(output or patch or branch or "")
    module = plugins.load("migrate.targets")[name]
    root = Path(applied.report.repository.root)
    return str(module.write(root, applied.conversions, applied.added, place, force))


def _summary(applied: Applied) -> None:
    fixes = sum(conversion.applied for conversion in applied.conversions)
    left = len(applied.report.findings) - fixes
    changed = _count(len(applied.conversions), "file")
    _note(f"{changed} changed, {_count(fixes, 'fix')} applied; {_count(left, 'finding')} left for a reader.")
    for finding, reason in applied.rejected[:10]:
        place = f"{finding.path}:{finding.position.line}:{finding.position.column}"
        _note(f"{place}: {finding.rule} was not applied: {reason}")
    if len(applied.rejected) > 10:
        _note(f"... and {len(applied.rejected) - 10} more fixes that were not applied")


@app.command()
def check(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILES", help="Files; without any, what is staged in git.")
    ] = None,
    rocm: Rocm = None,
    cuda: Cuda = None,
    arch: Arch = None,
    debug: Debug = False,
) -> None:
    """Warn of CUDA-only code in files or in what is staged: one line each, exit code 1 when there is any."""
    from migrate import pipeline

    given = files or []
    for path in given:
        if not path.is_file():
            _fail(f"{path} is not a file; name files, or none to check what is staged")
    config = _config(given[0].parent if given else Path("."), None, None, False, False, rocm, cuda, arch, None)
    findings, skipped = pipeline.check(pipeline.check_sources(Path("."), given, config), config)
    for finding in findings:
        place = f"{finding.path}:{finding.position.line}:{finding.position.column}"
        _say(f"{place}: {finding.rule} {finding.message}")
    for skip in skipped:
        _note(f"{skip.path}: skipped ({skip.kind}): {skip.reason}")
    raise typer.Exit(FOUND if findings else PARTIAL if skipped else DONE)


@app.command()
def explain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule id, a CUDA symbol or a header.")],
    report_format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
    rocm: Rocm = None,
    cuda: Cuda = None,
) -> None:
    """Say what a CUDA name is on AMD, or what a rule means and what to do."""
    from difflib import get_close_matches

    from migrate import explain as pages
    from migrate import pipeline

    formats = {"text": pages.render_rules, "json": pages.render_json}
    if report_format not in formats:
        _fail(f"no format is called {report_format!r}; formats: {', '.join(sorted(formats))}")
    config = _config(Path("."), None, None, False, False, rocm, cuda, None, None)
    book = pipeline.rules(pipeline.target(config), config.rules)
    wanted = name.strip().strip('<>"')
    found = book.find(wanted)
    if not found:
        near = get_close_matches(wanted, [*book.rules, *book.names, *book.includes], 1)
        _fail(f"no rule or CUDA symbol is called {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    _say(formats[report_format](wanted, found))


rules_app = typer.Typer(invoke_without_command=True, help="List the rules, or prove a rule file's examples.")
app.add_typer(rules_app, name="rules")


@rules_app.callback()
def rules_command(
    context: typer.Context,
    group: Annotated[str | None, typer.Option("--group", metavar="GROUP", help="Only this group.")] = None,
    rocm: Rocm = None,
    cuda: Cuda = None,
) -> None:
    """List the rules, one line each."""
    if context.invoked_subcommand is not None:
        return
    from migrate import pipeline
    from migrate.explain import render_list
    from migrate.model import GROUPS

    if group is not None and group not in GROUPS:
        _fail(f"no group is called {group!r}; groups: {', '.join(GROUPS)}")
    config = _config(Path("."), None, None, False, False, rocm, cuda, None, None)
    book = pipeline.rules(pipeline.target(config), config.rules)
    _say(render_list([rule for rule in book.rules.values() if group in (None, rule.group)]))


@rules_app.command(name="test")
def rules_test(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A rule file, or a folder of them.")],
    rocm: Rocm = None,
    cuda: Cuda = None,
) -> None:
    """Prove the examples of your own rules: what they find, what they change, and that a second run is quiet."""
    from migrate import pipeline

    config = _config(Path("."), None, None, False, False, rocm, cuda, None, None)
    if not path.exists():
        _fail(f"{path} does not exist; name a rule file or a folder of rule files")
    examples, failures = pipeline.prove(path, config)
    for failure in failures:
        _say(failure)
    _note(f"{_count(examples, 'example')}, {_count(len(failures), 'failure')}")
    raise typer.Exit(FOUND if failures else DONE)


def _config(
    start: Path,
    include: list[str] | None,
    exclude: list[str] | None,
    vendored: bool,
    submodules: bool,
    rocm: str | None,
    cuda: str | None,
    arch: list[str] | None,
    jobs: int | None,
) -> Config:
    """Configuration of the project around `start`, with the options given on the command line."""
    from migrate import config

    return config.with_options(
        config.load(start),
        include=tuple(include) if include else None,
        exclude=tuple(exclude) if exclude else None,
        enter_vendored=vendored or None,
        submodules=submodules or None,
        rocm=rocm,
        cuda=cuda,
        arch=tuple(arch) if arch else None,
        jobs=jobs,
    )


def _renderer(name: str, output: Path | None) -> Callable[[Report], str]:
    from migrate import plugins

    formats = plugins.load("migrate.reports")
    if name not in formats:
        _fail(f"no report format is called {name!r}; formats: {', '.join(sorted(formats))}")
    render: Callable[[Report], str] = formats[name].render
    if name == "text" and output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        return partial(formats[name].render, color=True)
    return render


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on standard error for runs of over a second on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=None)
    started, shown = time.monotonic(), False

    def step(done: int, total: int) -> None:
        nonlocal shown
        if not shown and time.monotonic() - started > 1.0:
            shown = True
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield step
    finally:
        if shown:
            bar.stop()


def _emit(text: str, output: Path | None) -> None:
    """Print a report, or write it in one step so that no half file is left."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    part = output.with_name(output.name + ".part")
    try:
        part.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")
        os.replace(part, output)
    except OSError as error:
        part.unlink(missing_ok=True)
        _fail(f"cannot write {output}: {error.strerror}")
    _note(f"Report written to {output}")


def _finish(report: Report) -> int:
    failed = [skip for skip in report.skipped if skip.kind not in NOTICES]
    told = [skip for skip in report.skipped if skip.kind == "git"] + failed[:10]
    for skip in told:
        _note(f"{skip.path}: skipped ({skip.kind}): {skip.reason}")
    if len(failed) > 10:
        _note(f"... and {len(failed) - 10} more files were skipped; --format json lists them all")
    return PARTIAL if failed else DONE


def _count(number: int, thing: str) -> str:
    ending = "" if number == 1 else "es" if thing.endswith("x") else "s"
    return f"{number} {thing}{ending}"


def _say(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def _note(text: str) -> None:
    sys.stderr.write(text + "\n")


def _fail(text: str) -> NoReturn:
    _note(f"cudamigrate: {text}")
    raise typer.Exit(USAGE)


def main(args: list[str] | None = None) -> None:
    """Run a command; every expected failure is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = app(sys.argv[1:] if args is None else args, prog_name="cudamigrate", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else DONE)
    except _UsageError as error:
        said = str(error.format_message()).strip().rstrip(".")  # empty where help was printed instead
        if said:
            _note(f"cudamigrate: {said}; see cudamigrate --help")
        sys.exit(USAGE)
    except MigrateError as error:
        _note(f"cudamigrate: {error}")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        _note("cudamigrate: interrupted; nothing was left half-written")
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
