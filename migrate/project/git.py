"""Git's plumbing commands, run as a process.

Comes in: a folder and the words of a git command. Goes out: what git printed, as bytes, or a `GitError` in plain words.
Git is asked through its command line here because importing GitPython would slow every start; only the branch target
uses that. No hook or monitor program of the repository is started, and the user's index is not refreshed.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from migrate.errors import MigrateError

_FIXED = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)
"""Variables that a git hook sets for its own repository, which need not be the one that is asked about."""


class GitError(MigrateError):
    """Git is not installed, or refused the command; the text says why in a few words."""


def work_tree(folder: Path) -> Path | None:
    """The nearest folder, `folder` or a parent of it, that holds `.git`; no process is started."""
    folder = folder.resolve()
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), None)


def environment(index: str = "") -> dict[str, str]:
    """The process environment without what a hook set; `index` is the index file to use, empty for git's own."""
    env = {name: value for name, value in os.environ.items() if name not in _LOCAL}
    env.update(LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0")
    if index:
        env["GIT_INDEX_FILE"] = index
    return env


def git(folder: Path, *words: str, given: bytes = b"", index: str = "") -> bytes:
    """Run `git WORDS` in `folder` with `given` on standard input, and return its standard output."""
    command = ["git", *_FIXED, *words]
    try:
        done = subprocess.run(
            command, cwd=folder, input=given, capture_output=True, env=environment(index), check=False
        )
    except FileNotFoundError:
        raise GitError("git is not installed" if folder.is_dir() else f"{folder} is not a folder") from None
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from None
    if done.returncode:
        raise GitError(_reason(done.stderr.decode("utf-8", "replace"), done.returncode))
    return done.stdout


def _reason(printed: str, code: int) -> str:
    if "dubious ownership" in printed:
        return "git does not trust the owner of this folder (see git's safe.directory setting)"
    lines = [line for line in printed.splitlines() if line.startswith(("fatal: ", "error: "))] or printed.splitlines()
    return lines[0].partition(": ")[2].rstrip(".") or lines[0] if lines else f"git ended with status {code}"


def words(printed: bytes) -> list[str]:
    """Split output made with `-z`; names that are not UTF-8 keep their bytes as surrogates."""
    return [os.fsdecode(word) for word in printed.split(b"\0") if word]
