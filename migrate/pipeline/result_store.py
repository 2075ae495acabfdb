"""Results of earlier scans in the user's cache: bytes by key, in a SQLite database that concurrent runs share.

A row is only ever the answer to its key, which is made of all that the answer rests on, so it never goes stale: it is
removed when it has not been used for some weeks, or when the database grows too large. Whatever is wrong with the
database, a run goes on without it. Decision 33 says why this is SQLite.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.shipped_data import is_private, user_cache

if TYPE_CHECKING:
    from sqlite3 import Connection

BYTES = 512 << 20
"""The most bytes that the rows hold together."""
DAYS = 30
"""Days after which a row that no run asked for is removed."""
_FULL = 0.8
"""The part of the bound that is left when rows make room."""
_AT_ONCE = 500
"""Keys in one query; SQLite takes a few hundred at least."""
_CHECK = 8
"""Bytes of the digest before each value, by which damage is seen."""
_WAIT = 5.0
"""Seconds to wait for another run that writes."""
_MADE = """
CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, value BLOB NOT NULL, size INTEGER NOT NULL, used INTEGER);
CREATE INDEX IF NOT EXISTS by_use ON results (used);
"""


@dataclass(frozen=True, slots=True)
class Info:
    """How much is kept: the database, its rows, the bytes on disk, and the days since its oldest row was used."""

    place: Path
    rows: int
    bytes: int
    days: int


class Store:
    """The database in the folder `folder`. `limit` is in bytes, `days` the age at which unused rows go."""

    def __init__(self, folder: Path | None = None, limit: int = BYTES, days: int = DAYS) -> None:
        self.folder = user_cache("results") if folder is None else folder
        self.limit, self.days = limit, days

    @property
    def file(self) -> Path:
        """The database."""
        return self.folder / "results.sqlite"

    def known(self, keys: Iterable[bytes]) -> frozenset[bytes]:
        """The keys among `keys` that have a row."""
        found: set[bytes] = set()
        with self._open() as database:
            if database is None:
                return frozenset()
            for part in _parts(list(keys)):
                query = f"SELECT key FROM results WHERE key IN ({_marks(part)})"
                found.update(row[0] for row in database.execute(query, part))
        return frozenset(found)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that have one; they count as used today."""
        found: dict[bytes, bytes] = {}
        with self._open() as database:
            if database is None:
                return found
            stale = []
            for part in _parts(keys):
                query = f"SELECT key, value, used FROM results WHERE key IN ({_marks(part)})"
                for key, value, used in database.execute(query, part):
                    if value[:_CHECK] == _check(value[_CHECK:]):
                        found[key] = value[_CHECK:]
                        if used < _today():
                            stale.append(key)
            for part in _parts(stale):
                database.execute(f"UPDATE results SET used = {_today()} WHERE key IN ({_marks(part)})", part)
            database.commit()
        return found

    def put(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep values; what does not fit makes older rows go."""
        if not rows:
            return
        with self._open(make=True) as database:
            if database is not None:
                made = [(key, _check(value) + value, len(value), _today()) for key, value in rows.items()]
                database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", made)
                database.commit()

    def prune(self) -> None:
        """Remove rows that are too old, then those that were not used for longest, down to the bound."""
        with self._open() as database:
            if database is None:
                return
            database.execute("DELETE FROM results WHERE used < ?", (_today() - self.days,))
            if sum(path.stat().st_size for path in self._files()) > self.limit:  # rows take no more than their file
                size_kept = database.execute("SELECT coalesce(sum(size), 0) FROM results").fetchone()[0]
                if size_kept > self.limit:
                    self._make_room(database, size_kept, int(self.limit * _FULL))
            database.commit()
            if database.execute("PRAGMA freelist_count").fetchone()[0] > 1000:
                database.execute("VACUUM")

    def _make_room(self, database: Connection, size_kept: int, goal: int) -> None:
        """Remove the rows used longest ago, until of the `size_kept` bytes `goal` are left."""
        gone = []
        for number, size in database.execute("SELECT rowid, size FROM results ORDER BY used, rowid"):
            if size_kept <= goal:
                break
            gone.append((number,))
            size_kept -= size
        database.executemany("DELETE FROM results WHERE rowid = ?", gone)

    def info(self) -> Info:
        """How much is kept."""
        rows = days = 0
        with self._open() as database:
            if database is not None:
                rows, oldest = database.execute("SELECT count(*), coalesce(min(used), 0) FROM results").fetchone()
                days = _today() - oldest if rows else 0
        taken = sum(path.stat().st_size for path in self._files())
        return Info(self.file, rows, taken, days)

    def clear(self) -> int:
        """Remove everything; returns the bytes that this freed."""
        freed = 0
        for path in self._files():
            size = path.stat().st_size
            with suppress(OSError):
                path.unlink()
                freed += size
        return freed

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"{self.file.name}*")) if self.folder.is_dir() else []

    @contextmanager
    def _open(self, make: bool = False) -> Iterator[Connection | None]:
        """The database for a moment, None where there is none that can be used; what fails in it ends in silence.

        It is never open while workers are started: a connection does not survive a fork.
        """
        database = self._connected(make)
        if database is None:
            yield None
            return
        from sqlite3 import DatabaseError

        try:
            yield database
        except DatabaseError as error:
            self._failed(error)
        finally:
            database.close()

    def _connected(self, make: bool) -> Connection | None:
        try:
            import sqlite3
        except ImportError:  # a Python built without it
            return None
        if not (is_private(self.folder, make) and (make or self.file.exists())):
            return None
        try:
            database = sqlite3.connect(self.file, timeout=_WAIT)
            database.execute("PRAGMA synchronous = OFF")  # what a power cut damages is seen, and made again
            database.executescript(_MADE)
        except sqlite3.DatabaseError as error:
            self._failed(error)
            return None
        return database

    def _failed(self, error: Exception) -> None:
        """Remove a damaged database; where another run holds it for long, or there is no room, it stays."""
        from sqlite3 import OperationalError

        if not isinstance(error, OperationalError):
            self.clear()


def _parts(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))


def _marks(keys: Sequence[bytes]) -> str:
    return ",".join("?" * len(keys))


def _check(value: bytes) -> bytes:
    return blake2b(value, digest_size=_CHECK).digest()


def _today() -> int:
    """Days since the epoch."""
    return int(time.time()) // 86400
