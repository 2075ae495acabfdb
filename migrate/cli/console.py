"""What the commands print, and how they fail: results to standard output, all else to standard error.

Result: nothing is returned but exit codes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from cudamigrate.errors import MigrateError

if TYPE_CHECKING:
    from cudamigrate.model import Report

DONE, FOUND, USAGE, PARTIAL = 0, 1, 2, 3
"""Exit codes: done; `check` found something; wrong usage or configuration; done, but files were left out."""

_EVERY = 10.0
"""Seconds between two lines that say how far a run is, where there is no terminal."""


def renderer(name: str, output: Path | None) -> Callable[[Report], str]:
    """The report format called `name`, in color where a terminal shows it."""
    from importlib import import_module

    from cudamigrate import plugins

    formats = plugins.names("cudamigrate.reporting.formats")
    if name not in formats:
        fail(f"no report format is called {name!r}; formats: {', '.join(formats)}")
    if name == "html" and output is None and sys.stdout.isatty():
        fail("an HTML report is a file of some megabytes: add --output report.html")
    module = import_module(f"cudamigrate.reporting.formats.{name}")  # the others may need what is not installed
    render: Callable[[Report], str] = module.render
    if name == "text" and output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        return partial(module.render, color=True)
    return render


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """How far a run is, on standard error: a bar on a terminal, elsewhere a line every ten seconds."""
    if not sys.stderr.isatty():
        yield _lines(title)
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


def _lines(title: str) -> Callable[[int, int], None]:
    """A step that prints a line where the last one, or the start, is ten seconds ago."""
    last = time.monotonic()

    def step(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY and done < total:
            last = time.monotonic()
            note(f"{title}: {done} of {total} files")

    return step


def emit(text: str, output: Path | None, what: str = "Report") -> None:
    """Print a report, or `what` it is, or write it in one step so that no half file is left."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from cudamigrate.project.file_access import write_whole  # most results are printed

    try:
        write_whole(output, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        fail(f"cannot write {output}: {error.strerror}")
    note(f"{what} written to {output}")


def finish(report: Report) -> int:
    """Name the files that were left out; the exit code."""
    failed = [skip for skip in report.skipped if not skip.notice]
    told = [skip for skip in report.skipped if skip.kind in ("git", "resolve")] + failed[:10]
    for skip in told:
        note(f"{skip.path}: skipped ({skip.kind}): {skip.reason}")
    if len(failed) > 10:
        note(f"... and {len(failed) - 10} more files were skipped; --format json lists them all")
    return PARTIAL if failed else DONE


def count(number: int, thing: str) -> str:
    """A number and what it counts, in the plural where it is not one."""
    ending = "" if number == 1 else "es" if thing.endswith("x") else "s"
    return f"{number} {thing}{ending}"


def say(text: str) -> None:
    """Print a result."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def note(text: str) -> None:
    """Print a line that is not part of the result."""
    sys.stderr.write(text + "\n")


def fail(text: str) -> NoReturn:
    """End the command with one line that says what is wrong."""
    note(f"cudamigrate: {text}")
    sys.exit(USAGE)


def end(command: Callable[[], int]) -> NoReturn:
    """Run a command and end the process with its exit code; every expected failure is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(command())
    except MigrateError as error:
        note(f"cudamigrate: {error}")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        note("cudamigrate: interrupted; nothing was left half-written")
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
