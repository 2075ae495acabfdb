"""What `apply` made -> its place: a branch, a folder, a patch or standard output, with what goes along with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.cli.console import FOUND, emit, note, say
from cudamigrate.cli.options import Destination, Handover
from cudamigrate.errors import printable
from cudamigrate.reporting import headline, port_words
from cudamigrate.wording import count_of

if TYPE_CHECKING:
    from cudamigrate.handover.result import Result
    from cudamigrate.model import Conversion, Report

_WITHOUT_TODO = "-without-todo"
"""What the branch without the comments of `--todo` adds to the name of the current branch."""


def deliver(made: Result, destination: Destination, handover: Handover, there: str = "") -> int:
    """Print or write what was made; the exit code. `there` is a branch that is described, and stays as it is."""
    from cudamigrate.handover import commits

    files = commits.delivered(made)
    code = 0
    if destination.diff:
        from cudamigrate.output import patch

        _show(patch.unified(files, made.added, Path(made.report.repository.root)))
    elif not files and not destination.output:
        say(nothing(made))
        return 0
    elif handover.update:
        code = _update(made, destination)
    elif there:
        say(f"Branch {there} stays as it is; --force makes it again, --update brings it to the current commit.")
    else:
        _write(made, destination)
    if handover.pr_text is not None:
        from cudamigrate.handover import pull_request

        emit(pull_request.render(made, commits.of(made)), handover.pr_text, "Pull request description")
    return code


def described(path: Path, destination: Destination, handover: Handover) -> str:
    """The branch that is there already, where nothing but a description is asked for; else empty."""
    named = (destination.diff, destination.output, destination.patch, destination.branch, destination.force)
    if handover.pr_text is None or handover.update or any(named) or not path.exists():
        return ""
    from cudamigrate.output import branch

    return branch.existing(path if path.is_dir() else path.parent)


def refuse(path: Path, destination: Destination, handover: Handover) -> None:
    """Raise TargetError where the result could not be written: minutes of work come before that."""
    if destination.diff or handover.update or not path.exists():
        return
    from cudamigrate import plugins

    root = path if path.is_dir() else path.parent
    name, place = _target(destination)
    plugins.load("cudamigrate.output")[name].refuse(root, place, destination.force)


def _target(destination: Destination) -> tuple[str, str]:
    """The module that writes, and what the user named."""
    name = "folder" if destination.output else "patch" if destination.patch else "branch"
    return name, str(destination.output or destination.patch or destination.branch or "")


def _show(diff: bytes) -> None:
    """Print a diff for people: `--patch` has the exact bytes."""
    if diff:
        say(printable(diff.decode("utf-8", "surrogateescape").replace("\r\n", "\n"), "\n\t"))


def _write(made: Result, destination: Destination) -> None:
    from cudamigrate import plugins
    from cudamigrate.handover import commits

    files = commits.delivered(made)
    name, place = _target(destination)
    if not files:
        say(nothing(made))
    series = commits.of(made) if name == "branch" else ()
    root, module = Path(made.report.repository.root), plugins.load("cudamigrate.output")[name]
    say(str(module.write(root, files, made.added, place, destination.force, series)))


def _update(made: Result, destination: Destination) -> int:
    from cudamigrate.handover import commits, update

    done = update.write(made, commits.of(made), destination.branch or "")
    say(done.said)
    for line in done.conflicts:
        note(line)
    return FOUND if done.conflicts else 0


def nothing(made: Result) -> str:
    """Why there is nothing to change."""
    port = made.report.port
    if port is None:
        return f"Nothing to change: {_unread(made.report) or _renamed(made.report) or 'no safe fix applies'}."
    if not port.gaps:
        return f"Nothing to change. {headline.whole_port(made.report, port, names=True)}."
    gaps = f"{count_of(port.gaps, 'gap')} {'needs' if port.gaps == 1 else 'need'} manual work"
    said = f"its {gaps}, which `scan` lists{port_words.unjudged(port)}"
    return f"Nothing to change: the repository has a HIP port, and {said}."


def _renamed(report: Report) -> str:
    """Where PyTorch's build makes all the changes that are safe, that it does; else empty."""
    safe = any(one.fix is not None and one.fix.safety == "safe" for one in report.findings)
    extension = report.style is not None and report.style.name == "portable" and report.style.extension
    return "PyTorch's build of the extension renames what HIP calls otherwise" if safe and extension else ""


def _unread(report: Report) -> str:
    """Where no file was read, why: the reason of the first that was skipped, and how many others were."""
    skipped = [skip for skip in report.skipped if skip.kind != "language"]
    if report.files or not skipped:
        return ""
    first, *others = skipped
    more = f", {count_of(len(others), 'other file')} neither" if others else ""
    return f"{first.path} was not read ({first.reason}){more}"


def undo(found: tuple[Path, tuple[Conversion, ...]], destination: Destination) -> int:
    """Print or write files without the comments of `--todo`; the exit code."""
    from cudamigrate import plugins
    from cudamigrate.model import Commit
    from cudamigrate.output import branch, patch

    root, files = found
    if destination.diff:
        _show(patch.unified(files, {}, root))
        return 0
    if not files:
        say("Nothing to change: no comment of `apply --todo` was found.")
        return 0
    if destination.output or destination.patch:
        name, place = ("folder", destination.output) if destination.output else ("patch", destination.patch)
        say(str(plugins.load("cudamigrate.output")[name].write(root, files, {}, str(place), destination.force, ())))
        return 0
    message = f"Remove comments about manual work: {count_of(len(files), 'file')}\n"
    series = (Commit(message, {one.path: one.after for one in files}),)
    say(branch.write_edit(root, files, series, destination.branch or "", destination.force, _WITHOUT_TODO))
    return 0
