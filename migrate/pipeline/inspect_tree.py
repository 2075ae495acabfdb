"""Every file of a tree inspected: the files, what each is read with -> a FileResult for each, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import FileEntry, FileResult, Inventory, Skip, SourceFile
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.model.plain_result import as_plain, plain
from cudamigrate.pipeline.cached_work import Cache, Fresh, Work, given_rules
from cudamigrate.pipeline.inspect_file import Peers, inspect
from cudamigrate.pipeline.spool import Spool
from cudamigrate.project import discovery
from cudamigrate.reporting import excerpts
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.suppression import comments

if TYPE_CHECKING:
    from cudamigrate.model.estimate import FileClues
    from cudamigrate.semantics import Resolver

_NONE = frozenset[str]()
_ALONE = blake2b(digest_size=20).digest()
"""What stands for nothing near a file."""
_ahead: list[tuple[Inventory, Mapping[str, Peers]]] = []
Progress = Callable[[int, int], None]
"""Called with the files done and the files in all."""
Clues = Callable[[SourceFile], "FileClues | None"]
"""Reads what one file shows for an estimate."""


def inspect_all(
    cache: Cache,
    inventory: Inventory,
    work: Inspector,
    jobs: int,
    progress: Progress | None,
    spool: Spool,
) -> list[FileResult]:
    """The results of all files that were found; those that libclang has a part in are not kept for other runs.

    What of them is not held in memory goes to `spool`.
    """
    if work.resolver is not None:
        cache = Cache(work.root, inventory.entries, None)
    results: list[FileResult] = []
    for entry, result in zip(inventory.entries, cache.run(work, inventory.entries, jobs), strict=True):
        results.append(spool.take(_shared(result, entry)))
        if progress is not None:
            progress(len(results), len(inventory.entries))
    spool.let_go()
    return results


def with_choices(results: list[FileResult], choices: Mapping[str, frozenset[str]]) -> list[FileResult]:
    """The results; those of files that are not always compiled say what must be chosen for that."""
    return [_with_choice(one, choices[one.path]) if one.path in choices else one for one in results]


def _with_choice(result: FileResult, chosen: frozenset[str]) -> FileResult:
    logical = result.logical_result
    other = None if logical is None else replace(logical, chosen=chosen)
    return replace(result, chosen=chosen, logical_result=other)


def _shared(result: FileResult, entry: FileEntry) -> FileResult:
    """A result that has nothing for itself of what others have: what came from another process is a copy.

    It is changed in place, as nothing else has it yet: for very many files, copies take longer than what is kept of
    them. Of a file that shows nothing it is another, which takes less.
    """
    result, is_same = plain(result), result.size == entry.size
    if type(result) is not FileResult:
        return as_plain(entry.path, entry.language, result.lines, entry.size if is_same else result.size)
    put = object.__setattr__
    if is_same:
        put(result, "path", entry.path)
        put(result, "language", entry.language)
        put(result, "size", entry.size)
    for name in ("builds", "chosen", "shifts"):  # each empty set is one of its own
        if not getattr(result, name):
            put(result, name, _NONE)
    return result


def elsewhere(scheduler: str) -> Fresh | None:
    """What inspects files on a cluster; None where they are inspected here."""
    if not scheduler:
        return None

    def run(work: Work, entries: Sequence[FileEntry]) -> Iterator[tuple[bytes, Any]] | None:
        from cudamigrate.pipeline import cluster  # most runs do without

        return cluster.run(work, entries, scheduler) if isinstance(work, Inspector) and entries else None

    return run


def families(root: Path, inventory: Inventory) -> Mapping[str, Peers]:
    """What each build file is read with: what a variable holds, or a function is given, may be in another file."""
    known, found = _ahead.pop() if _ahead else (None, {})
    return found if known is inventory else _families(root, inventory)


def find_families_ahead(root: Path, inventory: Inventory) -> None:
    """Find out what `families` will be asked for, while workers do what it does not need."""
    _ahead[:] = [(inventory, _families(root, inventory))]


def _families(root: Path, inventory: Inventory) -> Mapping[str, Peers]:
    found: dict[str, Peers] = {}
    makefiles = dict(_read(root, inventory, ("make",)))
    if len(makefiles) > 1:
        from cudamigrate.analysis import (  # trees without several Makefiles do without
            makefile_families,
        )

        found.update(makefile_families.families(makefiles))
    _add_configured(found, makefiles, root, inventory)
    if scripts := dict(_read(root, inventory, ("cmake",))):
        from cudamigrate.analysis import cmake_tree

        parts = set[str]()
        if any(map(cmake_tree.CCCL.search, scripts.values())):
            for _, data in _read(root, inventory, ("cuda", "cxx")):
                parts |= cmake_tree.packages(data)
        sources = {entry.path for entry in inventory.entries if entry.path.endswith(".cu")}
        found.update(cmake_tree.facts(scripts, frozenset(parts), sources))
    if any(entry.language == "cuda" for entry in inventory.entries):
        found.update(_shared_flags(dict(_read(root, inventory, ("python",)))))
    return found


def _add_configured(found: dict[str, Peers], makefiles: Mapping[str, bytes], root: Path, inventory: Inventory) -> None:
    """Add to what templates of Makefiles are read with the host compilers that a configure script gives them."""
    if not any(b"ccbin" in data or b"compiler-bindir" in data for data in makefiles.values()):
        return
    from cudamigrate.analysis import configured_compilers  # most trees do without

    entries = [one for one in inventory.entries if one.path.rpartition("/")[2] in configured_compilers.SCRIPTS]
    scripts = dict(_read(root, replace(inventory, entries=tuple(entries)), ("autotools",)))
    for path, script, lines in configured_compilers.added(makefiles, scripts):
        peers = found.get(path, {})
        assert not isinstance(peers, CMakeFacts)
        found[path] = {**peers, script: lines}


def _shared_flags(modules: Mapping[str, bytes]) -> dict[str, Peers]:
    """What modules of Python give to PyTorch's builds in others, by their names."""
    if not any(b"extra_c" in data for data in modules.values()):
        return {}
    from cudamigrate.python_source import shared_flags  # trees without extensions do without

    return {path: dict.fromkeys(sorted(names), b"") for path, names in shared_flags.given(modules).items()}


def _read(root: Path, inventory: Inventory, languages: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The files of some languages, by path."""
    for entry in inventory.entries:
        one = discovery.read(root, entry) if entry.language in languages else None
        if isinstance(one, SourceFile):
            yield entry.path, one.data


def _said(peers: Peers) -> Iterator[bytes]:
    """All that a build file is read with, in the same words whenever it is the same."""
    if not isinstance(peers, CMakeFacts):
        for name, data in sorted(peers.items()):
            yield repr((name, len(data))).encode(errors="backslashreplace") + data
        return
    held = {"": peers.held, **peers.given}
    words = [(name, sorted((each, sorted(ends)) for each, ends in held[name].items())) for name in sorted(held)]
    flags = (
        peers.cuda,
        peers.searches,
        peers.lacks,
        peers.finds,
        peers.builds,
        peers.compiles,
        peers.ignores,
        peers.left,
        peers.unnamed,
        peers.by_language,
        peers.minimum,
    )
    sets = (peers.packages, peers.folders, peers.toolkits, peers.compilers, peers.nvccs)
    named = tuple(map(sorted, sets))
    options = sorted((name, one.nvcc, one.declared) for name, one in peers.options.items())
    yield repr((words, sorted(peers.wrappers), flags, named, options)).encode(errors="backslashreplace")


@dataclass(frozen=True, slots=True)
class Inspector:
    """What every file of a run is read with; it travels to the worker processes.

    `families` are what each build file is read with, by path; `waves` are marks that hold for one file, as
    for a constant of a port, or a directive for a namespace, that the file sees in another.
    """

    root: Path
    book: Rulebook
    guards: tuple[str, ...]
    debug: bool
    clues: Clues | None
    resolver: Resolver | None
    families: Mapping[str, Peers]
    waves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def context(self) -> bytes:
        """The options that count for every file: the target, the rules, the macros for HIP, and what is looked for."""
        goal = self.book.goal
        said = ("inspect", goal.rocm, goal.cuda, goal.arch, goal.wave, self.guards, self.clues is not None)
        return repr(said).encode(errors="backslashreplace") + given_rules(self.book.extra)

    def near(self, path: str) -> bytes:
        """What a build file is read with, and the marks that hold for this file."""
        if path not in self.waves and path not in self.families:
            return _ALONE
        hashed = blake2b("\0".join(self.waves.get(path, ())).encode(errors="backslashreplace"), digest_size=20)
        for said in _said(self.families.get(path, {})):
            hashed.update(said)
        return hashed.digest()

    def lasts(self, result: FileResult) -> bool:
        """Whether a result holds for other runs: a limit may, and a fault of ours will, be another next time."""
        return result.skip is None or result.skip.kind not in ("limit", "internal")

    def lost(self, entry: FileEntry, reason: str) -> FileResult:
        """The result of a file that ended its worker."""
        return self.unread(entry, Skip(entry.path, "limit", reason))

    def unread(self, entry: FileEntry, skip: Skip) -> FileResult:
        """The result of a file that is left out."""
        return FileResult(entry.path, entry.language, 0, entry.size, cuda=False, skip=skip)

    def of(self, source: SourceFile) -> FileResult:
        """What one file shows; a failure of ours is reported as a skipped file."""
        try:
            return plain(self._inspect(source))
        except Exception as error:  # the one place: a bad file must not end the run
            if self.debug:
                raise
            skip = Skip(
                source.path, "internal", f"cudamigrate failed here, please report it: {type(error).__name__}: {error}"
            )
            if isinstance(error, RecursionError):
                skip = Skip(source.path, "limit", "nests deeper than can be read")
            elif isinstance(error, MemoryError):
                skip = Skip(source.path, "limit", "takes more memory than a file may")
            return self.unread(FileEntry(source.path, source.language, len(source.data)), skip)

    def _inspect(self, source: SourceFile) -> FileResult:
        guards = (*self.guards, *self.waves.get(source.path, ()))
        result = inspect(source, self.book, guards, self.resolver, self.families.get(source.path))
        other = result.logical_result
        if other is not None:
            result = replace(
                result, logical_result=replace(other, findings=tuple(excerpts.shown(source, other.findings)))
            )
        findings = tuple(excerpts.shown(source, result.findings)) if result.findings else ()
        shown = self.clues(source) if self.clues is not None else None
        said = tuple(comments.read(source))  # also for findings that only other files bring about
        if not (findings or shown or said):
            return result
        return replace(result, findings=findings, clues=shown, suppressions=said)
