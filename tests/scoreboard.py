"""The scoreboard: figures of accuracy and speed on one page, each with its date, commit, command and duration.

    python -m tests.scoreboard                     write docs/scoreboard.md from tests/scoreboard.toml
    python -m tests.scoreboard --measure [ROW...]  run the commands first, and keep what they print in the data file

A row is kept as soon as its command ends, so that a run that is interrupted goes on where it was: rows measured on the
commit that is checked out are left out, unless they are named. Nothing is measured here: the commands are those of the
tests and benchmarks, and a figure is what one of them prints.
"""

from __future__ import annotations

import datetime
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli

from tests.corpus import harness

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "scoreboard.toml"
PAGE = ROOT / "docs" / "scoreboard.md"
HEAD = """# Scoreboard

How often cudamigrate is right, and how long it takes. Every row has its date, the commit it was measured on, and the
command that prints it. *Tuned* says where the rules were changed while someone looked at what is measured: such a
figure says that known trouble is dealt with, and nothing about code that nobody has looked at. `make scoreboard`
measures the rows again, one by one, and keeps each in `tests/scoreboard.toml`, which this page is written from;
`make scoreboard ROWS=NAME` measures one. Rows *measured once* cannot be repeated, and say why. `{corpus:NAME}` in a
command is the folder of a public project in its pinned version, which is fetched where it is not there.

No figure here comes from an AMD GPU.
"""
KEPT = ("value", "date", "commit", "seconds")
"""What a measurement writes into its row."""


class MeasuringError(Exception):
    """A command failed, or printed no figure; the text says which."""


def figures() -> list[dict[str, Any]]:
    """The rows, in the order of the page."""
    found: list[dict[str, Any]] = tomli.loads(DATA.read_text(encoding="utf-8"))["figure"]
    return found


def render(rows: list[dict[str, Any]]) -> str:
    """The page."""
    parts = [HEAD]
    for title in dict.fromkeys(row["part"] for row in rows):
        parts.append(f"## {title}\n")
        parts += [_row(row) for row in rows if row["part"] == title]
    return "\n".join(parts)


def _row(row: Mapping[str, Any]) -> str:
    tuned = f"- Tuned: {row['tuned']}\n" if row["tuned"] else "- Tuned: no\n"
    if row.get("once"):
        how = f"- Measured once, {row['date']} on `{row['commit']}`: {row['once']}\n"
    else:
        seconds = f", {row['seconds']} s" if row.get("seconds") else ""
        how = f"- Measured {row['date']} on `{row['commit']}`{seconds} (`{row['name']}`): `{row['command']}`\n"
    return f"**{row['what']}**\n\n- {row['value']}\n{tuned}{how}"


def read(row: Mapping[str, Any], printed: str) -> str:
    """The figure in what a command printed: each match as the row writes it. Raises MeasuringError without one."""
    found = [str(row["written"]).format(**match.groupdict()) for match in re.finditer(row["pattern"], printed)]
    if not found:
        raise MeasuringError(f"{row['command']} printed no line like {row['pattern']}:\n{printed[-600:]}")
    return str(row.get("between", ", ")).join(found)


def words(command: str) -> tuple[list[str], dict[str, str]]:
    """A command of a row as it is started, with the variables before it. Raises MeasuringError without its project."""
    variables, rest = {}, shlex.split(command)
    while "=" in rest[0]:
        name, _, value = rest.pop(0).partition("=")
        variables[name] = value
    return [sys.executable, *(re.sub(r"\{corpus:([\w-]+)\}", _project, word) for word in rest[1:])], variables


def _project(match: re.Match[str]) -> str:
    root = harness.unpacked(next(one for one in harness.projects() if one.name == match[1]))
    if isinstance(root, str):
        raise MeasuringError(f"{match[1]} cannot be had: {root}")
    return str(root)


def measure(row: Mapping[str, Any], commit: str) -> None:
    """Run a row's command, and keep its figure. Raises MeasuringError."""
    started = time.perf_counter()
    command, variables = words(row["command"])
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True)
    value = read(row, done.stdout + done.stderr)
    if done.returncode:
        raise MeasuringError(
            f"{row['command']} ended with {done.returncode}:\n{done.stdout[-600:]}{done.stderr[-600:]}"
        )
    taken = round(time.perf_counter() - started)
    day = datetime.date.today().isoformat()
    text = DATA.read_text(encoding="utf-8")
    DATA.write_text(replaced(text, row["name"], (value, day, commit, taken)), encoding="utf-8")
    print(f"{row['name']}: {value} ({taken} s)", flush=True)


def replaced(text: str, name: str, values: tuple[str, str, str, int]) -> str:
    """The text of the data file with what was measured of one row changed, and all else as it was."""
    start = text.index(f"[[figure]]\nname = {_quoted(name)}\n")
    end = text.find("\n[[figure]]", start)
    row = text[start : end if end > 0 else None]
    changed = row
    for key, new in zip(KEPT, values, strict=True):
        written = str(new) if isinstance(new, int) else _quoted(new)
        changed = re.sub(
            rf"^{key} = .*$", lambda _, key=key, new=written: f"{key} = {new}", changed, flags=re.MULTILINE
        )
    return text.replace(row, changed)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def main() -> None:
    """Measure where that is wanted, and write the page."""
    failed = False
    if "--measure" in sys.argv[1:]:
        named = [word for word in sys.argv[1:] if word != "--measure"]
        head = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=ROOT, capture_output=True, text=True)
        commit = head.stdout.strip()
        rows = [row for row in figures() if not row.get("once")]
        for row in rows:
            if row["name"] in named or (not named and row["commit"] != commit):
                try:
                    measure(row, commit)
                except MeasuringError as error:
                    print(f"{row['name']} was not measured: {error}", file=sys.stderr, flush=True)
                    failed = True
    PAGE.write_text(render(figures()), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
