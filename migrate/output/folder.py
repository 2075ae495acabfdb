"""Conversions -> a converted copy of the tree.

Result: a folder with the project's files, the converted ones in their new form. In a git work tree those are the
tracked files and the untracked ones that are not ignored, submodules with them; elsewhere they are all files but those
of version control. Permissions and links are kept. The copy grows beside its place and is moved there in one step. A
mark in it tells that this tool made it and may replace it.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from glob import escape
from pathlib import Path

from cudamigrate.errors import TargetError
from cudamigrate.model import Commit, Conversion
from cudamigrate.project import scratch
from cudamigrate.project.file_access import DEEPEST, is_below, walk
from cudamigrate.project.file_listing import Listing, listing
from cudamigrate.project.owned_folders import OUTPUT_MARK, refuse_others, refuse_unwritable
from cudamigrate.wording import count_of

_VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".jj", ".bzr", "CVS"))
_ASIDE = ".old"
_MARK_TEXT = b"This folder was written by cudamigrate, which may replace it when run with --force.\n"


def write(
    root: Path,
    conversions: Sequence[Conversion],
    extra: Mapping[str, bytes],
    place: str,
    force: bool = False,
    commits: Sequence[Commit] = (),
) -> str:
    """Write the copy to the folder `place`.

    A folder that holds files is replaced only with `force`, and only if this tool made it.
    """
    folder = Path(os.path.realpath(place))
    _recover(folder)
    refuse(root, place, force)
    paths = _tree(root)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with scratch.marked(folder.parent, f".{folder.name}.", OUTPUT_MARK, _MARK_TEXT) as made:
            new = {conversion.path: conversion.after for conversion in conversions} | dict(extra)
            _fill(root, made, paths, new)
            _move(made, folder)
    except OSError as error:
        raise TargetError(f"{place} cannot be written: {error}.") from None
    count = count_of(len(conversions), "converted file")
    return f"Copy of the tree with {count} in {place}"


def _recover(folder: Path) -> None:
    """Remove the copies that killed runs left half-written, and put back the folder that one was replacing."""
    for found in scratch.left(folder.parent, f".{escape(folder.name)}.*", OUTPUT_MARK):
        if found.name.endswith(_ASIDE) and not folder.exists():
            found.rename(folder)
        else:
            scratch.remove(found, OUTPUT_MARK)


def refuse(root: Path, place: str, force: bool) -> None:
    """Raise TargetError where the copy must not be."""
    if place == "-":
        raise TargetError("--output writes a folder: name one, such as hip; --diff prints the changes.")
    folder = Path(os.path.realpath(place))
    source = Path(os.path.realpath(root))
    if folder == source or folder in source.parents:
        raise TargetError(f"{place} holds the sources themselves; name another folder.")
    refuse_others(folder, place, force)
    refuse_unwritable(folder, place)


def _fill(root: Path, made: Path, paths: Sequence[str], new: Mapping[str, bytes]) -> None:
    """Copy the files of `root` to `made`, with the bytes of `new` in place of, or beside, their own."""
    for path in paths:
        source, copy = root / path, made / path
        if path in new or not is_below(root, path):
            continue  # what is tracked below a link is not in this work tree
        try:
            mode = source.lstat().st_mode
        except FileNotFoundError:
            continue  # tracked, and deleted in the work tree
        if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)
    for path, data in new.items():
        _refuse_links(made, path)
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_bytes(data)
        if (root / path).is_file():
            shutil.copymode(root / path, made / path)


def _refuse_links(made: Path, path: str) -> None:
    """Raise where a new file would land elsewhere: a folder on its path is a link that was copied, or it climbs."""
    if not is_below(made, path):
        raise TargetError(f"{path} cannot be written: it leads out of the folder, or through a link in it.")


def _tree(root: Path) -> list[str]:
    """Relative paths of the files to copy; earlier copies that are in the tree are not among them."""
    found = listing(root)
    listed = _listed(root, "", found) if found.git else _everything(root)
    paths = [path for path in listed if path != OUTPUT_MARK]
    deep = next((path for path in paths if path.count("/") > DEEPEST), "")
    if deep:
        raise TargetError(f"{deep[:40]}... is in more than {DEEPEST} folders, which are not copied; remove it.")
    return paths


def _listed(root: Path, prefix: str, found: Listing) -> Iterator[str]:
    """The files that git lists, and those of the submodules that are checked out."""
    for path in found.files:
        yield f"{prefix}{path}"
    for path in found.submodules:
        inside = f"{prefix}{path}/"
        if is_below(root, inside) and (root / inside / ".git").exists():
            yield from _listed(root, inside, listing(root / inside))


def _everything(root: Path) -> Iterator[str]:
    for folder, folders, files in walk(root):
        inside = os.path.relpath(folder, root).replace(os.sep, "/")
        if inside != "." and OUTPUT_MARK in files:
            folders.clear()
            continue
        folders[:] = [name for name in folders if name not in _VERSION_CONTROL]
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in (*files, *links):
            yield name if inside == "." else f"{inside}/{name}"


def _move(made: Path, folder: Path) -> None:
    """Put `made` in the place of `folder`; what was there is moved aside first, and back if that fails."""
    if not folder.exists():
        made.rename(folder)
        return
    aside = made.with_name(f"{made.name}{_ASIDE}")
    with scratch.locked(folder):
        folder.rename(aside)
        try:
            made.rename(folder)
        finally:
            if not folder.exists():
                aside.rename(folder)
        scratch.remove(aside, OUTPUT_MARK)
