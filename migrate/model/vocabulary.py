"""The closed sets of words that code, rules, JSON and the command line share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

Support = Literal["full", "partial", "manual", "none"]
"""How well HIP covers a construct."""
Outcome = Literal["compile-error", "wrong-result", "missing", "slower", "fine"]
"""What happens on AMD when the construct is left as it is; `missing`: it builds and runs without what the code does."""
Certainty = Literal["token", "syntax", "resolved"]
"""What a finding rests on: the token alone, the syntax tree, or resolved types and declarations."""
Safety = Literal["safe", "unsafe", "suggestion"]
"""May a fix be applied unasked (safe), when asked (unsafe), or never by the tool (suggestion)."""
Effort = Literal["none", "trivial", "small", "medium", "large", "redesign"]
"""Manual work left per occurrence once the fix, if any, has been applied."""
Resolution = Literal["automatic", "review", "manual", "fine"]
"""How a finding is fixed: by `apply`, `apply --unsafe` and a review, manual work, or nothing as it is fine already."""
Scope = Literal["host", "device", "macro", "unknown"]
"""Where a use stands; `device` covers `__global__` and `__device__` functions."""
UseKind = Literal[
    "call", "name", "namespace", "include", "launch", "asm", "paste", "import", "option", "package", "string"
]
"""What a use is in the source: see `Use`. In build and environment files `name` is also a command, variable or key."""
MatchKind = Literal["name", "namespace", "include", "family", "detector", "option", "package", "compiler", "tree"]
ChangeKind = Literal["none", "rename", "template", "include", "needs", "rewrite"]

SUPPORTS: tuple[Support, ...] = ("full", "partial", "manual", "none")
OUTCOMES: tuple[Outcome, ...] = ("compile-error", "wrong-result", "missing", "slower", "fine")
CERTAINTIES: tuple[Certainty, ...] = ("token", "syntax", "resolved")
SAFETIES: tuple[Safety, ...] = ("safe", "unsafe", "suggestion")
EFFORTS: tuple[Effort, ...] = ("none", "trivial", "small", "medium", "large", "redesign")
GROUPS: tuple[str, ...] = (
    "api",
    "warp",
    "ptx",
    "cooperative-groups",
    "memory",
    "launch",
    "math",
    "texture",
    "library",
    "build",
    "packages",
    "python",
    "triton",
    "environment",
    "verify",
)
"""The first half of every rule id."""

PARTS: tuple[str, ...] = ("code", "python", "build", "packages", "environment")
"""The parts of a repository that are changed one by one, in the order in which a branch gets its commits."""

NO_CUDA_NAMED = "no reader, and no file of them names CUDA"
"""Why files of a language were not read, where nothing is lost by it."""
LOOKED_AT: Mapping[str, str] = {"Cython": "cython", "Rust": "rust", "Fortran": "fortran", "Go": "go"}
"""Languages of which no more is read than whether a file has to do with CUDA: their names, and what front ends say."""

REPORT_SCHEMA = "cudamigrate-report/1"
"""Name and version of the JSON report format."""

JsonValue = Any  # what `json.dumps` accepts


@lru_cache(maxsize=256)  # thousands of rules name the same few
def release(version: str) -> tuple[int, ...]:
    """A release as numbers that compare: '7.13' is newer than '7.2'."""
    return tuple(int(part) for part in re.findall(r"\d+", version))
