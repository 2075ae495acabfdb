"""The scoreboard: figures of accuracy and speed on one page, each with its date, commit and command.

    python -m tests.scoreboard             write docs/scoreboard.md from tests/scoreboard.toml
    python -m tests.scoreboard --measure   run the quick commands first, and write what they print into the data file

Nothing is measured here: the commands are those of the tests and benchmarks, and a figure is what one of them prints.
"""

from __future__ import annotations

import datetime
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "scoreboard.toml"
PAGE = ROOT / "docs" / "scoreboard.md"
HEAD = """# Scoreboard

How often cudamigrate is right, and how long it takes. Every row has its date, the commit it was measured on, and the
command that prints it. *Tuned* says where the rules were changed while someone looked at what is measured: such a
figure says that known trouble is dealt with, and nothing about code that nobody has looked at. `make scoreboard`
measures the rows marked ↻ again and writes this page from `tests/scoreboard.toml`.

No figure here comes from an AMD GPU.
"""


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
    again = " ↻" if row.get("quick") else ""
    tuned = f"- Tuned: {row['tuned']}\n" if row["tuned"] else "- Tuned: no\n"
    return (
        f"**{row['what']}**{again}\n\n- {row['value']}\n{tuned}"
        f"- Measured {row['date']} on `{row['commit']}`: `{row['command']}`\n"
    )


def read(row: Mapping[str, Any], printed: str) -> str:
    """The figure in what a command printed. Raises ValueError where it is not there."""
    found = re.search(row["pattern"], printed)
    if found is None:
        raise ValueError(f"{row['command']} printed no line like {row['pattern']}")
    return str(row["written"]).format(**found.groupdict())


def measure(text: str, rows: list[dict[str, Any]], day: str, commit: str) -> str:
    """The data file with the quick rows measured anew."""
    for row in rows:
        if row.get("quick"):
            program, *words = shlex.split(row["command"])
            done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
            text = replaced(text, row, read(row, done.stdout + done.stderr), day, commit)
            print(f"{program} {' '.join(words)}", flush=True)
    return text


def replaced(text: str, row: Mapping[str, Any], value: str, day: str, commit: str) -> str:
    """The text of the data file with one row's value, date and commit changed, and all else as it was."""
    begin = text.index(f"command = {_quoted(row['command'])}")
    start = text.rindex("[[figure]]", 0, begin)
    head = text[start:begin]
    for key, new in (("value", value), ("date", day), ("commit", commit)):
        head = re.sub(rf"^{key} = .*$", lambda _, key=key, new=new: f"{key} = {_quoted(new)}", head, flags=re.MULTILINE)
    return text[:start] + head + text[begin:]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def main() -> None:
    """Measure where that is asked for, and write the page."""
    if "--measure" in sys.argv[1:]:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
        day = datetime.date.today().isoformat()
        text = DATA.read_text(encoding="utf-8")
        DATA.write_text(measure(text, figures(), day, commit.stdout.strip()), encoding="utf-8")
    PAGE.write_text(render(figures()), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
