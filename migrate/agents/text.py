"""Tasks -> Markdown and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict

from cudamigrate.agents.tasks import Task
from cudamigrate.errors import printable, printable_json

SCHEMA = "cudamigrate-tasks/1"
"""Name and version of the JSON format."""


def render_json(found: Sequence[Task]) -> str:
    """All tasks, for programs."""
    data = {"schema": SCHEMA, "count": len(found), "tasks": [asdict(task) for task in found]}
    return printable_json(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"


def render_markdown(found: Sequence[Task]) -> str:
    """A page with a section for each task; each section can be passed to someone by itself."""
    if not found:
        return "# Tasks after `cudamigrate apply`\n\nNothing is left that is known.\n"
    head = [
        "# Tasks after `cudamigrate apply`",
        "Lines are those of the converted files. In commands, DIR is the converted folder and SRC the original.",
    ]
    return printable(
        "\n\n".join([*head, *(_section(number, task) for number, task in enumerate(found, 1))]) + "\n", "\n\t"
    )


def _section(number: int, task: Task) -> str:
    at = ", ".join(f"{printable(task.path)}:{place.line}:{place.column}" for place in task.places)
    parts = [
        f"## {number}. {task.title}",
        f"- Place: `{at}`\n- Rule: `{task.rule}` (`cudamigrate explain {task.rule}`)\n- Outcome: {task.outcome}\n"
        f"- Effort: {task.effort}\n- Task id: {task.id}",
        _fenced(task.code),
        "### What is known\n\n" + _list(task.known),
        "### What to write\n\n" + _list(task.write) if task.write else "",
        "### How to prove it\n\n" + _list([_command(line) for line in task.prove]),
    ]
    return "\n\n".join(part for part in parts if part)


def _list(lines: Sequence[str]) -> str:
    return "\n".join(_item(line) for line in lines)


def _item(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([f"- {first}", *(f"      {line}" for line in rest)])


def _command(line: str) -> str:
    return f"`{line}`" if line.startswith("cudamigrate ") else line


def _fenced(code: str) -> str:
    """A code block whose fence is longer than any in the code."""
    longest = max((len(found) for found in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{code}\n{fence}"
