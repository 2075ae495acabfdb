"""The HIP port of a repository for `check`: found once, kept, and found again when what it rests on has changed.

A survey reads all files, which is too much before every commit. It is kept in the user's cache with the commit that it
was made at. A later commit may use it as long as no file that builds, or that the facts name, has changed since.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.project import discovery, git
from cudamigrate.project.file_access import write_whole
from cudamigrate.shipped_data import user_cache

_BUILDS = ("cmake", "make", "shell", "python", "bazel")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a file of the cache holds: whose it is, the commit it was made at, whether its facts matter, and the facts.

    They matter where there is a port, or where PyTorch's build makes one. They are text still: most repositories have
    neither, and do without what decodes them.
    """

    top: str
    guards: tuple[str, ...]
    commit: str
    matters: bool
    facts: str

    def read(self) -> PortFacts:
        """The facts."""
        import msgspec  # takes a tenth of the time of a check to import

        return msgspec.json.decode(self.facts, type=PortFacts)


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
    known = _remembered(top, file, config.hip_guards, commit)
    if known is not None:
        return known
    found = _surveyed(top, config)
    matters = found.is_port or bool(found.marks or found.extensions or found.hipify)
    _write(file, _Kept(str(top), config.hip_guards, commit, matters, _text(found)))
    return found if matters else PortFacts()


def _file(top: Path, config: Config) -> Path:
    key = f"{top}\0{' '.join(config.hip_guards)}".encode(errors="backslashreplace")
    return user_cache("ports") / f"{crc32(key):08x}.json"


def _text(found: PortFacts) -> str:
    import msgspec  # as in `_Kept.read`

    return msgspec.json.encode(found).decode()


def _write(file: Path, kept: _Kept) -> None:
    text = json.dumps([kept.top, kept.guards, kept.commit, kept.matters, kept.facts])
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text.encode())


def _remembered(top: Path, file: Path, guards: tuple[str, ...], commit: str) -> PortFacts | None:
    """The facts that were kept, where they still hold and are understood."""
    try:
        old = _Kept(*json.loads(file.read_bytes()))
        if (old.top, tuple(old.guards)) != (str(top), guards):
            return None
        if old.commit == commit:
            return old.read() if old.matters else PortFacts()
        known = old.read()
    except (OSError, ValueError, TypeError):
        return None
    if not _holds(top, old.commit, known, commit):
        return None
    return known if old.matters else PortFacts()


def _holds(top: Path, earlier: str, known: PortFacts, commit: str) -> bool:
    """Whether facts of an earlier commit hold: nothing they rest on has changed."""
    try:
        changed = git.words(git.git(top, "diff-tree", "-r", "--name-only", "-z", earlier, commit))
    except git.GitError:
        return False  # rewritten history
    language, named = discovery.languages(known_files()), _named(known)
    return not any(path in named or language(path) in ("", *_BUILDS) or not (top / path).exists() for path in changed)


def _named(port: PortFacts) -> frozenset[str]:
    """The files that the facts rest on."""
    places: Iterable[str] = (place.rpartition(":")[0] for place in (*port.waves.values(), *port.cuda_only.values()))
    sides = (
        *port.equivalents,
        *port.equivalents.values(),
        *port.lacking,
        *port.hip_files,
        *port.shims,
        *port.cuda_lines,
        *port.aliased,
        *port.passed_over,
    )
    return frozenset((*places, *sides, *(guard.path for guard in port.guards), *port.known))


def _surveyed(top: Path, config: Config) -> PortFacts:
    from cudamigrate.pipeline import port_survey  # facts that are kept do without

    return port_survey.survey(top, discovery.discover(top, config, known_files()), config.hip_guards, config.jobs)
