"""The HIP port of a repository for `check`: found once, kept, and found again when what it rests on has changed.

A survey reads all files, which is too much before every commit. It is kept in the user's cache with the commit that it
was made at. A later commit may use it as long as no file that builds, or that the facts name, has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import msgspec

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.project import discovery, git
from cudamigrate.project.file_access import write_whole
from cudamigrate.shipped_data import user_cache

_BUILDS = ("cmake", "make", "shell", "python", "bazel")


class _Kept(msgspec.Struct, frozen=True):
    """What a file of the cache holds: whose it is, the commit it was made at, and the facts."""

    top: str
    guards: tuple[str, ...]
    commit: str
    facts: PortFacts


def facts(root: Path, config: Config) -> PortFacts:
    """The port of the work tree around `root` at its last commit; without git, or without a commit, none is known."""
    top = git.work_tree(root)
    if top is None:
        return PortFacts()
    try:
        commit = git.git(top, "rev-parse", "--verify", "-q", "HEAD").decode().strip()
    except git.GitError:
        return PortFacts()
    file = _file(top, config)
    old = _read(file)
    if old is not None and (old.top, old.guards) == (str(top), config.hip_guards) and _holds(top, old, commit):
        return old.facts
    found = _surveyed(top, config)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, msgspec.json.encode(_Kept(str(top), config.hip_guards, commit, found)))
    return found


def _file(top: Path, config: Config) -> Path:
    key = f"{top}\0{' '.join(config.hip_guards)}".encode(errors="backslashreplace")
    return user_cache("ports") / f"{crc32(key):08x}.json"


def _read(file: Path) -> _Kept | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return None


def _holds(top: Path, old: _Kept, commit: str) -> bool:
    """Whether facts of an earlier commit hold: nothing they rest on has changed."""
    if old.commit == commit:
        return True
    try:
        changed = git.words(git.git(top, "diff-tree", "-r", "--name-only", "-z", old.commit, commit))
    except git.GitError:
        return False  # rewritten history
    language, named = discovery.languages(known_files()), _named(old.facts)
    return not any(path in named or language(path) in ("", *_BUILDS) or not (top / path).exists() for path in changed)


def _named(port: PortFacts) -> frozenset[str]:
    """The files that the facts rest on."""
    places: Iterable[str] = (place.rpartition(":")[0] for place in (*port.waves.values(), *port.cuda_only.values()))
    sides = (*port.equivalents, *port.equivalents.values(), *port.lacking, *port.hip_files, *port.shims)
    return frozenset((*places, *sides, *(guard.path for guard in port.guards), *port.known))


def _surveyed(top: Path, config: Config) -> PortFacts:
    from cudamigrate.pipeline import port_survey  # facts that are kept do without

    return port_survey.survey(top, discovery.discover(top, config, known_files()), config.hip_guards, config.jobs)
