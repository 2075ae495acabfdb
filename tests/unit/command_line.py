"""Runs commands as processes of their own, forked from one process that has imported the package.

Starting Python and importing what a command needs takes longer than most commands do. Tests of the entry point, of what
is imported when, and of servers start a fresh Python instead.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

MODULES = [
    "cudamigrate.cli.app",
    "cudamigrate.cli.hook",
    "cudamigrate.pipeline.run",
    "cudamigrate.pipeline.check",
    "cudamigrate.pipeline.prove",
    "cudamigrate.estimate",
    "cudamigrate.reporting.summary",
    "cudamigrate.output.branch",
    "cudamigrate.frontends.make",
    "cudamigrate.frontends.cmake",
    "cudamigrate.frontends.python",
    "cudamigrate.ptx.translate",
    "cudamigrate.warp.decide",
    "cudamigrate.verification.run",
    "git",
    "jinja2",
    "msgspec",
    "rich.console",
    "tomli",
]
"""Imported before the first command; what is missing here is imported by each command that needs it."""
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(MODULES)
_LIMIT = 300
"""Seconds after which a command is taken for one that never ends."""


def run(
    *words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `cudamigrate` with these words and an empty standard input; what it printed, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        printed = [Path(folder, name) for name in ("out", "err")]
        arguments = (list(map(str, words)), cwd or Path.cwd(), dict(os.environ if env is None else env), printed)
        process = _CONTEXT.Process(target=_command, args=arguments)
        process.start()
        process.join(_LIMIT)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(list(words), _LIMIT)
        out, err = (path.read_text() for path in printed)
        return subprocess.CompletedProcess(list(words), process.exitcode or 0, out, err)


def _command(words: list[str], cwd: Path, environment: dict[str, str], printed: list[Path]) -> None:
    """In the new process: run the command with these streams."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(printed, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["cudamigrate", *words]
    tempfile.tempdir = None  # it is where this environment says
    from cudamigrate.__main__ import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()
