"""Make: words that a function joins by commas, as nvcc wants them for the host's compiler -> the words themselves."""

from __future__ import annotations

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.syntax.project_file import ProjectFile

_JOINS = re.compile(r"\$\(subst (?P<blank>[^,]*),(?P<comma>\$[({]\w+[)}]),(?P<words>.*)\)", re.DOTALL)
"""`$(subst $(space),$(comma),$(FLAGS))`: a comma itself would end the argument, so that a variable holds it."""
_REFERENCES = re.compile(r"\$[({]\w*[)}]")


def joined_by_commas(parsed: ProjectFile, value: str) -> str:
    """The words that the whole value joins by commas, empty where it is anything else."""
    match = _JOINS.fullmatch(value.strip())
    if match is None:
        return ""
    variables = parsed.once(makefile_variables.of)
    holds = _held(variables, match["comma"][2:-1]) == {","}
    blank = not _REFERENCES.sub("", match["blank"]).strip()
    return match["words"].strip() if holds and blank and _closes(match["words"]) else ""


def _held(variables: Variables, name: str) -> set[str]:
    """What a variable is set to."""
    places = variables.assigned.get(name, ())
    return {file.text(line.value).decode("utf-8", "replace").strip() for file, line in places}


def _closes(text: str) -> bool:
    """Whether each bracket is closed after it was opened, so that the last one of the value is the function's own."""
    depth = 0
    for sign in text:
        depth += (sign in "({") - (sign in ")}")
        if depth < 0:
            return False
    return depth == 0
