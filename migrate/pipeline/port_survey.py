"""The pass over all files before any is judged: does the repository have a HIP port, and how does it tell the sides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from cudamigrate import parallel
from cudamigrate.analysis import port_builds, port_configure, port_discovery, port_evidence
from cudamigrate.frontends import cuda
from cudamigrate.model import FileEntry, Inventory, Skip, SourceFile
from cudamigrate.model.port_facts import FileEvidence, PortFacts
from cudamigrate.project import discovery

_CODE = ("cuda", "cxx")


def survey(root: Path, inventory: Inventory, guards: Sequence[str], jobs: int) -> PortFacts:
    """The facts of the port, if there is one. `guards` are macros that the configuration says mark HIP."""
    known = (*cuda.GUARDS, *guards)
    entries = [entry for entry in inventory.entries if entry.language in (*_CODE, *port_builds.BUILD_LANGUAGES)]
    names = frozenset(entry.path.rpartition("/")[2] for entry in entries)
    work = partial(_evidence, root=root, names=names, known=known)
    weight = sum(entry.size for entry in entries)
    found = [one for one in parallel.run(work, entries, jobs, weight, 64, _unread) if one is not None]
    found.extend(_configuring(root, inventory))
    found = _asking(root, entries, found, names, known)
    found.extend(_passed_over(root, found, {entry.path for entry in entries}, known))
    return port_discovery.facts(found, known, [entry.path for entry in entries])


def _asking(
    root: Path, entries: Sequence[FileEntry], found: list[FileEvidence], names: frozenset[str], known: tuple[str, ...]
) -> list[FileEvidence]:
    """The evidence, with that of files which show nothing of a port but ask for a macro that a build sets for HIP."""
    asked = frozenset[str]().union(*(one.asked for one in found))
    wanted = tuple(sorted({m.name.encode() for one in found for m in one.macros if m.hip and m.name not in asked}))
    if not wanted:
        return found
    by_path = {one.path: one for one in found}
    for entry in entries:
        source = discovery.read(root, entry) if entry.language in _CODE else None
        if isinstance(source, SourceFile) and any(word in source.data for word in wanted):
            one = port_evidence.of(source, names, known, wanted)
            if one is not None:
                by_path[entry.path] = one
    return list(by_path.values())


def _configuring(root: Path, inventory: Inventory) -> list[FileEvidence]:
    """What the files show that a build is configured with."""
    found = []
    for path in inventory.configuring:
        source = discovery.read(root, FileEntry(path, "", 0)) if port_configure.configures(path) else None
        one = port_configure.of(path, source.data) if isinstance(source, SourceFile) else None
        if one is not None:
            found.append(one)
    return found


def _evidence(entry: FileEntry, root: Path, names: frozenset[str], known: tuple[str, ...]) -> FileEvidence | None:
    source = discovery.read(root, entry)
    return None if isinstance(source, Skip) else of(source, names, known)


def _unread(entry: FileEntry, reason: str) -> None:
    """Nothing is known of a file that ended its worker; the scan that follows says so of it."""


def of(source: SourceFile, names: frozenset[str], known: Sequence[str]) -> FileEvidence | None:
    """What one file shows."""
    if port_configure.configures(source.path):
        return port_configure.of(source.path, source.data)
    if source.language in _CODE:
        return port_evidence.of(source, names, known)
    return port_builds.of(source)


def _passed_over(
    root: Path, found: Sequence[FileEvidence], paths: set[str], known: tuple[str, ...]
) -> list[FileEvidence]:
    """What headers show that are included from folders passed over, as `vendors/hip.h` is."""
    near = {str(PurePosixPath(one.path).parent / path) for one in found for path in one.unknown if ".." not in path}
    wanted = sorted(path for path in near - paths if (root / path).is_file())
    made = (_evidence(FileEntry(path, "cxx", 0), root, frozenset(), known) for path in wanted)
    return [one for one in made if one is not None]
