"""The rules for a target, as the stages that find take them: from compiled tables, read once per process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.config import Config
from cudamigrate.model import Target
from cudamigrate.rulebase import compiled

if TYPE_CHECKING:
    from cudamigrate.rulebase.code_rules import Rulebook
    from cudamigrate.rulebase.project_rules import ProjectBook


def target(config: Config) -> Target:
    """What the configuration aims at."""
    return Target(config.rocm, config.cuda, config.arch, config.wave)


@lru_cache(maxsize=16)
def code_rules(goal: Target, extra: tuple[str, ...] = ()) -> Rulebook:
    """The rules for code, without their examples. Raises RuleError."""
    values = compiled.kept("code", goal, extra, lambda: packed_code(goal, extra))
    return compiled.unpack_code(values, goal, extra)


@lru_cache(maxsize=16)
def project_rules(goal: Target, extra: tuple[str, ...] = ()) -> ProjectBook:
    """The rules for what is in build, package and environment files, without their examples. Raises RuleError."""
    return compiled.unpack_project(compiled.kept("project", goal, extra, lambda: packed_project(goal, extra)), goal)


@lru_cache(maxsize=16)
def marks(goal: Target, extra: tuple[str, ...] = ()) -> frozenset[bytes]:
    """The identifiers that alone make a C++ file a CUDA file; they load without the rules. Raises RuleError."""
    found: frozenset[bytes] = compiled.kept("marks", goal, extra, lambda: code_rules(goal, extra).marks())
    return found


def packed_code(goal: Target, extra: tuple[str, ...] = ()) -> tuple[object, ...]:
    """The tables for code, from the rule files."""
    from cudamigrate.detection.engine import words_of_detectors
    from cudamigrate.rulebase import code_rules as files

    book = files.load(goal, [Path(path) for path in extra])
    return compiled.pack_code(book, words_of_detectors(book))


def packed_project(goal: Target, extra: tuple[str, ...] = ()) -> tuple[object, ...]:
    """The tables for what is in build, package and environment files, from the rule files."""
    from cudamigrate.rulebase import project_rules as files

    return compiled.pack_project(files.load(goal, [Path(path) for path in extra]))
