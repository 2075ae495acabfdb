"""HIP's headers in the user's cache: which wheel has them, where they are kept, and how they get there.

Only `install` uses the network, through the index that pip is configured with. Of a wheel nothing but the headers is
fetched, by requests for parts of it; each file is held against the hash in the wheel's RECORD, and the RECORD against
the digest in `rules/hip-headers.toml`.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from cudamigrate.errors import InputError
from cudamigrate.model import release
from cudamigrate.shipped_data import table, user_cache

_PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
"""The wheels looked at: headers are the same for all, and these exist for every release."""
_PYTHON = "3.12"
_TIMEOUT = 120
_FIRST = 1 << 18
"""Bytes fetched at first, from the end of the wheel: its list of files."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel with the headers of one HIP release; sizes in bytes, see `rules/hip-headers.toml`."""

    hip: str
    project: str
    version: str
    files: int
    bytes: int
    fetched: int
    wheel: int
    digest: str


def wheels() -> list[Wheel]:
    """The wheels known. Raises RuleError where the table cannot be read."""
    return [Wheel(**row) for row in table("hip-headers")["wheel"]]


def nearest(rocm: str) -> Wheel:
    """The wheel whose headers are nearest to a ROCm release."""
    return min(wheels(), key=lambda wheel: distance(wheel.hip, rocm))


def distance(one: str, other: str) -> tuple[int, int]:
    """How far two releases are apart, in major and in minor numbers: `7.0` and `6.4` are (1, 4)."""
    a, b = ((*release(version), 0, 0) for version in (one, other))
    return abs(a[0] - b[0]), abs(a[1] - b[1])


def store() -> Path:
    """The folder that holds the headers fetched, one folder a HIP release."""
    return user_cache("headers")


def installed() -> Iterator[tuple[Wheel, Path]]:
    """The headers that are there, with their include folders."""
    for wheel in wheels():
        folder = _place(wheel) / "include"
        if folder.is_dir():
            yield wheel, folder


def remove() -> list[Path]:
    """Delete all headers fetched; the folders that went. Raises InputError where one cannot be deleted."""
    gone = [folder.parent for _, folder in installed()]
    for folder in gone:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise InputError(f"cannot remove {folder}: {error.strerror}") from None
    return gone


def install(wheel: Wheel) -> Path:
    """Fetch the headers of a wheel into the cache; their include folder.

    Raises InputError where the index does not have the wheel, does not send parts of files, or sends other headers.
    """
    place = _place(wheel)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".part-", dir=place.parent))
    except OSError as error:
        raise InputError(f"cannot write to {place.parent}: {error.strerror}") from None
    try:
        with _opened(_url(wheel)) as archive:
            _extract(archive, wheel, staging / "include")
        shutil.rmtree(place, ignore_errors=True)
        os.replace(staging, place)
    except (zipfile.BadZipFile, OSError, KeyError) as error:
        raise InputError(f"cannot fetch the headers: {type(error).__name__}: {error}") from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return place / "include"


def _place(wheel: Wheel) -> Path:
    return store() / f"hip-{wheel.hip}-{wheel.digest[:12]}"


def _extract(archive: zipfile.ZipFile, wheel: Wheel, folder: Path) -> None:
    """Write the headers, each once its hash is right."""
    record = archive.read(f"{wheel.project}-{wheel.version}.dist-info/RECORD").decode()
    prefix = str(table("hip-headers")["folder"])
    rows = sorted((row[0], row[1]) for row in csv.reader(io.StringIO(record)) if row and row[0].startswith(prefix))
    listed = "\n".join(f"{name},{digest}" for name, digest in rows)
    if hashlib.sha256(listed.encode()).hexdigest() != wheel.digest:
        raise InputError(f"{wheel.project} {wheel.version} of this index has other headers than the known ones")
    for name, digest in rows:
        data = archive.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        if digest != f"sha256={found}":
            raise InputError(f"{name} has another hash than the wheel says")
        target = folder / name[len(prefix) :]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _url(wheel: Wheel) -> str:
    """Where pip would get the wheel from, by its own configuration; nothing is installed."""
    with tempfile.TemporaryDirectory(prefix="cudamigrate-") as folder:
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed", "--quiet"]
        command += ["--disable-pip-version-check", "--report", f"{folder}/report.json", "--target", f"{folder}/none"]
        # an older pip asks the wheel for the Python that runs it, though another version is named
        command += ["--only-binary", ":all:", "--python-version", _PYTHON, "--ignore-requires-python"]
        command += [word for name in _PLATFORMS for word in ("--platform", name)]
        command.append(f"{wheel.project}=={wheel.version}")
        try:
            # `-m` would take a module of that name from the current folder
            done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder)
        except OSError as error:
            raise InputError(f"pip cannot be run by {sys.executable or 'Python'}: {error.strerror}") from None
        try:
            report = json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))
            return str(report["install"][0]["download_info"]["url"])
        except (OSError, ValueError, KeyError, IndexError):
            if "No module named pip" in done.stderr:
                raise InputError("the headers are looked up by pip, which `cudamigrate[clang]` brings") from None
            said = [line.partition(": ")[2] for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
            why = f": {said[-1]}" if said else ""
            raise InputError(
                f"pip finds no wheel of {wheel.project} {wheel.version}{why} (is there a network?)"
            ) from None


def _opened(url: str) -> zipfile.ZipFile:
    """The wheel, of which only the parts that are read are fetched."""
    if url.startswith("file:"):
        return zipfile.ZipFile(unquote(urlsplit(url).path))
    import remotezip

    try:
        archive: zipfile.ZipFile = remotezip.RemoteZip(url, initial_buffer_size=_FIRST, **_connection())
        return archive
    except remotezip.RangeNotSupported:
        raise InputError(
            "this index does not send parts of files; pip install 'cudamigrate[verify]' has the headers too"
        ) from None
    except (remotezip.RemoteIOError, OSError) as error:
        raise InputError(f"cannot fetch the headers: {error}") from None


def _connection() -> dict[str, Any]:
    """What pip is configured with for connections: certificates, a client certificate, a proxy, trusted hosts."""
    with tempfile.TemporaryDirectory(prefix="cudamigrate-") as folder:
        command = [sys.executable, "-m", "pip", "config", "list"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    found: dict[str, str] = {}
    for line in done.stdout.splitlines():  # scope.name='value', the environment's last: it decides
        name, _, value = line.partition("=")
        found[name.rpartition(".")[2]] = value.strip().strip("'\"")
    options: dict[str, Any] = {"timeout": _TIMEOUT}
    if found.get("cert"):
        options["verify"] = found["cert"]
    if found.get("client-cert"):
        options["cert"] = found["client-cert"]
    if found.get("proxy"):
        options["proxies"] = {"http": found["proxy"], "https": found["proxy"]}
    return options
