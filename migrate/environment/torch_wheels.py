"""A file's requirements -> which index of PyTorch's wheels they go with. What two rewrites share.

Result: `rocmX.Y`, or nothing where no wheel fits what the file asks for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.rulebase.rocm_releases import torch_clauses, torch_index
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import Requirement

FAMILY = ("torch", "torchvision", "torchaudio")
"""Packages that are built together, one wheel for each kind of GPU."""


def requirements(parsed: ParsedFile | ProjectFile) -> Mapping[int, Requirement]:
    """The requirements of a file by the offset of their names; none where its front end does not read them."""
    return parsed.requirements if isinstance(parsed, ProjectFile) else {}


def rocm(parsed: ParsedFile | ProjectFile) -> str:
    """The release that the migration aims at."""
    return parsed.target.rocm


def index(parsed: ParsedFile | ProjectFile, offset: int) -> str:
    """The index for the torch that is asked for, nearest to `offset`, as `rocm7.2`; empty where none has it."""
    if isinstance(parsed, ProjectFile) and parsed.hashed:
        return ""
    family = [item for item in requirements(parsed).values() if item.name in FAMILY]
    family.sort(key=lambda item: (FAMILY.index(item.name), abs(item.span.start - offset)))
    clauses: tuple[tuple[str, str], ...] = ()
    for item in family:
        text = parsed.data[item.version.start : item.version.end]
        if re.search(rb"[$%{]", text):
            return ""  # a variable: its value may be of any release
        clauses = torch_clauses(item.name, item.clauses)
        if clauses:
            break
    found = torch_index(rocm(parsed), clauses)
    return f"rocm{found}" if found else ""
