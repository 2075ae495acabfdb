"""The folder that git keeps a repository in, looked at before git is asked: it may come from anybody.

Git opens the files in it without looking at what they are. It waits for ever for a pipe, and writes through links and
into whatever other repository is named.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cudamigrate.project.file_access import read_settings, walk

_NAMED = "gitdir:"
_READ = (".gitattributes", ".gitignore", ".gitmodules")
_DEEP = ("info", "logs", "refs", "worktrees")
"""Folders whose files git opens or writes by their names, beside those of the git folder itself."""
_STORES = 50
"""Folders of objects that are looked into: each can name others."""


def directory(top: Path) -> Path:
    """Git's own folder of the work tree at `top`. Raises OSError or ValueError where it cannot be read."""
    place = top / ".git"
    if place.is_file():  # a linked work tree, or a submodule
        return top / read_settings(place).decode("utf-8").partition(_NAMED)[2].strip()
    return place


def common(folder: Path) -> Path:
    """The folder with the objects and branches of git's folder: another one for a linked work tree. Raises OSError."""
    named = folder / "commondir"
    return folder / os.fsdecode(read_settings(named)).strip() if os.path.lexists(named) else folder


@cache
def awaited(top: Path) -> str:
    """A pipe or device among the files that git reads for the work tree at `top`; empty where there is none."""
    return next(_awaited_at(top), "")


def _awaited_at(top: Path) -> Iterator[str]:
    try:
        own = directory(top)
        shared = common(own)
    except (OSError, ValueError):
        return  # git itself says what is wrong with such a folder
    for folder in dict.fromkeys((own, shared)):
        yield from _awaited(str(folder))
    for objects in _stores(shared / "objects"):
        for name in ("info", "pack"):
            yield from _below(str(objects / name))


def _stores(objects: Path) -> Iterator[Path]:
    """A folder of objects, and those that it says hold more of them."""
    pending, seen = [objects], set[str]()
    while pending and len(seen) < _STORES:
        folder = pending.pop()
        if os.path.realpath(folder) in seen:
            continue
        seen.add(os.path.realpath(folder))
        yield folder
        try:
            named = os.fsdecode(read_settings(folder / "info" / "alternates")).splitlines()
        except OSError:
            continue
        pending += [folder / line for line in named if line and not line.startswith("#")]


def awaited_among(top: Path) -> str:
    """A pipe or device in the work tree at `top` under a name of a file that git reads there; empty where none is."""
    for folder, folders, files in walk(top):
        found = [os.path.join(folder, name) for name in files if name in _READ]
        for path in filter(_waits, found):
            return path
        if ".git" in (*folders, *files) and (inner := next(_awaited_at(Path(folder)), "")):
            return inner  # git looks whether a folder in the tree is a repository of its own
        folders[:] = [name for name in folders if name != ".git"]
    return ""


def _awaited(folder: str) -> Iterator[str]:
    yield from filter(_waits, _entries(folder))
    for name in _DEEP:
        yield from _below(os.path.join(folder, name))


def _below(folder: str) -> Iterator[str]:
    for inner, _, files in walk(folder):
        yield from filter(_waits, (os.path.join(inner, file) for file in files))


def _entries(folder: str) -> Iterator[str]:
    """The paths in a folder that are neither files nor folders, as far as that is known without asking for each."""
    try:
        with os.scandir(folder) as entries:
            yield from (entry.path for entry in entries if not entry.is_file() and not entry.is_dir())
    except OSError:
        return


def _waits(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def elsewhere(top: Path) -> str:
    """Why a new branch of the work tree at `top` would be written outside its repository, as a clause; else empty.

    A work tree whose `.git` is a file is one of the repository that it names only where that repository says so too.
    """
    place = top / ".git"
    try:
        own = directory(top)
        shared = common(own)
    except (OSError, ValueError) as error:
        return f"{place} cannot be read: {error}"
    if place.is_symlink():
        return f"{place} is a link"
    if place.is_file() and not _acknowledged(own, shared, place):
        return f"{place} names {own}, which does not have this folder as its work tree (its setting `core.worktree`)"
    if place.is_dir() and shared != own:
        return f"{own / 'commondir'} names another repository"
    link = next(_links(shared), "")
    return f"{link} is a link" if link else ""


def _acknowledged(own: Path, shared: Path, place: Path) -> bool:
    """Whether git's folder names the work tree that names it: a linked one by a file, a submodule by a setting."""
    from cudamigrate.project import git  # git asks for this module first

    if shared != own:
        listed = os.path.realpath(own.parent) == os.path.realpath(shared / "worktrees")
        return listed and os.path.realpath(_text(own / "gitdir")) == os.path.realpath(place)
    try:
        named = os.fsdecode(git.git(place.parent, "config", "--file", str(own / "config"), "core.worktree"))
    except git.GitError:
        return False
    return os.path.realpath(own / named.rstrip("\n")) == os.path.realpath(place.parent)


def _text(file: Path) -> str:
    try:
        return os.fsdecode(read_settings(file)).strip()
    except OSError:
        return ""


def _links(shared: Path) -> Iterator[str]:
    """The links among what is written for a new branch."""
    for name in ("objects", "refs", "logs", "packed-refs", "refs/heads", "logs/refs", "logs/refs/heads"):
        if (shared / name).is_symlink():
            yield str(shared / name)
    with os.scandir(shared / "objects") as entries:
        yield from (entry.path for entry in entries if entry.is_symlink())
    for name in ("refs/heads", "logs/refs/heads"):
        for folder, folders, files in walk(shared / name):
            yield from filter(os.path.islink, (os.path.join(folder, one) for one in (*folders, *files)))
