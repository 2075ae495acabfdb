"""Joins the stages: scan, apply, check and verify, the work on one file, and what only all files together show.

Knows every stage below it. Prints nothing and reads no command line.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cudamigrate.pipeline import (
        check,
        check_fixes,
        convert_file,
        fleet,
        own_headers,
        prove,
        result_store,
        rule_tests,
    )
    from cudamigrate.pipeline.inspect_tree import Progress
    from cudamigrate.pipeline.rule_base import target
    from cudamigrate.pipeline.run import (
        Applied,
        apply,
        check_report,
        project_rules,
        rules,
        scan,
        scanned,
    )

__all__ = [
    "Applied",
    "Progress",
    "apply",
    "check",
    "check_fixes",
    "check_report",
    "convert_file",
    "fleet",
    "lookup",
    "own_headers",
    "project_rules",
    "prove",
    "result_store",
    "rule_tests",
    "rules",
    "run",
    "scan",
    "scanned",
    "target",
]

_MODULES = (
    "check",
    "check_fixes",
    "convert_file",
    "fleet",
    "lookup",
    "own_headers",
    "prove",
    "result_store",
    "rule_tests",
    "run",
)


def __getattr__(name: str) -> Any:
    """A stage is imported when it is asked for: `check` does without the others, and starts before every commit."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in __all__:
        return getattr(import_module(f"{__name__}.run"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
