"""Archives of repositories -> a folder with their files.

An archive is hostile until shown otherwise. It is unpacked in a process with limits; nothing leaves the folder, links
and devices are left out, and its size is bounded.
"""

from __future__ import annotations

import lzma
import os
import shutil
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from cudamigrate import parallel
from cudamigrate.errors import InputError, LostWorkError

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
LARGEST = 8 << 30
"""Bytes that an archive may unpack to."""
MOST = 1_000_000
"""Files that an archive may hold."""
_LIMITS = parallel.Limits(cpu=1800, memory=1 << 30, wait=3600)
"""An entry of a gigabyte is written piece by piece; a header of that size is not kept in memory."""
_DAMAGED = (
    *(OSError, EOFError, ValueError, RuntimeError, ArithmeticError, LookupError),
    *(struct.error, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile),
)
"""What the libraries raise for archives that somebody cut off, changed or made up."""


def unpacked(archive: Path, folder: Path) -> Path:
    """The folder with what an archive holds: the one in it, where that is all there is. Raises InputError."""
    if not archive.is_file():
        raise InputError(f"{archive} is not a file")
    try:
        (problem,) = parallel.few(_unpack, [(archive, folder)], limits=_LIMITS)
    except LostWorkError as error:
        problem = str(error).rpartition(": ")[2]
    if problem:
        raise InputError(f"{archive} cannot be unpacked: {problem}")
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink() else folder


def _unpack(given: tuple[Path, Path]) -> str:
    """Unpack an archive into a folder; what is wrong with it, in a few words."""
    archive, folder = given
    try:
        if archive.name.lower().endswith(".zip"):
            _unzip(archive, folder)
        else:
            _untar(archive, folder)
    except InputError as error:
        return str(error)
    except MemoryError:
        return "a header in it takes more memory than an archive may"
    except _DAMAGED as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return said.partition("\n")[0][:300] or type(error).__name__
    return ""


def _untar(archive: Path, folder: Path) -> None:
    left, number = LARGEST, 0
    with tarfile.open(archive) as packed:
        for member in packed:
            number += 1
            left -= max(0, member.size)
            _bounded(left, number)
            data = packed.extractfile(member) if member.isreg() else None
            target = _inside(folder, member.name)
            if data is not None and target is not None:
                with target.open("xb") as file:
                    shutil.copyfileobj(data, file)


def _unzip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        members = packed.infolist()
        _bounded(LARGEST - sum(member.file_size for member in members), len(members))
        for member in members:
            is_link = member.external_attr >> 16 & 0o170000 == 0o120000
            target = _inside(folder, member.filename) if not member.is_dir() and not is_link else None
            if target is not None:
                with packed.open(member) as data, target.open("xb") as file:
                    shutil.copyfileobj(data, file)


def _bounded(left: int, number: int) -> None:
    if left < 0:
        raise InputError(f"it has more than {LARGEST >> 30} GB")
    if number > MOST:
        raise InputError(f"it holds more than {MOST:,} files")


def _inside(folder: Path, name: str) -> Path | None:
    """Where a file of an archive goes, its folders made; None where that is not below `folder`, or taken."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or ".." in parts or parts[0].startswith("/") or ":" in parts[0] or "\0" in name:
        return None
    target = folder.joinpath(*(part for part in parts if part != "."))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return None
    return None if os.path.lexists(target) else target
