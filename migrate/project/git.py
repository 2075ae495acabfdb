"""Git's plumbing commands, run as a process.

Git is asked through its command line here because importing GitPython would slow every start; only the branch target
uses that. A scanned repository is foreign: none of its hooks, filters, monitors or helpers is started, nothing is
fetched, and the user's index is not refreshed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Timer
from typing import IO

from cudamigrate.errors import MigrateError
from cudamigrate.project import git_folder

_FIXED = {
    "core.bigFileThreshold": "64m",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "diff.orderFile": os.devnull,
    "log.showSignature": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
}
"""Settings that hold against those of a repository: no program of its is started, nothing is fetched, no file that it
names orders what is printed, and a folder that only looks like a bare repository is none. Objects above the threshold
are read piece by piece, not as a whole: a gigabyte of zeros takes a megabyte of the repository."""
_AT_ONCE = 500
"""Names of blobs that fit into a pipe."""
_FILTER = ("clean", "smudge", "process")
_LISTS = ("core.excludesfile", "core.attributesfile")
"""Settings that name a file which git reads; in small letters, as git prints them."""
_MERGE = "git merge-file --marker-size=%L %A %O %B"
"""What merges files in place of the programs that a repository configures: git's own merge of text."""
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


_QUICK, _LONG = 30.0, 900.0
"""Seconds within which git reads settings or objects, and within which it looks at the files of a work tree."""
_CLONED = 7200.0
"""Seconds that a clone may take: a server that is silent does not end a run over many repositories."""
_PATIENCE = 5.0
"""Seconds after which it is looked for what git may be waiting for."""


class GitError(MigrateError):
    """Git is not installed, or refused the command; the text says why in a few words."""


class GitSilentError(GitError):
    """Git does not answer: a file of the repository that it waits for is a pipe, or a disk is gone."""


def work_tree(folder: Path) -> Path | None:
    """The nearest folder, `folder` or a parent of it, that holds `.git`; no process is started."""
    folder = folder.resolve()
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), None)


def environment(index: str = "", settings: Mapping[str, str] = _FIXED) -> dict[str, str]:
    """The process environment without what a hook set; `index` is the index file to use, empty for git's own.

    `settings` go to git in the environment, where a name may hold any character. A repository with a promisor remote
    would fetch what it lacks: no protocol is allowed, in the variable too, which settings cannot undo. An object is
    read as it is, not what the repository has put in its place (`git replace`): that is what a commit will hold.
    """
    env = {name: value for name, value in os.environ.items() if name not in _LOCAL}
    env.update(LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_NO_LAZY_FETCH="1")
    env["GIT_NO_REPLACE_OBJECTS"] = "1"
    env["GIT_ALLOW_PROTOCOL"] = "none"
    given = env.get("GIT_CONFIG_COUNT", "0")
    first = int(given) if given.isdigit() else 0
    for number, (name, value) in enumerate(settings.items(), first):
        env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = name, value
    env["GIT_CONFIG_COUNT"] = str(first + len(settings))
    if index:
        env["GIT_INDEX_FILE"] = index
    return env


def settings(folder: Path) -> Mapping[str, str]:
    """The settings to run git with in a folder: the fixed ones, and no filter or merge program of its configuration."""
    return _settings(Path(os.path.abspath(folder)))


@cache
def _settings(folder: Path) -> Mapping[str, str]:
    try:
        query = ["config", "-z", "--get-regexp", rf"^((filter|merge)\..*\.|{'$|'.join(_LISTS)}$)"]
        printed = _run(folder, query, b"", environment(), seconds=_QUICK)
    except GitSilentError:
        raise
    except GitError:
        printed = b""  # none is named
    given = [word.partition("\n")[::2] for word in words(printed)]
    drivers = sorted({name.rpartition(".")[0] for name, _ in given if name not in _LISTS})
    filters = [driver for driver in drivers if driver.startswith("filter.")]
    off = {f"{driver}.{key}": "" for driver in filters for key in _FILTER}
    merges = {f"{driver}.driver": _MERGE for driver in drivers if driver not in filters}
    lists = {name: os.devnull for name, value in given if name in _LISTS and not _is_list(folder, value)}
    return {**_FIXED, **off, **{f"{driver}.required": "false" for driver in filters}, **merges, **lists}


def _is_list(folder: Path, name: str) -> bool:
    """Whether a file that a setting names is a regular one, or is not there."""
    places = (parent / os.path.expanduser(name) for parent in (folder, *folder.parents))
    return all(place.is_file() for place in places if os.path.exists(place) and not place.is_dir())


def git(folder: Path, *words: str, given: bytes = b"", index: str = "", files: bool = True) -> bytes:
    """Run `git WORDS` in `folder` with `given` on standard input, and return its standard output. Raises GitError.

    Without `files` the command compares or reads objects and the index alone. Only files of the work tree go through
    filters, so git need not be asked first which ones there are.
    """
    refuse_waiting(folder)
    if files:
        return _run(folder, words, given, environment(index, settings(folder)), seconds=_LONG)
    alone = {**_FIXED, **dict.fromkeys(_LISTS, os.devnull)}
    return _run(folder, words, given, environment(index, alone), seconds=_QUICK)


_SILENT: set[str] = set()
"""Work trees where git did not answer once: it is not waited for again."""


def refuse_waiting(folder: Path) -> None:
    """Raise GitSilentError where git would wait for a file of the repository around `folder` that never ends."""
    top = work_tree(folder)
    found = git_folder.awaited(top) if top is not None else ""
    if found:
        raise GitSilentError(f"{found} is a pipe or device, which git would wait for")
    if _SILENT and _place(folder) in _SILENT:
        raise GitSilentError("git does not answer")


def blobs(folder: Path, names: Sequence[str], index: str = "", limit: int | None = None) -> dict[str, bytes | None]:
    """The bytes of each blob by its name, None for one of more than `limit` bytes. Raises GitError for one that lacks.

    The names are given a few at a time, so that neither side waits for the other to read.
    """
    refuse_waiting(folder)
    command = ["git", "cat-file", "--batch"]
    found: dict[str, bytes | None] = {}
    try:
        with subprocess.Popen(
            command, cwd=folder, env=environment(index), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            requests, answers = process.stdin, process.stdout
            assert requests is not None and answers is not None
            end = Timer(_LONG, process.kill)
            end.daemon = True
            end.start()
            try:
                for first in range(0, len(names), _AT_ONCE):
                    part = names[first : first + _AT_ONCE]
                    requests.write("".join(f"{name}\n" for name in part).encode())
                    requests.flush()
                    for name in part:
                        found[name] = _blob(answers, name, limit)
            finally:
                end.cancel()
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from None
    return found


def _blob(answers: IO[bytes], name: str, limit: int | None) -> bytes | None:
    """The next answer of `git cat-file --batch`."""
    words = answers.readline().split()
    if len(words) != 3 or words[1] != b"blob":
        raise GitError(f"the repository lacks the object {name}")
    size = int(words[2])
    kept = limit is None or size <= limit
    data, left = b"", size + 1
    while left and (data := answers.read(left if kept else min(left, 1 << 20))):
        left -= len(data)
    if left:
        raise GitError(f"the object {name} cannot be read")
    return data[:size] if kept else None


def clone(address: str, folder: Path) -> None:
    """Clone the last commit of what a person named, without submodules and hooks. Raises GitError.

    This alone may use the network, by protocols that start no program of the repository's choice.
    """
    variables = environment(settings={**_FIXED, "protocol.allow": "user"})
    variables["GIT_ALLOW_PROTOCOL"] = "https:http:ssh:git:file"
    command = ["clone", "--quiet", "--depth=1", "--no-tags", "--template=", "--", address, str(folder)]
    _run(folder.parent, command, b"", variables, session=True, seconds=_CLONED)


def apart(folder: Path, *words: str, given: bytes, variables: Mapping[str, str]) -> bytes:
    """As `git`, with the process environment `variables`, in a session of its own.

    Git ends its step even where this program and its process group are killed: no lock stays behind. Raises GitError.
    """
    return _run(folder, words, given, variables, session=True)


def _run(
    folder: Path,
    words: Sequence[str],
    given: bytes,
    env: Mapping[str, str],
    session: bool = False,
    seconds: float | None = None,
) -> bytes:
    command = ["git", *words]
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(
            command, cwd=folder, env=env, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=session
        ) as process:
            try:
                printed, said = _answer(process, folder, given, seconds)
            except BaseException:
                process.kill()
                raise
    except subprocess.TimeoutExpired:
        _SILENT.add(_place(folder))
        raise GitSilentError(f"git {words[0]} does not answer within {seconds:.0f} seconds") from None
    except FileNotFoundError:
        raise GitError("git is not installed" if folder.is_dir() else f"{folder} is not a folder") from None
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from None
    if process.returncode:
        raise GitError(_reason(said.decode("utf-8", "replace"), process.returncode))
    return printed


def _answer(process: subprocess.Popen[bytes], folder: Path, given: bytes, seconds: float | None) -> tuple[bytes, bytes]:
    """What git prints, on both streams. Where it takes long, what it may wait for in the work tree is looked for."""
    first = _PATIENCE if seconds is None else min(seconds, _PATIENCE)
    try:
        return process.communicate(given, timeout=first)
    except subprocess.TimeoutExpired:
        if seconds == first:
            raise
    top = work_tree(folder)
    found = git_folder.awaited_among(top) if top is not None else ""
    if found:
        _SILENT.add(_place(folder))
        raise GitSilentError(f"{found} is a pipe or device, which git waits for")
    return process.communicate(timeout=None if seconds is None else seconds - first)


def _place(folder: Path) -> str:
    """What stands for the repository around a folder."""
    return str(work_tree(folder) or os.path.abspath(folder))


def _reason(printed: str, code: int) -> str:
    if "dubious ownership" in printed:
        return "git does not trust the owner of this folder (see git's safe.directory setting)"
    if "cannot use bare repository" in printed:
        return "it is a bare repository, which has no files to read; clone it and run there"
    lines = [line for line in printed.splitlines() if line.startswith(("fatal: ", "error: "))] or printed.splitlines()
    return lines[0].partition(": ")[2].rstrip(".") or lines[0] if lines else f"git ended with status {code}"


def hook_index(root: Path) -> str:
    """The index that the commit in progress uses, where this runs as a hook of the repository around `root`."""
    given = os.environ.get("GIT_INDEX_FILE", "")
    if not given:
        return ""
    top = work_tree(root)
    try:
        home = os.path.realpath(git_folder.directory(top)) if top is not None else ""
    except (OSError, ValueError):
        return ""
    given = os.path.realpath(given)
    return given if os.path.dirname(given) == home else ""


def words(printed: bytes) -> list[str]:
    """Split output made with `-z`; names that are not UTF-8 keep their bytes as surrogates."""
    return [os.fsdecode(word) for word in printed.split(b"\0") if word]


def is_utf8(path: str) -> bool:
    """False where a name on disk is not UTF-8; such bytes travel as lone surrogates."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
