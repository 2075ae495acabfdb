"""Repositories as somebody names them, in a list or a folder of them -> a folder to read for each.

A folder is read where it is. An archive is unpacked, and an address cloned, into a folder that goes away afterwards.
Cloning is asked for by name, and is the one thing here that uses the network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from cudamigrate.errors import InputError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.project import git
from cudamigrate.project.archives import ARCHIVES, unpacked
from cudamigrate.project.file_access import read_linked
from cudamigrate.project.scratch import scratch

_HOURS = "gpu-hours="
_MOST_HOURS = 1e12
"""GPU-hours a month beyond anybody's; what is not finite is beyond it too."""
_LONGEST = 100
"""Characters of a name, which endings of files are put behind."""
_OURS = ("fleet", "portfolio")
"""Names that the files about all repositories have."""


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
    def shown(self) -> str:
        """Where it is, without user and password."""
        before, scheme, rest = self.place.partition("://")
        if not self.is_address or not scheme:
            return self.place
        host, slash, path = rest.partition("/")
        return f"{before}://{host.rpartition('@')[2]}{slash}{path}"

    @property
    def is_archive(self) -> bool:
        """Whether it is to be unpacked."""
        return not self.is_address and self.place.lower().endswith(ARCHIVES)


def listed(path: Path, output: Path | None = None) -> list[FleetSource]:
    """The repositories in a folder, but for the folder of the reports, or on the lines of a file. Raises InputError.

    A line names a folder, an archive or an address that git clones; `gpu-hours=N` may follow. Folders are relative to
    that of the file, and `#` begins a comment.
    """
    if path.is_dir():
        try:
            places = [(str(one), 0.0) for one in sorted(path.iterdir()) if _is_repository(one, output)]
        except OSError as error:
            raise InputError(f"{path}: cannot be listed: {error.strerror}") from None
    else:
        try:
            text = read_linked(path).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
            raise InputError(f"{path}: cannot be read as a list of repositories: {why}") from None
        places = [_line(path, number, line) for number, line in enumerate(text.splitlines(), 1) if _said(line)]
    if not places:
        raise InputError(f"{path} names no repository: a folder of them, or a file with one on each line")
    return _named(places)


def _is_repository(path: Path, output: Path | None) -> bool:
    if path.name.startswith(".") or (output is not None and os.path.realpath(path) == os.path.realpath(output)):
        return False
    return path.is_dir() or (path.is_file() and path.name.lower().endswith(ARCHIVES))


def _said(line: str) -> str:
    return line.partition(" #")[0].strip() if not line.lstrip().startswith("#") else ""


def _line(path: Path, number: int, line: str) -> tuple[str, float]:
    place, _, hours = _said(line).partition(f" {_HOURS}")
    try:
        given = float(hours) if hours else 0.0
    except ValueError:
        given = -1.0
    if not 0 <= given < _MOST_HOURS:
        raise InputError(f"{path}:{number}: `{_HOURS}` takes a number of hours, not {hours!r}")
    place = place.strip()
    if place.startswith("-"):
        raise InputError(f"{path}:{number}: {place!r} is not a folder, archive or address")
    if FleetSource("", place).is_address:
        return place, given
    return os.path.normpath(path.parent / os.path.expanduser(place)), given


def _named(places: list[tuple[str, float]]) -> list[FleetSource]:
    """Each place with a name that no other has and that is a plain file name."""
    taken = set(_OURS)
    found = []
    for place, hours in places:
        name = place.rstrip("/").replace(":", "/").rpartition("/")[2].removesuffix(".git")
        ending = next((end for end in sorted(ARCHIVES, key=len, reverse=True) if name.lower().endswith(end)), "")
        name = "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in name[: len(name) - len(ending)])
        name = name.lstrip(".-")[:_LONGEST] or "repository"
        tried = (name if number == 1 else f"{name}-{number}" for number in count(1))
        name = next(one for one in tried if one.casefold() not in taken)  # some file systems know no capitals
        taken.add(name.casefold())
        found.append(FleetSource(name, place, hours))
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
                said = str(error).replace(source.place, source.shown)
                raise InputError(f"{source.shown} cannot be cloned: {said}") from None
            yield folder
        else:
            folder.mkdir()
            yield unpacked(Path(source.place), folder)
