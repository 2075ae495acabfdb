"""What `check` knows of a repository before it judges files: its HIP port, and what PyTorch's build makes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.project import git

Waves = Mapping[str, tuple[str, ...]]
"""Marks for HIP that hold for one file, by path."""


def _as_it_is(source: SourceFile, result: FileResult) -> FileResult:
    return result


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """What holds for all files of a repository.

    `config` has the guards of its HIP port, `waves` the marks of single files. `answered` leaves out what the port
    or PyTorch's build answers. `shared` tells that the sources are for both vendors.
    """

    config: Config
    waves: Waves
    shared: bool = False
    answered: Callable[[SourceFile, FileResult], FileResult] = _as_it_is


def around(root: Path | None, config: Config) -> RepositoryFacts:
    """What the work tree of git around a folder shows; nothing without one."""
    top = git.work_tree(root) if root is not None else None
    if root is None or top is None:
        return RepositoryFacts(config, {})
    from cudamigrate.pipeline import port_memory, styles  # a commit without CUDA code does without

    port = port_memory.facts(root, config)
    style = styles.chosen("auto", port)
    if not (port.marks or port.is_port or style.extension):
        return RepositoryFacts(config, {})
    from cudamigrate.pipeline import port_gaps  # most repositories have no port

    inside = os.path.relpath(os.path.abspath(root), top).replace(os.sep, "/")
    under = "" if inside == "." else f"{inside}/"
    seen = port.seen_waves.items() if port.is_port else ()
    waves = {path.removeprefix(under): marks for path, marks in seen if path.startswith(under)}
    marks = (*config.hip_guards, *(mark for mark in port.marks if mark not in config.hip_guards))

    def answered(source: SourceFile, result: FileResult) -> FileResult:
        if os.path.isabs(source.path) or source.path.startswith("../"):
            return result  # a file of somewhere else
        own = (one for one in result.findings if one.group != "api" or one.name not in port.covered)
        left = port_gaps.answered(replace(result, findings=tuple(own)), port=port, under=under)
        alone = under + source.path in port.passed_over
        return styles.without_renamed(source, left, alone) if style.extension else left

    return RepositoryFacts(replace(config, hip_guards=marks), waves, style.name == "portable", answered)
