"""Plan -> a folder of Python files that need nothing of this tool.

Result: the files of the harness, made beside their place and moved there in one step. The template engine is imported
here and nowhere else, when a harness is written.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from cudamigrate.errors import TargetError
from cudamigrate.numeric.model import Plan
from cudamigrate.project.owned_folders import OUTPUT_MARK, refuse_others

_FOR_CASES = ("cases.py", "harness.py", "run.py")
_FOR_PROGRAMS = ("programs.py", "run_program.py")
_EDITED = ("cases.py", "programs.py")
_MARK = b"This folder was written by cudamigrate verify --numeric, which may replace it when run with --force.\n"


def render(plan: Plan, version: str) -> dict[str, str]:
    """The files of the harness by name."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    engine = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=False,
        autoescape=False,
    )
    engine.filters["py"] = _quoted
    names = ["README.md", "compare.py"]
    names += _FOR_CASES if plan.cases else ()
    names += _FOR_PROGRAMS if plan.programs else ()
    words: dict[str, Any] = {
        "version": version,
        "title": plan.title,
        "imports": plan.imports,
        "cases": plan.cases,
        "programs": plan.programs,
        "left": plan.left,
    }
    return {name: engine.get_template(f"{name}.jinja").render(words) for name in sorted(names)}


def _quoted(text: str) -> str:
    """A text as a Python literal in double quotes where it can be."""
    said = repr(text)
    return f'"{said[1:-1]}"' if said[0] == "'" and '"' not in said and "\\" not in said else said


def write(files: Mapping[str, str], place: str, force: bool = False) -> None:
    """Write the files to the folder `place`. Raises TargetError.

    A folder that holds files is replaced only with `force`, and only if this tool made it; a list of cases or programs
    that is not the one written now is kept beside it with `.old` in its name.
    """
    folder = Path(os.path.realpath(place))
    refuse_others(folder, place, force, "compare.py")
    made = folder.with_name(f".{folder.name}.{uuid4().hex[:8]}")
    aside = made.with_name(f"{made.name}.old")
    try:
        made.mkdir(parents=True)
        (made / OUTPUT_MARK).write_bytes(_MARK)
        for name, text in files.items():
            (made / name).write_text(text, encoding="utf-8", newline="\n")
        _keep(folder, made, files)
        if folder.exists():
            folder.rename(aside)
        made.rename(folder)
    except OSError as error:
        raise TargetError(f"{place} cannot be written: {error}.") from None
    finally:
        if aside.exists() and not folder.exists():
            aside.rename(folder)
        shutil.rmtree(made, ignore_errors=True)
        shutil.rmtree(aside, ignore_errors=True)


def _keep(folder: Path, made: Path, files: Mapping[str, str]) -> None:
    """Carry over what a person wrote or recorded: all that this tool does not write, and edited lists."""
    if not folder.is_dir():
        return
    ours = {*files, OUTPUT_MARK, "README.md", "compare.py", *_FOR_CASES, *_FOR_PROGRAMS}
    for entry in folder.iterdir():
        if entry.name in _EDITED and files.get(entry.name) != entry.read_text(encoding="utf-8"):
            shutil.copy2(entry, made / f"{entry.stem}.old.py")
        elif entry.name not in ours and entry.name != "__pycache__":
            copy = shutil.copytree if entry.is_dir() else shutil.copy2
            copy(entry, made / entry.name)
