"""Fetching projects, converting them, and type-checking the result with hipcc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import tomli

HERE = Path(__file__).parent
_MISSING = re.compile(r"fatal error: '([^']+)' file not found")
_ERROR = re.compile(r"^(?:[^\s:]+:\d+:\d+: )?(?:fatal )?error: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Project:
    """A pinned source distribution."""

    name: str
    version: str
    sha256: str
    headers: tuple[str, ...]
    defines: tuple[str, ...]
    large: bool = False
    vendored: bool = False


@dataclass(frozen=True)
class Verdict:
    """What hipcc says of one file: `checks`, `missing` (only a header that is not the project's) or `fails`."""

    path: str
    kind: str
    detail: str = ""


def projects() -> list[Project]:
    """The pinned projects."""
    table = tomli.loads((HERE / "projects.toml").read_text())
    lists = ("headers", "defines")
    return [
        Project(name, **{key: tuple(value) if key in lists else value for key, value in entry.items()})
        for name, entry in table.items()
    ]


def cache() -> Path:
    """Where archives and trees are kept between runs, outside the checkout."""
    base = os.environ.get("CUDAMIGRATE_CORPUS") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "cudamigrate", "corpus"
    )
    return Path(base)


def unpacked(project: Project) -> Path | str:
    """Root of the project's unpacked source, fetched when it is not cached; a string says why it cannot be had."""
    folder = cache() / f"{project.name}-{project.version}"
    if folder.is_dir():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    archive = folder.with_name(folder.name + ".tar.gz")
    if not archive.exists():
        command = [sys.executable, str(HERE / "fetch.py"), project.name, project.version, project.sha256, str(archive)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["pip could not fetch it"])[-1]
    staging = folder.with_name(folder.name + f".{os.getpid()}.part")
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):
            tar.extractall(staging, filter="data")
        else:
            tar.extractall(staging)
    (top,) = staging.iterdir()
    top.rename(folder)
    staging.rmdir()
    return folder


@lru_cache(maxsize=1)
def hipcc() -> str | None:
    """Path of hipcc, or None where it is not installed."""
    return shutil.which("hipcc")


def type_check(root: Path, project: Project) -> list[Verdict]:
    """Verdicts for every `.cu` file below `root`, device and host pass, for gfx90a."""
    files = sorted(path for path in root.rglob("*.cu"))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(lambda path: _verdict(root, path, project), files))


def _verdict(root: Path, path: Path, project: Project) -> Verdict:
    includes = [f"-I{root / folder}" for folder in project.headers] + [f"-D{name}" for name in project.defines]
    command = [str(hipcc()), "--offload-arch=gfx90a", "-std=c++17", "-fsyntax-only", "-ferror-limit=0", "-w"]
    done = subprocess.run(
        [*command, *includes, str(path)], capture_output=True, text=True, env={**os.environ, "HIP_PLATFORM": "amd"}
    )
    name = path.relative_to(root).as_posix()
    if done.returncode == 0:
        return Verdict(name, "checks")
    errors = _ERROR.findall(done.stderr)
    missing = _MISSING.findall(done.stderr)
    foreign = [header for header in missing if not _is_own(root, header)]
    if foreign and len(errors) == len(missing):
        return Verdict(name, "missing", foreign[0])
    other = [error for error in errors if "file not found" not in error]
    return Verdict(name, "fails", (other or errors or [done.stderr.strip()[-200:]])[0])


def _is_own(root: Path, header: str) -> bool:
    return any(root.rglob(Path(header).name))
