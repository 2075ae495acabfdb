"""Commands and their output as a page of the documentation shows them, typed and compared."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import command_line

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"(?:^<!-- needs: ([^\n]+) -->\n)?^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHIM = '#!/bin/sh\nexec "{python}" -c "from cudamigrate.__main__ import main; main()" "$@"\n'


@dataclass(frozen=True)
class Step:
    """A command and the lines that are shown below it."""

    command: str
    shown: tuple[str, ...]
    needs: str


def steps(text: str) -> Iterator[Step]:
    for needs, block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield Step(command, tuple(line for line in shown if line.strip() != "..."), needs)


def missing(step: Step, printed: str) -> list[str]:
    """Shown lines that are not printed, in their order; blanks count once, and `...` in a line is anything."""
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    lost, at = [], 0
    for line in step.shown:
        pattern = re.compile(".*?".join(map(re.escape, " ".join(line.split()).split("..."))))
        after = next((n for n in range(at, len(lines)) if pattern.match(lines[n]) or pattern.search(lines[n])), None)
        lost += [line] if after is None else []
        at = at if after is None else after + 1
    return lost


def environment(home: Path) -> dict[str, str]:
    """What a newcomer's shell has, with the command on its path; `home` is made."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "cudamigrate").write_text(SHIM.format(python=sys.executable))
    (home / "bin" / "cudamigrate").chmod(0o755)
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))  # compiled headers, which other tests use too
    author = {
        f"GIT_{who}_{what}": "newcomer@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    import_path = os.pathsep.join([str(ROOT / "tests" / "import"), str(ROOT)])
    path = f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    return {
        "HOME": str(home),
        "PATH": path,
        "PYTHONPATH": import_path,
        "COLUMNS": "120",
        "XDG_CACHE_HOME": cache,
        **author,
    }


def typed(command: str, place: Path, environment: dict[str, str]) -> tuple[subprocess.CompletedProcess[str], Path]:
    """What a shell prints for a command, and the folder that it ends in."""
    if command.startswith("cudamigrate ") and not set(command) & set("|;&<>*$"):
        return command_line.run(*shlex.split(command)[1:], cwd=place, env=environment), place
    where = place.parent / "place"
    words = ["bash", "-c", f'{command}\ncode=$?; pwd > "{where}"; exit $code']
    done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True)
    return done, Path(where.read_text().strip())
