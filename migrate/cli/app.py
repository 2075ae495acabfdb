"""The command line: joins the commands. Stages are imported when a command runs, so that help is instant."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

<<<<<<< HEAD
from migrate.cli import report_commands, rule_commands
from migrate.cli.console import (
    DONE,
    USAGE,
    count,
    emit,
    end,
    fail,
    finish,
    note,
    progress,
    renderer,
    say,
)
from migrate.cli.rule_commands import Cuda, Rocm

if TYPE_CHECKING:
    from migrate.config import Config
    from migrate.pipeline import Applied
=======
from migrate.cli import apply_command, check_command, report_commands, rule_commands, scan_command, verify_command
from migrate.cli.console import DONE, USAGE, end, note
from migrate.cli.options import grouped
>>>>>>> main

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

<<<<<<< HEAD
Include = Annotated[
    list[str] | None, typer.Option("--include", metavar="GLOB", help="Only files that match, vendored ones too.")
]
Exclude = Annotated[list[str] | None, typer.Option("--exclude", metavar="GLOB", help="Leave out files that match.")]
Vendored = Annotated[bool, typer.Option("--vendored", help="Enter vendored and third-party folders too.")]
Submodules = Annotated[bool, typer.Option("--submodules", help="Enter git submodules too.")]
Arch = Annotated[list[str] | None, typer.Option("--arch", metavar="GFX", help="GPU architectures aimed at.")]
Wave = Annotated[
    str | None, typer.Option("--wave", metavar="KIND", help="logical32 keeps warps of 32 lanes, native widens some.")
]
Resolve = Annotated[
    bool | None, typer.Option("--resolve/--no-resolve", help="Ask libclang for types and values of lane code.")
]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", min=0, help="Processes; 0 is one per core.")]
Engine = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="clang (embedded), hipcc, or auto for the better one here.")
]
Standard = Annotated[str | None, typer.Option("--std", metavar="STANDARD", help="C++ standard, such as c++17.")]
Define = Annotated[list[str] | None, typer.Option("--define", "-D", metavar="MACRO", help="Macro the build sets.")]
IncludeDir = Annotated[list[str] | None, typer.Option("--include-dir", "-I", metavar="DIR", help="Include folder.")]
Gpu = Annotated[list[str] | None, typer.Option("--gpu", metavar="NAME", help="GPUs to move to, such as mi300x.")]
GpuHours = Annotated[float | None, typer.Option("--gpu-hours", metavar="HOURS", help="GPU-hours used in a month.")]
PriceFrom = Annotated[float | None, typer.Option("--price-from", metavar="USD", help="An NVIDIA GPU's hour costs.")]
PriceTo = Annotated[float | None, typer.Option("--price-to", metavar="USD", help="An AMD GPU's hour costs.")]
DayRate = Annotated[float | None, typer.Option("--day-rate", metavar="USD", help="An engineer's day costs.")]
Run = Annotated[
    bool,
    typer.Option("--run", help="Run the programs, before and after, on an emulated GPU: this executes their code."),
]
Kernel = Annotated[
    list[str] | None, typer.Option("--kernel", metavar="NAME", help="Run this kernel by itself; `all` for every one.")
]
TimeLimit = Annotated[int, typer.Option("--time-limit", metavar="SECONDS", min=1, help="Of each run of --run.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback for an internal error.")]

=======
>>>>>>> main

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


<<<<<<< HEAD
@app.command()
def scan(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A repository folder or one source file.")] = Path("."),
    report_format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="text, json, html, markdown, sarif, csv or github.")
    ] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")] = None,
    include: Include = None,
    exclude: Exclude = None,
    vendored: Vendored = False,
    submodules: Submodules = False,
    rocm: Rocm = None,
    cuda: Cuda = None,
    arch: Arch = None,
    wave: Wave = None,
    resolve: Resolve = None,
    jobs: Jobs = None,
    gpu: Gpu = None,
    gpu_hours: GpuHours = None,
    price_from: PriceFrom = None,
    price_to: PriceTo = None,
    day_rate: DayRate = None,
    debug: Debug = False,
) -> None:
    """Report what is CUDA in a repository and what of it `apply` can move."""
    from migrate import pipeline

    config = _config(path, include, exclude, vendored, submodules, rocm, cuda, arch, jobs, wave, resolve)
    config = _money(config, gpu, gpu_hours, price_from, price_to, day_rate)
    render = renderer(report_format, output)
    with progress("Scanning") as step:
        report = pipeline.scan(path, config, step, debug)
    emit(render(report), output)
    raise typer.Exit(finish(report))


def _money(
    config: Config,
    gpu: list[str] | None,
    gpu_hours: float | None,
    price_from: float | None,
    price_to: float | None,
    day_rate: float | None,
) -> Config:
    """The configuration with what was said of GPUs and money, which the estimate rests on."""
    from migrate.config import with_options

    return with_options(
        config,
        gpu=tuple(gpu) if gpu else None,
        gpu_hours=gpu_hours,
        price_from=price_from,
        price_to=price_to,
        day_rate=day_rate,
    )


@app.command(name="apply")
def apply_command(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A repository folder or one source file.")] = Path("."),
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="Commit to this branch; left out, hip/<current>.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write a converted copy of the tree.")
    ] = None,
    patch: Annotated[Path | None, typer.Option("--patch", metavar="FILE", help="Write a unified diff.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print the diff and write nothing.")] = False,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Also apply fixes that want a reader.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing branch, folder or patch.")] = False,
    proven: Annotated[bool, typer.Option("--verify/--no-verify", help="Type-check the result for AMD.")] = True,
    engine: Engine = "auto",
    run: Run = False,
    time_limit: TimeLimit = 60,
    include: Include = None,
    exclude: Exclude = None,
    vendored: Vendored = False,
    submodules: Submodules = False,
    rocm: Rocm = None,
    cuda: Cuda = None,
    arch: Arch = None,
    wave: Wave = None,
    resolve: Resolve = None,
    jobs: Jobs = None,
    debug: Debug = False,
) -> None:
    """Make the move: a branch (default), a folder or a patch with every safe change. Sources stay as they are."""
    from migrate import pipeline

    if sum((branch is not None, output is not None, patch is not None, diff)) > 1:
        fail("choose one of --branch, --output, --patch and --diff")
    config = _config(path, include, exclude, vendored, submodules, rocm, cuda, arch, jobs, wave, resolve)
    with progress("Converting") as step:
        applied = pipeline.apply(path, config, unsafe, step, debug, resolve=proven)
    judged = None
    if proven and applied.conversions:
        from migrate.pipeline import prove

        with progress("Verifying") as step:
            applied, judged = prove.verify_applied(applied, config, engine, step)
    if diff:
        from migrate.output import patch as patch_target

        root = Path(applied.report.repository.root)
        sys.stdout.buffer.write(patch_target.unified(applied.conversions, applied.added, root))
        sys.stdout.buffer.flush()
    elif not applied.conversions:
        say("Nothing to change: no safe fix applies.")
    else:
        say(_write(applied, branch, output, patch, force))
    _summary(applied)
    if judged is not None:
        from migrate.verification.text import render_short

        note(render_short(judged))
    code = finish(applied.report)
    if run:
        from migrate.cli import verify_command

        code = verify_command.run_applied(applied, config, time_limit) or code
    raise typer.Exit(code)


def _write(applied: Applied, branch: str | None, output: Path | None, patch: Path | None, force: bool) -> str:
    from migrate import plugins

    name = "folder" if output is not None else "patch" if patch is not None else "branch"
    place = str(output or patch or branch or "")
    module = plugins.load("migrate.output")[name]
    root = Path(applied.report.repository.root)
    return str(module.write(root, applied.conversions, applied.added, place, force))


def _summary(applied: Applied) -> None:
    from migrate.reporting.summary import lane_line

    fixes = sum(conversion.applied for conversion in applied.conversions)
    left = len(applied.report.findings) - fixes
    changed = count(len(applied.conversions), "file")
    note(f"{changed} changed, {count(fixes, 'fix')} applied; {count(left, 'finding')} left for a reader.")
    if line := lane_line(applied.settled()):
        note(f"{line}.")
    for finding, reason in applied.rejected[:10]:
        place = f"{finding.path}:{finding.position.line}:{finding.position.column}"
        note(f"{place}: {finding.rule} was not applied: {reason}")
    if len(applied.rejected) > 10:
        note(f"... and {len(applied.rejected) - 10} more fixes that were not applied")


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
    from migrate.cli import check_command

    raise typer.Exit(check_command.run(files or [], rocm, cuda, arch))


@app.command()
def verify(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A converted tree, or one file.")] = Path("."),
    engine: Engine = "auto",
    original: Annotated[
        Path | None,
        typer.Option("--original", metavar="SRC", help="CUDA code as it was: type-check it, or with --run compare."),
    ] = None,
    report_format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="text or json.")] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE.")] = None,
    numeric: Annotated[
        str | None, typer.Option("--numeric", metavar="DIR", help="Also write a harness that compares numbers on GPUs.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing harness.")] = False,
    run: Run = False,
    kernel: Kernel = None,
    waves: Annotated[
        str, typer.Option("--wave", metavar="LANES", help="Wavefronts of --run: 32, 64 or 32,64.")
    ] = "32,64",
    schedule: Annotated[
        str, typer.Option("--schedule", metavar="ORDER", help="Lanes of --run: lockstep, free or random:SEED.")
    ] = "lockstep",
    time_limit: TimeLimit = 60,
    standard: Standard = None,
    define: Define = None,
    include_dir: IncludeDir = None,
    include: Include = None,
    exclude: Exclude = None,
    vendored: Vendored = False,
    rocm: Rocm = None,
    arch: Arch = None,
    jobs: Jobs = None,
) -> None:
    """Prove HIP code without a GPU: type-check every file for AMD, and with --run execute it on an emulated GPU."""
    from migrate.cli import verify_command

    config = _config(path, include, exclude, vendored, False, rocm, None, arch, jobs)
    config = _compiling(config, standard, define, include_dir)
    options = verify_command.run_options(config, waves, schedule, time_limit) if run or kernel else None
    request = verify_command.Request(path, config, engine, original, options, tuple(kernel or ()))
    report = verify_command.Report(report_format, output, numeric, force)
    raise typer.Exit(verify_command.run(request, report))


def _compiling(config: Config, standard: str | None, define: list[str] | None, include_dir: list[str] | None) -> Config:
    """The configuration with what was said of how files compile."""
    from migrate.config import with_options

    return with_options(
        config,
        standard=standard,
        defines=tuple(define) if define else None,
        include_dirs=tuple(include_dir) if include_dir else None,
    )


app.command()(rule_commands.explain)
app.command()(report_commands.report)
app.command()(report_commands.diff)
=======
for _command in (
    scan_command.scan,
    apply_command.apply,
    check_command.check,
    verify_command.verify,
    rule_commands.explain,
    report_commands.report,
    report_commands.diff,
):
    app.command()(grouped(_command))
>>>>>>> main
app.add_typer(rule_commands.rules_app, name="rules")


def main(args: list[str] | None = None) -> None:
    """Run a command, and end the process with its exit code."""
    end(lambda: _run(sys.argv[1:] if args is None else args))


def _run(words: list[str]) -> int:
    try:
        code = app(words, prog_name="cudamigrate", standalone_mode=False)
    except _UsageError as error:
        said = str(error.format_message()).strip().rstrip(".")  # empty where help was printed instead
        if said:
            note(f"cudamigrate: {said}; see cudamigrate --help")
        return USAGE
    return code if isinstance(code, int) else DONE
