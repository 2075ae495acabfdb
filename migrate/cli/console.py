"""What the commands print, and how they fail: results to standard output, all else to standard error.

Result: nothing is returned but exit codes.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from cudamigrate import parallel
from cudamigrate.errors import MigrateError, printable

if TYPE_CHECKING:
    from cudamigrate.model import Report, Skip

DONE, FOUND, USAGE, PARTIAL = 0, 1, 2, 3
"""Exit codes: done; `check` found something; wrong usage or configuration; done, but files were left out."""
_NAMED = ("git", "resolve", "copy", "aside", "ignored", "generated")
"""Kinds of notices that are printed too."""
_UNREAD = 141
"""The exit code of a shell for a command whose reader is gone: 128 and SIGPIPE, which not every system has."""
_FAULT = 70
"""The exit code for a fault of cudamigrate's own, after EX_SOFTWARE of sysexits.h: no other code says so."""


_TYPED: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())


class _Interrupted(BaseException):
    """A signal that ends the process. The option parser ends the process on a KeyboardInterrupt, without a word."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_EVERY = 10.0
"""Seconds between two lines that say how far a run is, where there is no terminal."""


_PRINTED = (None, Path("-"))
"""What stands for standard output where a file can be named."""


def renderer(name: str, output: Path | None) -> Callable[[Report], Iterable[str]]:
    """The report format called `name`, in color where a terminal shows it: it gives the text in pieces."""
    from importlib import import_module

    from cudamigrate import plugins

    formats = plugins.names("cudamigrate.reporting.formats")
    if name not in formats:
        fail(f"no report format is called {name!r}; formats: {', '.join(formats)}")
    printed = output in _PRINTED
    if name == "html" and printed and sys.stdout.isatty():
        fail("an HTML report is a file to open in a browser: add --output report.html")
    module = import_module(f"cudamigrate.reporting.formats.{name}")  # the others may need what is not installed
    if hasattr(module, "chunks"):
        chunks: Callable[[Report], Iterable[str]] = module.chunks
        return chunks
    color = name == "text" and printed and has_color()
    render: Callable[[Report], str] = partial(module.render, color=True) if color else module.render
    return lambda report: (render(report),)


def has_color() -> bool:
    """Whether standard output is a terminal that shows color, and nobody asked for none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


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
    """A step that prints a line where the last one, or the start, is ten seconds ago; behind one the last step too.

    What follows the last file may take long: the number that is seen then is no older one.
    """
    last, shown = time.monotonic(), False

    def step(done: int, total: int) -> None:
        nonlocal last, shown
        late = time.monotonic() - last >= _EVERY and done < total
        if late or (shown and done == total):
            last, shown = time.monotonic(), late
            note(f"{title}: {done} of {total} files")

    return step


def typed(words: list[str]) -> None:
    """Keep what was typed, for reports that say what made them."""
    _TYPED.set(tuple(words))


def stamped(report: Report) -> Report:
    """The report with the day of today, or of SOURCE_DATE_EPOCH, and the command that made it.

    Options that change nothing of a report are left out of the command, and folders above the one that was read.
    """
    from dataclasses import replace

    day, command = stamp()
    return replace(report, date=day, command=command)


def stamp() -> tuple[str, str]:
    """The day that reports are stamped with, and the command that makes them."""
    return _day(os.environ.get("SOURCE_DATE_EPOCH", "")), _command(_TYPED.get())


def _day(epoch: str) -> str:
    """The day (ISO) of a number of seconds since 1970, or today where that is none."""
    from datetime import datetime, timezone

    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(int(epoch), timezone.utc).date().isoformat()
    return datetime.now(timezone.utc).date().isoformat()


def _command(words: tuple[str, ...]) -> str:
    """What was typed, as one line that a shell reads again."""
    kept, skip = ["cudamigrate"], False
    for word in words:
        if (
            skip
            or word in ("--debug", "--cache", "--no-cache")
            or word.startswith(("--jobs=", "--output=", "--report=", "--format=", "--scheduler="))
            or (len(word) > 2 and word.startswith(("-j", "-o", "-f")))
        ):
            skip = False
        elif word in ("-j", "--jobs", "--scheduler", "-o", "--output", "-f", "--format", "--report"):
            skip = True
        else:
            kept.append(Path(word).name if word.startswith(("/", "..")) and Path(word).name else word)
    return shlex.join(kept) if words else ""


def emit(text: str | Iterable[str], output: Path | None, what: str = "Report") -> None:
    """Print a report, or `what` it is, or write it in one step so that no half file is left; it can come in pieces.

    Without `output`, or where it is `-`, it goes to standard output.
    """
    pieces = (text,) if isinstance(text, str) else text
    if output is None or output in _PRINTED:
        sys.stdout.writelines(pieces)
        sys.stdout.flush()
        return
    from cudamigrate.project.file_access import write_whole  # most results are printed

    try:
        write_whole(output, _encoded(pieces))
    except FileNotFoundError:
        fail(f"cannot write {output}: the folder {output.parent} does not exist")
    except OSError as error:
        fail(f"cannot write {output}: {error.strerror}")
    note(f"{what} written to {output}")


def _encoded(pieces: Iterable[str]) -> Iterator[bytes]:
    """A text as it is written to files."""
    return (piece.encode("utf-8", "surrogateescape") for piece in pieces)


def note_skip(skip: Skip) -> None:
    """Name a file that was left out, and why."""
    note(printable(f"{skip.path}: skipped ({skip.kind}): {skip.reason}"))


def finish(skipped: Sequence[Skip]) -> int:
    """Name the files that were left out; the exit code."""
    failed = [skip for skip in skipped if not skip.notice]
    listed = [skip for skip in skipped if skip.kind in _NAMED] + failed[:10]
    for skip in listed:
        note_skip(skip)
    if len(failed) > 10:
        note(f"... and {len(failed) - 10} more files were skipped; --format json lists them all")
    return PARTIAL if failed else DONE


def say(text: str) -> None:
    """Print a result."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def note(text: str) -> None:
    """Print a line that is not part of the result."""
    sys.stderr.write(printable(text, "\n\t") + "\n")


def fail(text: str) -> NoReturn:
    """End the command with one line that says what is wrong."""
    note(f"cudamigrate: {text}")
    sys.exit(USAGE)


def end(command: Callable[[], int]) -> NoReturn:
    """Run a command and end the process with its exit code; every expected failure is one line on standard error."""
    _prepare()
    parallel.isolate()
    try:
        code = command()
        if not sys.stdout.closed:  # a server closes it with its connection
            sys.stdout.flush()
        sys.exit(code)
    except MigrateError as error:
        note(f"cudamigrate: {error}")
        sys.exit(USAGE)
    except _Interrupted as stop:
        note(f"cudamigrate: interrupted by {signal.Signals(stop.number).name}; nothing was left half-written")
        sys.exit(128 + stop.number)
    except BrokenPipeError:  # nobody has read all of it, so neither `done` nor `found nothing` is true
        _discard_output()
        sys.exit(_UNREAD)
    except OSError as error:
        _discard_output()
        note(f"cudamigrate: {_described(error)}")
        sys.exit(USAGE)
    except Exception as error:  # the one place: a fault of ours is a line too, and no verdict of `check`
        _discard_output()
        if "--debug" in sys.argv:
            raise
        note(f"cudamigrate: {_fault(error)}")
        sys.exit(_FAULT)


def _fault(error: Exception) -> str:
    """A fault of cudamigrate's own in one line, with the place in its code."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = "" if at is None else f" ({Path(at.tb_frame.f_code.co_filename).name}:{at.tb_lineno})"
    said = " ".join(str(error).split())
    return f"failed, please report it: {type(error).__name__}: {said}{place}"


def _prepare() -> None:
    """Make standard streams writable for any text, and signals that end a process end it as Ctrl-C does."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:  # closed by the caller: only what is really written there fails
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # what nohup says, holds
            signal.signal(number, _interrupt)


def _interrupt(number: int, _frame: object) -> NoReturn:
    raise _Interrupted(number)


def _discard_output() -> None:
    """Drop what is still to be written, so that it does not fail once more when the process ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _described(error: OSError) -> str:
    """An error of the system in a clause that names what it is about."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return "the current folder no longer exists; change to one that does"
    if error.filename is None:
        return f"cannot write the result: {error.strerror}"
    return f"{error.filename}: {error.strerror}"
