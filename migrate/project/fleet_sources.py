"""Repositories as somebody names them, in a list or a folder of them -> a folder to read for each.

A folder is read where it is. An archive is unpacked, and an address cloned, into a folder that goes away afterwards. An
archive is hostile until shown otherwise: nothing leaves the folder, links and devices are left out, and its size is
bounded. Cloning is asked for by name, and is the one thing here that uses the network.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from cudamigrate.errors import InputError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.project import git
from cudamigrate.project.file_access import read_linked
from cudamigrate.project.scratch import scratch

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
LARGEST = 8 << 30
"""Bytes that an archive may unpack to."""
MOST = 1_000_000
"""Files that an archive may hold."""
_HOURS = "gpu-hours="


@dataclass(frozen=True, slots=True)
class FleetSource:
    """A repository of a fleet: its name in reports, the text that says where it is, and its GPU-hours a month."""

    name: str
    place: str
    gpu_hours: float = 0.0

    @property
    def is_address(self) -> bool:
        """Whether it is to be cloned."""
        before, at, rest = self.place.partition("@")
        return "://" in self.place or (bool(at) and ":" in rest and "/" not in before and not Path(self.place).exists())

    @property
    def is_archive(self) -> bool:
        """Whether it is to be unpacked."""
        return not self.is_address and self.place.lower().endswith(ARCHIVES)


def listed(path: Path) -> list[FleetSource]:
    """The repositories in a folder, or on the lines of a file. Raises InputError.

    A line names a folder, an archive or an address that git clones; `gpu-hours=N` may follow. Folders are relative to
    that of the file, and `#` begins a comment.
    """
    if path.is_dir():
        places = [(str(one), 0.0) for one in sorted(path.iterdir()) if _is_repository(one)]
    else:
        try:
            text = read_linked(path).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read as a list of repositories: {error}") from None
        places = [_line(path, number, line) for number, line in enumerate(text.splitlines(), 1) if _said(line)]
    if not places:
        raise InputError(f"{path} names no repository: a folder of them, or a file with one on each line")
    return _named(places)


def _is_repository(path: Path) -> bool:
    if path.name.startswith("."):
        return False
    return path.is_dir() or (path.is_file() and path.name.lower().endswith(ARCHIVES))


def _said(line: str) -> str:
    return line.partition(" #")[0].strip() if not line.lstrip().startswith("#") else ""


def _line(path: Path, number: int, line: str) -> tuple[str, float]:
    place, _, hours = _said(line).partition(f" {_HOURS}")
    try:
        given = float(hours) if hours else 0.0
    except ValueError:
        raise InputError(f"{path}:{number}: `{_HOURS}` takes a number, not {hours!r}") from None
    place = place.strip()
    if place.startswith("-"):
        raise InputError(f"{path}:{number}: {place!r} is not a folder, archive or address")
    if FleetSource("", place).is_address:
        return place, given
    return os.path.normpath(path.parent / os.path.expanduser(place)), given


def _named(places: list[tuple[str, float]]) -> list[FleetSource]:
    """Each place with a name that no other has and that is a plain file name."""
    taken: dict[str, int] = {}
    found = []
    for place, hours in places:
        name = place.rstrip("/").replace(":", "/").rpartition("/")[2].removesuffix(".git")
        ending = next((end for end in sorted(ARCHIVES, key=len, reverse=True) if name.lower().endswith(end)), "")
        name = "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in name[: len(name) - len(ending)])
        name = name.lstrip(".-") or "repository"
        taken[name] = taken.get(name, 0) + 1
        found.append(FleetSource(name if taken[name] == 1 else f"{name}-{taken[name]}", place, hours))
    return found


@contextmanager
def opened(source: FleetSource) -> Iterator[Path]:
    """The folder of a repository, for as long as it is read. Raises InputError."""
    if not source.is_address and not source.is_archive:
        if not Path(source.place).is_dir():
            raise InputError(f"{source.place} is not a folder")
        yield Path(source.place)
        return
    with scratch() as place:
        folder = Path(place) / source.name
        if source.is_address:
            try:
                git.clone(source.place, folder)
            except git.GitError as error:
                raise InputError(f"{source.place} cannot be cloned: {error}") from None
            yield folder
        else:
            folder.mkdir()
            yield _unpacked(Path(source.place), folder)


def _unpacked(archive: Path, folder: Path) -> Path:
    """The folder with what an archive holds: the one in it, where that is all there is."""
    try:
        if archive.name.lower().endswith(".zip"):
            _unzip(archive, folder)
        else:
            _untar(archive, folder)
    except (OSError, EOFError, ValueError, RuntimeError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise InputError(f"{archive} cannot be unpacked: {error}") from None
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink() else folder


def _untar(archive: Path, folder: Path) -> None:
    left, number = LARGEST, 0
    with tarfile.open(archive) as packed:
        for member in packed:
            number += 1
            left -= max(0, member.size)
            _bounded(archive, left, number)
            data = packed.extractfile(member) if member.isreg() else None
            target = _inside(folder, member.name)
            if data is not None and target is not None:
                with target.open("xb") as file:
                    shutil.copyfileobj(data, file)


def _unzip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as packed:
        members = packed.infolist()
        _bounded(archive, LARGEST - sum(member.file_size for member in members), len(members))
        for member in members:
            is_link = member.external_attr >> 16 & 0o170000 == 0o120000
            target = _inside(folder, member.filename) if not member.is_dir() and not is_link else None
            if target is not None:
                with packed.open(member) as data, target.open("xb") as file:
                    shutil.copyfileobj(data, file)


def _bounded(archive: Path, left: int, number: int) -> None:
    if left < 0:
        raise InputError(f"{archive} unpacks to more than {LARGEST >> 30} GB")
    if number > MOST:
        raise InputError(f"{archive} holds more than {MOST:,} files")


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
