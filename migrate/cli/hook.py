"""What `check` does: CUDA-only code in what is staged, on a branch or in files, in one of several formats.

It runs before every commit, so it imports no option parser for the options that `read` knows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate import bounded_files
from cudamigrate.cli.console import DONE, FOUND, PARTIAL, emit, fail, has_color, note, note_skip
from cudamigrate.errors import printable
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.wording import count_of

if TYPE_CHECKING:
    from cudamigrate.config import Config
    from cudamigrate.model import Finding
    from cudamigrate.pipeline.check import Checked

_LARGEST_PATCH = 256 << 20
"""Bytes of a patch at most."""
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
    options = Options()
    pending = list(reversed(words))
    while pending:
        word = pending.pop()
        name, joined, value = word.partition("=")
        if word == "--":
            options.files += tuple(reversed(pending))
            break
        if word in _SWITCHES:
            setattr(options, _SWITCHES[word], True)
        elif name in _VALUES or name in _LISTS:
            if not joined and not pending:
                return None
            _take(options, name, value if joined else pending.pop())
        elif word.startswith("-"):
            return None
        else:
            options.files += (word,)
    return options


def _take(options: Options, name: str, value: str) -> None:
    if name in _VALUES:
        setattr(options, _VALUES[name], value)
        return
    field = _LISTS[name]
    words = tuple(word.strip() for word in value.split(",") if word.strip())
    setattr(options, field, (getattr(options, field) or ()) + words)


def run(options: Options, settings: Config | None = None) -> int:
    """Print the problems; the exit code. Without settings, those of the project around the files hold."""
    from cudamigrate import config

    if options.format not in FORMATS:
        fail(f"no format is called {options.format!r}; formats: {', '.join(FORMATS)}")
    if sum(map(bool, (options.since, options.diff, options.everything))) > 1:
        fail("choose one of --since, --diff and --all")
    if settings is None:
        settings = config.load(project_of(options.files))
    chosen = {name: getattr(options, name) for name in _CONFIGURED if getattr(options, name) is not None}
    if chosen:
        settings = config.with_options(settings, **chosen)
    return _checked(options, settings)


def project_of(files: Sequence[str]) -> Path:
    """The folder whose configuration holds for the files."""
    return Path(files[0]).parent if files else Path(".")


def _checked(options: Options, settings: Config) -> int:
    from cudamigrate.pipeline import check as checking

    since = options.since
    if not (since or options.diff or options.everything):
        since = os.environ.get("PRE_COMMIT_FROM_REF", "")  # pre-commit checks what is between two commits
    request = checking.CheckRequest(options.files, since, _patch(options.diff), options.everything)
    checked = checking.check(checking.items(Path("."), request, settings), settings, Path("."))
    fixed: list[Finding] = []
    if options.fix:
        from cudamigrate.pipeline import check_fixes

        fixed, refused = check_fixes.apply(Path("."), checked)
        for path in refused:
            note(f"{path}: not fixed: the file differs from what was checked; stage or stash the rest of it")
        ids = {id(one) for one in fixed}
        checked.problems = [one for one in checked.problems if id(one) not in ids]
    _print(options, settings, checked, fixed)
    for skip in checked.skipped:
        note_skip(skip)
    if checked.failing(settings) or fixed:
        return FOUND
    return PARTIAL if checked.skipped else DONE


def _patch(name: str) -> bytes | None:
    if not name:
        return None
    try:
        return sys.stdin.buffer.read() if name == "-" else bounded_files.stream(Path(name), _LARGEST_PATCH)
    except OSError as error:
        fail(f"{name} cannot be read: {error.strerror}")


def _print(options: Options, settings: Config, checked: Checked, fixed: Sequence[Finding]) -> None:
    output = Path(options.output) if options.output not in ("", "-") else None
    if options.format == "text":
        text = "".join(f"{line}\n" for line in _lines(options, checked, fixed, output is None and has_color()))
        if text or output:
            emit(text, output)
        return
    from cudamigrate import pipeline
    from cudamigrate.cli.console import renderer

    emit(renderer(options.format, output)(pipeline.check_report(Path("."), checked, settings)), output)
    for one in checked.remarks:
        note(f"{one.path}:{one.line}:{one.column}: suppression {one.message}")


def _lines(options: Options, checked: Checked, fixed: Sequence[Finding], color: bool) -> list[str]:
    """The problems, a line for each, and what they come to."""
    paint = (
        {"red": _RED, "dim": _DIM, "bold": _BOLD, "off": _PLAIN}
        if color
        else dict.fromkeys(("red", "dim", "bold", "off"), "")
    )
    lines = []
    for one in checked.problems:
        place = f"{paint['bold']}{printable(one.path)}{paint['off']}:{one.position.line}:{one.position.column}"
        lines.append(f"{place}: {paint['red']}{one.rule}{paint['off']} {printable(one.message)}")
        if options.verbose:
            lines += [f"{paint['dim']}{printable(line)}{paint['off']}" for line in _shown(checked, one)]
    lines += [printable(f"{one.path}:{one.line}:{one.column}: suppression {one.message}") for one in checked.remarks]
    if options.quiet:
        return lines
    if checked.problems or fixed:
        lines.append(_closing(checked, fixed))
    elif options.verbose:
        lines.append(f"No problems in the new lines of {count_of(checked.files, 'file')}.")
    if options.verbose:
        lines += _left_out(checked)
    return lines


def _shown(checked: Checked, finding: Finding) -> list[str]:
    """The lines of a problem, and what its fix makes of them."""
    from cudamigrate.reporting import excerpts

    (one,) = excerpts.shown(checked.sources[finding.path], [finding])
    return [f"  - {line}" for line in one.before.splitlines()] + [f"  + {line}" for line in one.after.splitlines()]


def _closing(checked: Checked, fixed: Sequence[Finding]) -> str:
    files = len({one.path for one in (*checked.problems, *fixed)})
    if fixed:
        left = f", {count_of(len(checked.problems), 'problem')} left" if checked.problems else ""
        return f"{count_of(len(fixed), 'problem')} fixed in {count_of(files, 'file')}{left}. Stage the files again."
    from cudamigrate.pipeline import check_fixes  # only where something was found

    number = sum(map(len, check_fixes.fixable(checked).values()))
    hint = f", {number} fixable with --fix" if number else ""
    return f"{count_of(len(checked.problems), 'problem')} in {count_of(files, 'file')}{hint}."


def _left_out(checked: Checked) -> list[str]:
    parts = [
        (checked.old, "on old lines"),
        (checked.suppressed, "suppressed by comments"),
        (checked.known, "in the baseline"),
    ]
    said = [f"{number} {what}" for number, what in parts if number]
    return [f"Left out: {', '.join(said)}."] if said else []


def separated(words: Sequence[str]) -> list[str]:
    """The words of a command line, files whose names look like options after a `--`, where pre-commit calls.

    It appends the names of staged files to the options of its configuration, and `--output=x.cu` may be one. Only a
    file of a kind that is read counts: no option that a configuration has ends as such names do.
    """
    if os.environ.get("PRE_COMMIT") != "1" or "--" in words:
        return list(words)
    files = [word for word in words if word.startswith("-") and _is_source(word)]
    return [*(word for word in words if word not in files), "--", *files] if files else list(words)


def _is_source(word: str) -> bool:
    if not os.path.isfile(word):
        return False
    from cudamigrate.frontends import known_files  # few files are called like options
    from cudamigrate.project.discovery import languages

    return bool(languages(known_files())(word))
