"""Options that commands share, each written once, and how a command takes them: as typed objects.

A command's parameter whose type is a dataclass of this module stands for the options in it (`grouped`). Fields of the
groups that `settings` takes are called as the settings in `config/` are.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from cudamigrate.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from cudamigrate.config import Config

_files = partial(typer.Option, rich_help_panel="Which files")
_goal = partial(typer.Option, rich_help_panel="Target")
_estimate = partial(typer.Option, rich_help_panel="What the estimate counts with")
_compile = partial(typer.Option, rich_help_panel="How files compile")
_fleet = partial(typer.Option, rich_help_panel="Many repositories, many machines")
_run = partial(typer.Option, rich_help_panel="Running on an emulated GPU")
written = partial(typer.Option, rich_help_panel="Where the result goes")
_handed = partial(typer.Option, rich_help_panel="Review and manual work")

SourcePath = Annotated[Path, typer.Argument(metavar="PATH", help="A repository folder or one source file.")]
Output = Annotated[Path | None, written("--output", "-o", metavar="FILE", help="Write to FILE; - is standard output.")]
Engine = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="clang (embedded), hipcc, or auto for the better one installed.")
]
VerifyTime = Annotated[
    float | None,
    typer.Option(
        "--verify-time",
        metavar="SECONDS",
        min=0,
        help="Stop type-checking after this many seconds; files left out are named.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", min=0, help="Number of processes; 0 means one per core.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show a traceback where cudamigrate itself fails.")]


@dataclass(frozen=True)
class OwnFiles:
    """Which files of a folder are read."""

    include: Annotated[
        list[str] | None, _files("--include", metavar="GLOB", help="Only files that match, vendored ones too.")
    ] = None
    exclude: Annotated[list[str] | None, _files("--exclude", metavar="GLOB", help="Leave out files that match.")] = None
    enter_vendored: Annotated[bool, _files("--vendored", help="Enter vendored and third-party folders too.")] = False


@dataclass(frozen=True)
class Files(OwnFiles):
    """Which files are read, those of submodules among them."""

    submodules: Annotated[bool, _files("--submodules", help="Enter git submodules too.")] = False


@dataclass(frozen=True)
class Goal:
    """The AMD side: a release and GPUs."""

    rocm: Annotated[str | None, _goal("--rocm", metavar="VERSION", help="ROCm release to move to.")] = None
    arch: Annotated[
        list[str] | None, _goal("--arch", metavar="GFX", help="GPU architecture to move to, such as gfx942.")
    ] = None


@dataclass(frozen=True)
class Releases(Goal):
    """The AMD side, and the release that the source is for."""

    cuda: Annotated[str | None, _goal("--cuda", metavar="VERSION", help="CUDA release the source is for.")] = None


@dataclass(frozen=True)
class Move(Releases):
    """What is aimed at, warp-level code included."""

    wave: Annotated[
        str | None, _goal("--wave", metavar="KIND", help="logical32 keeps warps of 32 lanes, native widens some.")
    ] = None
    resolve: Annotated[
        bool | None, _goal("--resolve/--no-resolve", help="Ask libclang for types and values in warp-level code.")
    ] = None


@dataclass(frozen=True)
class Project:
    """What `scan` and `apply` share: the files, the aim, the processes, and the results of earlier runs."""

    files: Files
    move: Move
    jobs: Jobs = None
    cache: Annotated[
        bool | None, _files("--cache/--no-cache", help="Use what earlier runs found in files that are unchanged.")
    ] = None


@dataclass(frozen=True)
class Fleet:
    """Many repositories, and many machines."""

    repos: Annotated[
        Path | None,
        _fleet("--repos", metavar="LIST|DIR", help="Scan each repository of a list or folder; -o names a folder."),
    ] = None
    scheduler: Annotated[
        str | None, _fleet("--scheduler", metavar="ADDRESS", help="Read files on the Dask cluster at tcp://HOST:PORT.")
    ] = None


@dataclass(frozen=True)
class Source(Project):
    """What `apply` converts, and how it writes."""

    style: Annotated[
        str | None,
        _goal("--style", metavar="STYLE", help="hip sources, portable (one source for both vendors), or auto."),
    ] = None


@dataclass(frozen=True)
class Originals:
    """The code before the move."""

    original: Annotated[
        Path | None,
        typer.Option("--original", metavar="SRC", help="CUDA code as it was: type-check it, or with --run compare."),
    ] = None
    cuda_path: Annotated[
        Path | None,
        typer.Option("--cuda-path", metavar="SRC", help="The tree before: is what CUDA compiles of it unchanged?"),
    ] = None


@dataclass(frozen=True)
class Compiling:
    """How files compile, where build files do not say it."""

    standard: Annotated[str | None, _compile("--std", metavar="STANDARD", help="C++ standard, such as c++17.")] = None
    defines: Annotated[list[str] | None, _compile("--define", "-D", metavar="MACRO", help="Macro the build sets.")] = (
        None
    )
    include_dirs: Annotated[
        list[str] | None, _compile("--include-dir", "-I", metavar="DIR", help="Include folder.")
    ] = None


@dataclass(frozen=True)
class Converted:
    """What is judged: converted files, the aim, how they compile, and the processes."""

    compiling: Compiling
    files: OwnFiles
    goal: Goal
    jobs: Jobs = None


@dataclass(frozen=True)
class Limit:
    """The time that the type check may take."""

    verify_time: VerifyTime = None


@dataclass(frozen=True)
class TypeCheck:
    """How HIP code is type-checked."""

    limit: Limit
    engine: Engine = "auto"


@dataclass(frozen=True)
class OptionalTypeCheck(TypeCheck):
    """Whether and how HIP code is type-checked."""

    proven: Annotated[bool, typer.Option("--verify/--no-verify", help="Type-check the result for AMD.")] = True


@dataclass(frozen=True)
class Money:
    """What the estimate counts with."""

    gpu: Annotated[
        list[str] | None, _estimate("--to", "--gpu", metavar="NAMES", help="GPUs to move to, such as mi300x,mi355x.")
    ] = None
    source_gpu: Annotated[
        str | None, _estimate("--from", metavar="NAME", help="The NVIDIA GPU to move from, such as h100.")
    ] = None
    gpu_hours: Annotated[float | None, _estimate("--gpu-hours", metavar="HOURS", help="GPU-hours used in a month.")] = (
        None
    )
    price_from: Annotated[
        list[str] | None,
        _estimate("--price-from", metavar="USD", help="Price of an NVIDIA GPU-hour, or of several: h100=3.5,b200=6."),
    ] = None
    price_to: Annotated[
        list[str] | None,
        _estimate("--price-to", metavar="USD", help="Price of an AMD GPU-hour, or of several: mi300x=2.5,mi355x=4."),
    ] = None
    day_rate: Annotated[float | None, _estimate("--day-rate", metavar="USD", help="Price of an engineer's day.")] = None
    tokens_per_second: Annotated[
        float | None, _estimate("--tokens-per-second", metavar="N", help="Tokens per second of an NVIDIA GPU.")
    ] = None
    memory: Annotated[float | None, _estimate("--memory", metavar="GB", help="Memory of the model or working set.")] = (
        None
    )
    power_price: Annotated[
        float | None, _estimate("--power-price", metavar="USD", help="Price of a kWh, where you pay for power.")
    ] = None
    support: Annotated[
        float | None, _estimate("--support", metavar="USD", help="Monthly price of support for the AMD side.")
    ] = None


@dataclass(frozen=True)
class Destination:
    """Where `apply` writes; nothing named is a branch."""

    branch: Annotated[
        str | None, written("--branch", metavar="NAME", help="Commit to this branch; by default hip/<current>.")
    ] = None
    output: Annotated[
        Path | None, written("--output", "-o", metavar="DIR", help="Write a converted copy of the tree.")
    ] = None
    patch: Annotated[Path | None, written("--patch", metavar="FILE", help="Write a unified diff.")] = None
    diff: Annotated[bool, written("--diff", help="Print the diff and write nothing.")] = False
    force: Annotated[bool, written("--force", help="Replace an existing branch, folder or patch.")] = False


@dataclass(frozen=True)
class Handover:
    """Fixes that need review, comments for manual work, updates of an existing branch, and the pull request."""

    unsafe: Annotated[bool, _handed("--unsafe", help="Also apply fixes that need review.")] = False
    pick: Annotated[bool, _handed("--pick", help="Show each of these fixes and ask whether to apply it.")] = False
    todo: Annotated[bool, _handed("--todo", help="Add comments at places that need manual work.")] = False
    remove_todo: Annotated[bool, _handed("--remove-todo", help="Only remove these comments.")] = False
    update: Annotated[
        bool, written("--update", help="Update the branch to the current commit and merge its manual edits.")
    ] = False
    pr_text: Annotated[
        Path | None, written("--pr-text", metavar="FILE", help="Write a pull request description to FILE.")
    ] = None


@dataclass(frozen=True)
class Execution:
    """Whether programs are run on an emulated GPU, and how long each may take."""

    run: Annotated[
        bool, _run("--run", help="Run programs, before and after, on an emulated GPU: this executes their code.")
    ] = False
    time_limit: Annotated[int, _run("--time-limit", metavar="SECONDS", min=1, help="Limit for each run.")] = 60


@dataclass(frozen=True)
class Running:
    """How programs are run on an emulated GPU."""

    execution: Execution
    kernels: Annotated[
        list[str] | None, _run("--kernel", metavar="NAME", help="Run this kernel by itself; all for every one.")
    ] = None
    waves: Annotated[str, _run("--wave", metavar="LANES", help="Wavefronts: 32, 64 or 32,64.")] = "32,64"
    schedule: Annotated[str, _run("--schedule", metavar="ORDER", help="Of lanes: lockstep, free or random:SEED.")] = (
        "lockstep"
    )


@dataclass(frozen=True)
class Harness:
    """The program that compares numbers on GPUs, where one is wanted."""

    numeric: Annotated[
        str | None, typer.Option("--numeric", metavar="DIR", help="Also write a harness that compares numbers on GPUs.")
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Replace an existing harness.")] = False


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """`command` as the option parser reads it: each parameter that is a group is replaced by the options in it."""
    given = inspect.signature(command, eval_str=True).parameters.values()
    groups = {parameter.name: parameter.annotation for parameter in given if is_dataclass(parameter.annotation)}
    read = [
        option
        for parameter in given
        for option in (
            _options(groups[parameter.name])
            if parameter.name in groups
            else [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        )
    ]

    def run(**values: Any) -> None:
        command(
            **{
                parameter.name: _filled(groups[parameter.name], values)
                if parameter.name in groups
                else values[parameter.name]
                for parameter in given
            }
        )

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = inspect.Signature(read)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in read}
    return run


def _options(group: Any) -> Iterator[inspect.Parameter]:
    """The options in a group, and in the groups in it."""
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        if is_dataclass(hints[field.name]):
            yield from _options(hints[field.name])
        else:
            yield inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
            )


def _filled(group: Any, values: dict[str, Any]) -> Any:
    """A group with the values of its options."""
    hints = get_type_hints(group)
    return group(
        **{
            field.name: _filled(hints[field.name], values) if is_dataclass(hints[field.name]) else values[field.name]
            for field in fields(group)
        }
    )


def settings(start: Path, *groups: object) -> Config:
    """The configuration of the project around `start`, with what the options say. Raises ConfigError."""
    from cudamigrate import config

    given = {name: value for group in groups for name, value in _said(group)}
    if given.get("resolve") is not None:
        given["resolve"] = "always" if given["resolve"] else "never"
    return config.with_options(config.load(start), **given)


def _said(group: Any) -> Iterator[tuple[str, object]]:
    """The options of a group that were given, by the names of settings; a switch that is off says nothing."""
    for field in fields(group):
        value = getattr(group, field.name)
        if is_dataclass(value):
            yield from _said(value)
        elif field.name != "repos" and value != field.default and value != []:
            yield field.name, value
