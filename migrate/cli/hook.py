"""What `check` does: CUDA-only code in what is staged, on a branch or in files, in one of several formats.

It runs before every commit, so it imports no option parser for the options that `read` knows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.cli.console import DONE, FOUND, PARTIAL, count, emit, fail, note, say
from cudamigrate.errors import printable
from cudamigrate.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from cudamigrate.config import Config
    from cudamigrate.model import Finding
    from cudamigrate.pipeline.check import Checked

FORMATS = ("text", "github", "json", "sarif", "gitlab")
_SWITCHES = {
    "--all": "everything", "--fix": "fix", "-q": "quiet", "--quiet": "quiet", "-v": "verbose", "--verbose": "verbose",
}  # fmt: skip
_VALUES = {
    "--since": "since", "--diff": "diff", "--format": "format", "-f": "format", "--output": "output", "-o": "output",
    "--baseline": "baseline",
}  # fmt: skip
_LISTS = {"--select": "select", "--ignore": "ignore", "--fail-on": "fail_on"}
_CONFIGURED = ("baseline", "select", "ignore", "fail_on")
_RED, _DIM, _BOLD, _PLAIN = "\x1b[31m", "\x1b[2m", "\x1b[1m", "\x1b[0m"


@dataclass(slots=True)
class Options:
    """What the command line of `check` asks for; None for what the configuration decides."""

    files: tuple[str, ...] = ()
    since: str = ""
    diff: str = ""
    everything: bool = False
    fix: bool = False
    format: str = "text"
    output: str = ""
    quiet: bool = False
    verbose: bool = False
    baseline: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: tuple[str, ...] | None = None


def read(words: Sequence[str]) -> Options | None:
    """The options of a command line that is written plainly; None where the option parser has to read it."""
    given = Options()
    pending = list(reversed(words))
    while pending:
        word = pending.pop()
        name, joined, value = word.partition("=")
        if word == "--":
            given.files += tuple(reversed(pending))
            break
        if word in _SWITCHES:
            setattr(given, _SWITCHES[word], True)
        elif name in _VALUES or name in _LISTS:
            if not joined and not pending:
                return None
            _take(given, name, value if joined else pending.pop())
        elif word.startswith("-"):
            return None
        else:
            given.files += (word,)
    return given


def _take(given: Options, name: str, value: str) -> None:
    if name in _VALUES:
        setattr(given, _VALUES[name], value)
        return
    field = _LISTS[name]
    words = tuple(word.strip() for word in value.split(",") if word.strip())
    setattr(given, field, (getattr(given, field) or ()) + words)


def run(given: Options, settings: Config | None = None) -> int:
    """Print the problems; the exit code. Without settings, those of the project around the files hold."""
    from cudamigrate import config

    if given.format not in FORMATS:
        fail(f"no format is called {given.format!r}; formats: {', '.join(FORMATS)}")
    if sum(map(bool, (given.since, given.diff, given.everything))) > 1:
        fail("choose one of --since, --diff and --all")
    held = config.load(project_of(given.files)) if settings is None else settings
    chosen = {name: getattr(given, name) for name in _CONFIGURED if getattr(given, name) is not None}
    held = config.with_options(held, **chosen) if chosen else held
    return _checked(given, held)


def project_of(files: Sequence[str]) -> Path:
    """The folder whose configuration holds for the files."""
    return Path(files[0]).parent if files else Path(".")


def _checked(given: Options, held: Config) -> int:
    from cudamigrate.pipeline import check as checking

    since = given.since
    if not (since or given.diff or given.everything):
        since = os.environ.get("PRE_COMMIT_FROM_REF", "")  # pre-commit checks what is between two commits
    asked = checking.Asked(given.files, since, _patch(given.diff), given.everything)
    done = checking.check(checking.items(Path("."), asked, held), held, Path("."))
    settled: list[Finding] = []
    if given.fix:
        from cudamigrate.pipeline import check_fixes

        settled, refused = check_fixes.apply(Path("."), done)
        for path in refused:
            note(f"{path}: not fixed: the file differs from what was checked; stage or stash the rest of it")
        ids = {id(one) for one in settled}
        done.problems = [one for one in done.problems if id(one) not in ids]
    _print(given, held, done, settled)
    for skip in done.skipped:
        note(printable(f"{skip.path}: skipped ({skip.kind}): {skip.reason}"))
    if done.failing(held) or settled:
        return FOUND
    return PARTIAL if done.skipped else DONE


def _patch(name: str) -> bytes | None:
    if not name:
        return None
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        fail(f"{name} cannot be read: {error.strerror}")


def _print(given: Options, held: Config, done: Checked, settled: Sequence[Finding]) -> None:
    output = Path(given.output) if given.output else None
    if given.format == "text":
        text = "".join(f"{line}\n" for line in _lines(given, done, settled, output is None and _colored()))
        if text or output:
            emit(text, output)
        return
    from cudamigrate import pipeline
    from cudamigrate.cli.console import renderer

    emit(renderer(given.format, output)(pipeline.check_report(Path("."), done, held)), output)
    for one in done.remarks:
        note(f"{one.path}:{one.line}:{one.column}: suppression {one.message}")


def _colored() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _lines(given: Options, done: Checked, settled: Sequence[Finding], color: bool) -> list[str]:
    """The problems, a line for each, and what they come to."""
    paint = (
        {"red": _RED, "dim": _DIM, "bold": _BOLD, "off": _PLAIN}
        if color
        else dict.fromkeys(("red", "dim", "bold", "off"), "")
    )
    lines = []
    for one in done.problems:
        place = f"{paint['bold']}{printable(one.path)}{paint['off']}:{one.position.line}:{one.position.column}"
        lines.append(f"{place}: {paint['red']}{one.rule}{paint['off']} {printable(one.message)}")
        if given.verbose:
            lines += [f"{paint['dim']}{printable(line)}{paint['off']}" for line in _shown(done, one)]
    lines += [printable(f"{one.path}:{one.line}:{one.column}: suppression {one.message}") for one in done.remarks]
    if given.quiet:
        return lines
    if done.problems or settled:
        lines.append(_closing(done, settled))
    elif given.verbose:
        lines.append(f"No problems in the new lines of {count(done.files, 'file')}.")
    if given.verbose:
        lines += _left_out(done)
    return lines


def _shown(done: Checked, finding: Finding) -> list[str]:
    """The lines of a problem, and what its fix makes of them."""
    from cudamigrate.reporting import excerpts

    (one,) = excerpts.shown(done.sources[finding.path], [finding])
    return [f"  - {line}" for line in one.before.splitlines()] + [f"  + {line}" for line in one.after.splitlines()]


def _closing(done: Checked, settled: Sequence[Finding]) -> str:
    files = len({one.path for one in (*done.problems, *settled)})
    if settled:
        left = f", {count(len(done.problems), 'problem')} left" if done.problems else ""
        return f"{count(len(settled), 'problem')} fixed in {count(files, 'file')}{left}. Stage the files again."
    from cudamigrate.pipeline import check_fixes  # only where something was found

    number = sum(map(len, check_fixes.fixable(done).values()))
    hint = f", {number} fixable with --fix" if number else ""
    return f"{count(len(done.problems), 'problem')} in {count(files, 'file')}{hint}."


def _left_out(done: Checked) -> list[str]:
    parts = [(done.old, "on old lines"), (done.silenced, "silenced by comments"), (done.known, "in the baseline")]
    said = [f"{number} {what}" for number, what in parts if number]
    return [f"Left out: {', '.join(said)}."] if said else []


__all__ = ["FORMATS", "Options", "project_of", "read", "run", "say"]
