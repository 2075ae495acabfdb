"""Folders that this tool makes: how they are known, and that none of someone else's is replaced.

Result: nothing, or a TargetError that says what is in the way.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from cudamigrate.errors import TargetError

OUTPUT_MARK = ".cudamigrate-output"
"""The file that marks a folder as made by this tool; such a folder is no part of the project."""


def refuse_others(folder: Path, place: str, force: bool, *marks: str) -> None:
    """Raise TargetError where writing to `folder` would replace what this tool did not make, or may not replace.

    `place` is the folder as the user named it; `marks` are files that a folder of ours holds beside OUTPUT_MARK.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise TargetError(f"{place} is a file; name a folder.")
    if not any(folder.iterdir()):
        return
    if not all((folder / mark).is_file() for mark in (OUTPUT_MARK, *marks)):
        raise TargetError(f"{place} is not empty and was not made by cudamigrate; name another folder.")
    if not force:
        raise TargetError(f"{place} exists; --force replaces it.")


def refuse_unwritable(path: Path, place: str) -> None:
    """Raise TargetError where no file can be made around `path`, which need not exist; `place` is as the user named it.

    The file that is tried has no name where the system allows it, and is gone at once.
    """
    around = next(one for one in path.absolute().parents if one.is_dir())
    try:
        with tempfile.TemporaryFile(dir=around):
            pass
    except OSError as error:
        raise TargetError(f"{place} cannot be written: {error.strerror}.") from None
