"""A program of a repository, run where it can do little: no network, a folder of its own, limits of time and memory."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

_FILE_BYTES = 256 << 20
_OUTPUT_BYTES = 32 << 20
PATIENCE = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use: seconds of each processor's time, and bytes of the host's memory.

    On the clock it may take `PATIENCE` times as long, since other programs may run beside it.
    """

    seconds: int = 60
    memory: int = 4 << 30


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code, negative for a signal and None past the time limit, and what it printed."""

    code: int | None
    output: bytes
    errors: bytes


def unsupported() -> str:
    """Why no program can run on this system, empty where one can: Windows has no limits for processes."""
    try:
        import resource  # noqa: F401
    except ImportError:
        return "Programs cannot be run on this system: their limits of time and memory need Linux or macOS."
    return ""


@cache
def isolation() -> tuple[str, ...]:
    """The words before a command that take the network away; none where this system does not allow that."""
    program = shutil.which("unshare")
    if program is None:
        return ()
    words = (program, "--user", "--map-current-user", "--net")
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else ()


def described() -> str:
    """In words, what a program that runs here cannot do."""
    network = "without network" if isolation() else "with network, since this system grants no namespace without"
    return f"{network}, each in a folder of its own, with limits of time and memory"


def run(words: Sequence[str], folder: Path, settings: Mapping[str, str], limits: Limits) -> Ended:
    """Run a command in `folder` with these settings as its whole environment, beside a path and a language."""
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder), **settings}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [*isolation(), *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=_limiter(limits),
            start_new_session=True,
        )
        code: int | None
        try:
            code = process.wait(limits.seconds * PATIENCE)
            code = None if code == -signal.SIGXCPU else code
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = None
        return Ended(code, _read(out), _read(err))


def _read(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(_OUTPUT_BYTES)


def _limiter(limits: Limits) -> Callable[[], None]:
    import resource

    def limit() -> None:
        seconds = limits.seconds * (os.cpu_count() or 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (limits.memory,) * 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit
