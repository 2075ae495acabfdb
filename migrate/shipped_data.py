"""Data files that ship with the package: the folder of rules, the tables of facts in it, and the stand-in headers.

The folder is found the same way in a checkout and in an installed wheel. A table is read when it is first asked for,
once per process. What is slow to make from such files is kept as plain values: in a wheel, else in the user's cache.
"""

from __future__ import annotations

import marshal
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

from cudamigrate.errors import RuleError

BUILT = "compiled"
"""The folder of the rules that a wheel carries what was made from them in, as plain values."""
_KEPT = 6
"""Files of one kind in the user's cache."""
MARSHAL = 4
"""The version of `marshal` that every Python reads which this runs on."""


@cache
def rules_folder() -> Path:
    """The shipped rules: beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_rules", package.parent / "rules"):
        if (folder / "api").is_dir():
            return folder
    raise RuleError(f"no rules found beside {package}; reinstall cudamigrate")


def stand_ins(kind: Literal["declarations", "cuda"]) -> Path:
    """The folder of headers that replace those not installed.

    `declarations` are for ROCm's libraries and PyTorch, `cuda` for the CUDA toolkit. Raises RuleError where the
    installation lacks them: without, every converted file would be said to miss its headers.
    """
    folder = rules_folder() / "stand-ins" / kind
    if not folder.is_dir():
        raise RuleError(f"no stand-in headers in {folder}; reinstall cudamigrate")
    return folder


@cache
def table(name: str) -> dict[str, Any]:
    """The facts of a shipped file such as `releases`, as they are in it. Raises RuleError where it cannot be read."""
    path = rules_folder() / f"{name}.toml"
    found: dict[str, Any] = kept(f"table-{name}", name, lambda: stamp(path), lambda: _parsed(path))
    return found


def _parsed(path: Path) -> dict[str, Any]:
    import tomli  # tables that are kept do without

    try:
        return tomli.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {error}") from None


def stamp(path: Path) -> str:
    """What tells one version of a file from another: its path, time and size. Empty where it cannot be asked."""
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{path} {status.st_mtime_ns} {status.st_size}"


def user_cache(kind: str) -> Path:
    """The folder of the user's cache for results of a kind; it need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "cudamigrate" / kind


def kept(kind: str, key: str, stamped: Callable[[], str] | None, make: Callable[[], Any]) -> Any:
    """Plain values of a kind: as a wheel carries them, from the user's cache, or made now and put there.

    `key` says what they are for, `stamped` what they are made from. A wheel's files
    do not change, so its values need no stamp. A cache that cannot be read or written is no failure: the
    values are made again.
    """
    found = _read(rules_folder() / BUILT / f"{kind}.marshal", key)
    if found is not None:
        return found
    key = f"{key} {stamped() if stamped is not None else ''}"
    found = remembered(kind, key)
    if found is None:
        found = make()
        with suppress(OSError):
            remember(kind, key, found)
    return found


def remembered(kind: str, key: str, folder: str = "rules") -> Any:
    """The plain values of a kind that are in a folder of the user's cache for a key; None where there are none."""
    return _read(_file(kind, key, folder), key)


def remember(kind: str, key: str, values: Any, folder: str = "rules") -> None:
    """Put plain values of a kind into a folder of the user's cache. Raises OSError."""
    file = _file(kind, key, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    keep(file, key, values)
    _prune(file.parent, kind)


def _file(kind: str, key: str, folder: str) -> Path:
    name = f"{crc32(key.encode(errors='backslashreplace')):08x}"  # the key itself is in the file
    return user_cache(folder) / f"{kind}-{name}.marshal"


def is_private(folder: Path, make: bool = False) -> bool:
    """Whether a folder is there, or can be made, is no link, and nobody else can write to it."""
    try:
        if make:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = os.lstat(folder)
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def _prune(folder: Path, kind: str) -> None:
    """Remove all but the newest files of a kind: targets are few, and each change of the rules leaves a file behind."""
    files = sorted(folder.glob(f"{kind}-????????.marshal"), key=lambda path: path.stat().st_mtime)
    for path in files[:-_KEPT]:
        path.unlink(missing_ok=True)


def keep(file: Path, key: str, values: Any) -> None:
    """Write plain values for a key, in one step. Raises OSError."""
    part = file.with_name(f".{file.name}.{os.getpid()}")
    part.write_bytes(marshal.dumps((key, values), MARSHAL))
    os.replace(part, file)


def _read(file: Path, key: str) -> Any:
    try:
        found, values = marshal.loads(file.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return values if found == key else None
