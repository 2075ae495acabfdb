"""Per-file work, done once for each content of a file: results that an earlier run kept are not worked out again.

A key is made of all that a result rests on: what the work is and its options, the rules, the program, the path of the
file and its bytes, and what other files the work reads with it. Results of files that follow each other are kept in one
row, too: thousands of rows take longer than what is in them. What rests on all files together is worked out in each
run, or kept under a key of all their keys. A result that reports a limit or a fault of ours is not kept.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar
from zlib import crc32

from cudamigrate import parallel
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import FileEntry, FileResult, Skip, SourceFile
from cudamigrate.pipeline import packed_results
from cudamigrate.pipeline.known_contents import KnownContents
from cudamigrate.pipeline.result_store import Store
from cudamigrate.project import discovery
from cudamigrate.shipped_data import rules_folder, stamp

_LEAST = 100_000
"""Bytes of source below which a tree is read again: that takes no longer than to ask."""
_ENDS, _ENDS_BY_BYTE = 2**32 // 128, 2**32 // 2**19
"""Of checksums below these, one in 128 files, and one in 512 KB of source, is the last of those kept in one row."""
_LEAST_WEIGHT = 500
"""What any file weighs beside its bytes, for it takes a while to be opened."""
_FEW = 8
"""Files that are kept in one row at least."""
_LITTLE, _LIGHT = 8, 100_000
"""Changed files, and their bytes, up to which one process is enough: to start more takes longer than to read them."""
_WHOLE = 20_000
"""Files of a tree up to which its report is kept as a whole: beyond, that would take more memory than the report."""
_NOTHING = pickle.dumps(None, 5)
"""What is kept of most files that a survey looks at."""
File = TypeVar("File", FileEntry, FileResult)
_GRAMMARS = ("bash", "cuda", "json", "python", "toml", "yaml")


class Work(Protocol):
    """What is done to each file of a run. `context` says in bytes which work it is, with all options that count."""

    @property
    def root(self) -> Path:
        """The folder that paths are relative to."""

    @property
    def context(self) -> bytes:
        """The work and its options."""

    def near(self, path: str) -> bytes:
        """What stands for other files that the work on this one reads."""

    def of(self, source: SourceFile) -> Any:
        """The result for a file."""

    def unread(self, entry: FileEntry, skip: Skip) -> Any:
        """The result for a file that cannot be read."""

    def lasts(self, result: Any) -> bool:
        """Whether the result would be the same in another run."""

    def lost(self, entry: FileEntry, reason: str) -> Any:
        """The result for a file that ended its worker."""


@dataclass(frozen=True, slots=True)
class _Keyed:
    """The work on one file: the digest of the bytes that were read, empty where a result is not to be kept."""

    work: Work
    kept: bool

    def __call__(self, entry: FileEntry) -> tuple[bytes, Any]:
        source = discovery.read(self.work.root, entry)
        if isinstance(source, Skip):
            return b"", self.work.unread(entry, source)
        result = self.work.of(source)
        return (digest(source.data) if self.kept and self.work.lasts(result) else b""), result


Fresh = Callable[[Work, Sequence[FileEntry]], "Iterator[tuple[bytes, Any]] | None"]
"""Does work elsewhere than on this machine; None for work that is done here."""


@dataclass(slots=True)
class _Part:
    """Files that follow each other, each with the digest of its bytes; the key of the row that holds the results of
    all, empty where there is none; and the keys of each, where that row is not kept."""

    pairs: list[tuple[FileEntry, bytes]]
    key: bytes
    keys: Sequence[bytes] = ()


class Cache:
    """What earlier runs found out about files with the contents that those of `root` have now.

    `fresh` does what they did not find out, where that is not to be done on this machine.
    """

    def __init__(
        self, root: Path, entries: Sequence[FileEntry], store: Store | None, fresh: Fresh | None = None
    ) -> None:
        small = sum(entry.size for entry in entries) < _LEAST
        self.root, self.store = root, None if small else store
        self._contents: dict[str, bytes] = {}
        self._known = _known(root, entries, self.store)
        self._elsewhere = fresh

    def run(self, work: Work, entries: Sequence[FileEntry], jobs: int, batch: int = 16) -> Iterator[Any]:
        """The result for each entry, in order: kept ones, and those that are worked out now."""
        if self.store is None:
            yield from (result for _, result in self._fresh(work, entries, jobs, batch, kept=False))
            return
        start = digest(work.context + program())
        parts = [self._part(start, work, part) for part in parted(entries)]
        if self._known is not None:
            self._known.keep()
        packed = self.store.known([part.key for part in parts if part.key])
        for part in parts:
            if part.key not in packed:
                part.keys = [_joined(start, work, *pair) if pair[1] else b"" for pair in part.pairs]
        known = self.store.known([key for part in parts for key in part.keys if key])
        missing = [e for part in parts for (e, _), key in zip(part.pairs, part.keys, strict=False) if key not in known]
        fresh = self._fresh(work, missing, jobs, batch)
        for part in parts:
            if part.key in packed:
                yield from self._unpacked(part, work)
            else:
                yield from self._of_part(part, work, start, known, fresh)
        if missing:
            self.store.prune()

    def _of_part(
        self, part: _Part, work: Work, start: bytes, known: Set[bytes], fresh: Iterator[tuple[bytes, Any]]
    ) -> Iterator[Any]:
        """The results of a part that is not kept in one row: each by itself, kept or `fresh`; what is new is kept."""
        assert self.store is not None
        stored = self.store.get([key for key in part.keys if key in known])
        made, results, same = dict[bytes, bytes](), [], bool(part.key)
        for (entry, before), key in zip(part.pairs, part.keys, strict=True):
            if key in known:
                result = self._kept(stored.get(key), work, entry)
            else:
                content, result = next(fresh)
                same = same and content == before
                if content:
                    made[key if content == before else _joined(start, work, entry, content)] = pickle.dumps(result, 5)
            results.append(result)
            yield result
        if same:
            made[part.key] = packed_results.packed(results)
        self.store.put(made)

    def _unpacked(self, part: _Part, work: Work) -> Iterator[Any]:
        """The results of a part that is kept in one row; where another run has just removed it they are worked out."""
        assert self.store is not None
        stored = self.store.get([part.key]).get(part.key)
        found = _several(stored) if stored is not None else ()
        if len(found) == len(part.pairs):
            return iter(found)
        return (self._kept(None, work, entry) for entry, _ in part.pairs)

    def _part(self, start: bytes, work: Work, entries: Sequence[FileEntry]) -> _Part:
        """Files that follow each other; those that cannot all be read, and few of them, have no row for all."""
        contents = self._contents_of(entries)
        pairs = list(zip(entries, contents, strict=True))
        if len(pairs) < _FEW or not all(contents):
            return _Part(pairs, b"")
        near = b"".join([_digest_of_few(work.near(entry.path)) for entry in entries])
        said = (start, _names(entries), near, b"".join(contents))
        return _Part(pairs, digest(b"part\0" + b"".join(map(digest, said))))

    def whole(self, parts: Callable[[], Sequence[bytes]], entries: Sequence[FileEntry]) -> bytes:
        """The key of what is made from all files together and `parts`; empty where nothing of that is to be kept."""
        if self.store is None or len(entries) > _WHOLE:
            return b""
        contents = self._contents_of(entries)
        if not all(contents):
            return b""  # a file cannot be read: nobody knows what it will be next time
        return digest(b"".join(map(digest, (program(), *parts(), _names(entries), b"".join(contents)))))

    @property
    def knows_contents(self) -> bool:
        """Whether the digest of each file is known anyway."""
        return self.store is not None and self._known is not None

    def content(self, path: str) -> bytes:
        """The digest of a file's bytes as this run has seen them, empty where it has not."""
        return self._contents.get(path, b"")

    def _contents_of(self, entries: Sequence[FileEntry]) -> list[bytes]:
        """The digest of what each file has, empty for one that cannot be read."""
        return [self._contents.get(entry.path) or self._content(entry) for entry in entries]

    def _fresh(
        self, work: Work, entries: Sequence[FileEntry], jobs: int, batch: int, kept: bool = True
    ) -> Iterator[tuple[bytes, Any]]:
        made = self._elsewhere(work, entries) if self._elsewhere is not None else None
        return _fresh(work, entries, jobs, batch, kept) if made is None else made

    def _kept(self, stored: bytes | None, work: Work, entry: FileEntry) -> Any:
        """A result from its bytes; one that another run has just removed is worked out."""
        if stored == _NOTHING:
            return None
        found = loaded(stored) if stored is not None else None
        return next(_fresh(work, [entry], 1, 1, kept=False))[1] if found is None else found[0]

    def _content(self, entry: FileEntry) -> bytes:
        """The digest of a file's bytes, empty where it cannot be read."""
        found = self._contents.get(entry.path)
        if found is None:
            known = self._known.digest(entry.path) if self._known is not None else b""
            found = self._contents[entry.path] = known or self._read(entry)
        return found

    def _read(self, entry: FileEntry) -> bytes:
        """The digest of a file that is read now."""
        before = self._known.status(entry.path) if self._known is not None else None
        source = discovery.read(self.root, entry)
        if not isinstance(source, SourceFile):
            return b""
        found = digest(source.data)
        if self._known is not None:
            self._known.record(entry.path, before, found)
        return found


def _fresh(work: Work, entries: Sequence[FileEntry], jobs: int, batch: int, kept: bool) -> Iterator[tuple[bytes, Any]]:
    """Results that are worked out now, each with the digest of what was read where it is `kept`."""
    weight = sum(entry.size for entry in entries)

    def lost(entry: FileEntry, reason: str) -> tuple[bytes, Any]:
        return b"", work.lost(entry, reason)

    if kept and len(entries) <= _LITTLE and weight < _LIGHT:
        return iter(parallel.few(_Keyed(work, kept), entries, lost))
    return parallel.run(_Keyed(work, kept), entries, jobs, weight, batch, lost, size=_size)


def _names(entries: Sequence[FileEntry]) -> bytes:
    """The languages and paths of files, for a key."""
    return "\0".join([f"{entry.language}\0{entry.path}" for entry in entries]).encode(errors="surrogateescape")


def _several(stored: bytes) -> Sequence[Any]:
    """The results of a row of several; none of one that is not understood."""
    found = loaded(stored)
    with suppress(ValueError, TypeError):
        return packed_results.unpacked(found[0]) if found is not None else ()
    return ()


def _size(entry: FileEntry) -> int:
    return entry.size + _LEAST_WEIGHT


def _known(root: Path, entries: Sequence[FileEntry], store: Store | None) -> KnownContents | None:
    """What earlier runs know of the contents of a tree; nothing of very large ones, and where inodes have no times."""
    if store is None or os.name != "posix" or len(entries) > _WHOLE:
        return None
    return KnownContents(root, store, digest(b"contents\0" + os.fsencode(os.path.realpath(root))))


def _joined(start: bytes, work: Work, entry: FileEntry, content: bytes) -> bytes:
    """The key of a result."""
    return digest(_said(start, work, entry, content))


def _said(start: bytes, work: Work, entry: FileEntry, content: bytes) -> bytes:
    """What a result rests on. Digests are of one length, and no path holds a NUL, so that no two say the same."""
    path = f"{entry.language}\0{entry.path}\0".encode(errors="surrogateescape")
    return b"".join((start, content, _digest_of_few(work.near(entry.path)), path))


def parted(entries: Sequence[File]) -> Iterator[Sequence[File]]:
    """The files in parts that follow each other.

    A path and the size of its file say whether a part ends there, so that other parts stay what they are when a file
    comes, goes or grows.
    """
    first = 0
    for at, entry in enumerate(entries, 1):
        drawn = crc32(entry.path.encode(errors="surrogateescape"))
        if drawn < _ENDS or drawn < entry.size * _ENDS_BY_BYTE:
            yield entries[first:at]
            first = at
    if first < len(entries):
        yield entries[first:]


def digest(data: bytes) -> bytes:
    """What stands for bytes in a key."""
    return blake2b(data, digest_size=20).digest()


_digest_of_few = lru_cache(maxsize=16)(digest)  # most files have nothing near them


@lru_cache(maxsize=256)  # thousands of rows name the same few types
def _type(module: str, name: str) -> Any:
    if module.startswith("cudamigrate.model.") or (module, name) == ("builtins", "frozenset"):
        return getattr(import_module(module), name)
    raise pickle.UnpicklingError(f"{module}.{name} is no data type of reports")


class _Restricted(pickle.Unpickler):
    """Makes values of this package's data types and no others: a row can run nothing."""

    find_class = staticmethod(_type)  # asked for each type of each row, so no frame of ours


def loaded(value: bytes) -> tuple[Any] | None:
    """The value in a tuple, None for bytes that are not understood."""
    try:
        return (_Restricted(io.BytesIO(value)).load(),)
    except Exception:  # noqa: BLE001 - whatever is wrong with kept bytes, the result is worked out again
        return None


@lru_cache(maxsize=1)
def program() -> bytes:
    """What tells this program from another: its files and those of the grammars by time and size, and Python's version.

    The rules are among them; rules of the user's are part of the work.
    """
    package = Path(__file__).resolve().parent.parent
    stamps = [sys.version, *_stamps(package, (".py", ".marshal")), *_stamps(rules_folder(), (".toml", ".txt"))]
    for name in ("tree_sitter", *(f"tree_sitter_{grammar}" for grammar in _GRAMMARS)):
        found = find_spec(name)
        stamps.append(stamp(Path(found.origin)) if found is not None and found.origin else "")
    return digest("\n".join(stamps).encode(errors="surrogateescape"))


def _stamps(folder: Path, ends: tuple[str, ...]) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [stamp(Path(place, name)) for name in sorted(names) if name.endswith(ends)]
    return found


def given_rules(paths: Sequence[str]) -> bytes:
    """What tells the rules that a user added from others: their files, by time and size."""
    found = []
    for path in map(Path, paths):
        found += _stamps(path, (".toml",)) if path.is_dir() else [stamp(path)]
    return digest("\n".join(found).encode(errors="surrogateescape"))
