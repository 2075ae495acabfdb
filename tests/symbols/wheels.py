"""Reads single files out of wheels of a package index, without downloading whole wheels.

Some wheels weigh half a gigabyte, and their headers a few kilobytes: a zip archive has its table of contents at the
end, so the headers can be read by asking for those bytes only. The index, proxies and certificates are those that pip
is configured with. What was read is kept under the cache folder of the user.
"""

from __future__ import annotations

import io
import logging
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BLOCK = 1 << 20
"""Bytes asked for at once."""
PLATFORMS = [f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)]
PLATFORMS += [f"manylinux{year}_x86_64" for year in ("2014", "2010", "1")]
"""Whose wheels are read, whatever machine reads them: headers are alike everywhere."""


@dataclass(frozen=True)
class Wheel:
    """A pinned wheel and the folder inside it that is read."""

    name: str
    version: str
    folder: str


class _Remote(io.RawIOBase):
    """A file on a server that answers byte ranges."""

    def __init__(self, session: Any, url: str) -> None:
        self._session, self._url, self._at = session, url, 0
        self._size = int(self._get(0, 0).headers["Content-Range"].rpartition("/")[2])

    def _get(self, start: int, last: int) -> Any:
        answer = self._session.get(
            self._url, headers={"Range": f"bytes={start}-{last}", "Accept-Encoding": "identity"}, timeout=60
        )
        answer.raise_for_status()
        if answer.status_code != 206:
            raise OSError(f"{self._url.rpartition('/')[2]}: the index cannot send a part of a file")
        return answer

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = (0, self._at, self._size)[whence] + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        last = min(self._at + len(buffer), self._size) - 1
        if last < self._at:
            return 0
        data = self._get(self._at, last).content
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def cache() -> Path:
    """Where files out of wheels are kept between runs, outside the checkout."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "cudamigrate" / "symbols"


def folders(wheels: Iterable[Wheel]) -> list[Path]:
    """The files of each wheel below its `folder`, unpacked. Raises OSError or LookupError where one cannot be had."""
    found = [(wheel, cache() / f"{wheel.name}-{wheel.version}") for wheel in wheels]
    missing = [(wheel, path) for wheel, path in found if not path.is_dir()]
    if missing:
        with _index() as links:
            for wheel, path in missing:
                _unpack(links(wheel), wheel, path)
    return [path for _, path in found]


@contextmanager
def _index() -> Iterator[Callable[[Wheel], _Remote]]:
    """A function from a wheel to its bytes, by pip's own finder and session."""
    from pip._internal.cli.cmdoptions import make_target_python
    from pip._internal.commands.download import DownloadCommand

    logging.disable(logging.WARNING)  # pip warns of each folder that it is configured with and that is missing
    command = DownloadCommand("download", "")
    aims = [f"--platform={platform}" for platform in PLATFORMS]
    aims += ["--python-version=3.11", "--implementation=cp", "--only-binary=:all:"]
    options, _ = command.parser.parse_args([*aims, "--timeout=20", "--retries=2"])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options, session, target_python=make_target_python(options))

        def remote(wheel: Wheel) -> _Remote:
            candidates = [c for c in finder.find_all_candidates(wheel.name) if str(c.version) == wheel.version]
            if not candidates:
                raise LookupError(f"the index has no wheel of {wheel.name} {wheel.version} for Linux")
            link = min(candidates, key=lambda candidate: str(candidate.link.filename)).link
            return _Remote(session, link.url_without_fragment)

        yield remote


def _unpack(remote: _Remote, wheel: Wheel, target: Path) -> None:
    staging = target.with_name(f"{target.name}.{os.getpid()}.part")
    shutil.rmtree(staging, ignore_errors=True)
    with zipfile.ZipFile(io.BufferedReader(remote, BLOCK)) as archive:
        for entry in archive.infolist():
            rest = f"/{entry.filename}".partition(f"/{wheel.folder}/")[2]
            if rest and not entry.is_dir() and not entry.filename.endswith((".so", ".a", ".bc", ".pyx", ".pyi")):
                path = staging / rest
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(entry))
    if not staging.is_dir():
        raise LookupError(f"{wheel.name} {wheel.version} has no folder {wheel.folder}")
    staging.rename(target)
